#include "base/heap.h"
#include "base/rng.h"
#include "test.h"

static bool smaller(const uint64_t *a, const uint64_t *b)
{
	return *a < *b;
}

HEAP_DEFINE(numbers, uint64_t, smaller)

static void takes_in_order_whatever_the_order_of_adding(void)
{
	cleanup(numbers_release) struct numbers h = { 0 };
	struct rng r = { 3 };
	uint64_t last = 0, v;

	for (int i = 0; i < 3000; i++)
		numbers_add(&h, rng_below(&r, 500));
	for (int i = 0; i < 3000; i++) {
		CHECK(numbers_take(&h, &v) && v >= last);
		last = v;
	}
	CHECK(!numbers_take(&h, &v));
}

int main(void)
{
	RUN(takes_in_order_whatever_the_order_of_adding);
	DONE();
}
