#include "base/rng.h"
#include "base/sort.h"
#include "test.h"

#define N 5000

static void any_size_and_any_width_comes_out_sorted(void)
{
	static uint64_t v[N], scratch[N];
	struct rng r = { 5 };

	for (size_t n = 0; n <= N; n = n * 3 + 1)
		for (unsigned shift = 0; shift < 64; shift += 9) {
			uint64_t sum = 0, after = 0;

			for (size_t i = 0; i < n; i++)
				sum += v[i] = rng_next(&r) >> shift;
			sort_u64(v, scratch, n);
			for (size_t i = 0; i < n; i++) {
				after += v[i];
				CHECK(i == 0 || v[i - 1] <= v[i]);
			}
			CHECK(sum == after);
		}
}

static void pairs_of_equal_keys_keep_their_order(void)
{
	static struct sort_pair v[N], scratch[N];
	struct rng r = { 6 };

	for (size_t n = 40; n <= N; n += 1240) {
		for (size_t i = 0; i < n; i++)
			v[i] = (struct sort_pair){ rng_below(&r, 50) << 40, i };
		sort_pairs(v, scratch, n);
		for (size_t i = 1; i < n; i++)
			CHECK(v[i - 1].key < v[i].key ||
			      (v[i - 1].key == v[i].key && v[i - 1].value < v[i].value));
	}
}

int main(void)
{
	RUN(any_size_and_any_width_comes_out_sorted);
	RUN(pairs_of_equal_keys_keep_their_order);
	DONE();
}
