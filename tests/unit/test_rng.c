#include "base/rng.h"
#include "test.h"

static void the_numbers_of_a_seed_never_change(void)
{
	struct rng r = { 0 };

	/* The published first outputs of splitmix64 for seed 0. */
	CHECK(rng_next(&r) == 0xe220a8397b1dcdafu);
	CHECK(rng_next(&r) == 0x6e789e6aa1b965f4u);
	CHECK(rng_next(&r) == 0x06c45d188009454fu);
}

static void below_reaches_every_value_and_none_beyond(void)
{
	struct rng r = { 8 };
	unsigned seen[7] = { 0 };

	for (int i = 0; i < 7000; i++) {
		uint64_t v = rng_below(&r, 7);

		CHECK(v < 7);
		seen[v]++;
	}
	for (int i = 0; i < 7; i++)
		CHECK(seen[i] > 850 && seen[i] < 1150);
	CHECK(rng_below(&r, 0) == 0 && rng_below(&r, 1) == 0);
}

static void forks_differ_by_name_and_leave_the_parent_alone(void)
{
	struct rng r = { 9 }, a = rng_fork(&r, STR("a")), b = rng_fork(&r, STR("b"));

	CHECK(r.state == 9 && rng_next(&a) != rng_next(&b));
}

int main(void)
{
	RUN(the_numbers_of_a_seed_never_change);
	RUN(below_reaches_every_value_and_none_beyond);
	RUN(forks_differ_by_name_and_leave_the_parent_alone);
	DONE();
}
