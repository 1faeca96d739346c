#include "base/bloom.h"
#include "base/rng.h"
#include "test.h"

static void never_forgets_and_seldom_invents(void)
{
	cleanup(bloom_release) struct bloom b = { 0 };
	struct rng in = { 1 }, out = { 999 };
	unsigned invented = 0;

	bloom_init(&b, 100000, 12);
	for (int i = 0; i < 100000; i++)
		bloom_add(&b, rng_next(&in));
	in = (struct rng){ 1 };
	for (int i = 0; i < 100000; i++)
		CHECK(bloom_may_have(&b, rng_next(&in)));
	for (int i = 0; i < 100000; i++)
		invented += bloom_may_have(&b, rng_next(&out));
	CHECK(invented > 100 && invented < 1000); /* the header says 0.5 % */
}

static void adding_tells_what_was_not_there(void)
{
	cleanup(bloom_release) struct bloom b = { 0 };

	bloom_init(&b, 10, 16);
	CHECK(!bloom_add(&b, 12345) && bloom_add(&b, 12345));
}

int main(void)
{
	RUN(never_forgets_and_seldom_invents);
	RUN(adding_tells_what_was_not_there);
	DONE();
}
