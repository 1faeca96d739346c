#include "sketch/minhash.h"

#include <math.h>

#include "base/rng.h"
#include "sketch/sets.h"
#include "test.h"

/* Two sets of `n` features, of which `shared` are common. */
static void make(struct features *a, struct features *b, size_t n, size_t shared,
		 uint64_t seed)
{
	struct rng r = { seed };

	features_reset(a);
	features_reset(b);
	for (size_t i = 0; i < n; i++) {
		uint64_t h = rng_next(&r);

		features_add(a, h, 1);
		features_add(b, i < shared ? h : rng_next(&r), 1);
	}
	features_finish(a, WEIGHT_SET, NULL);
	features_finish(b, WEIGHT_SET, NULL);
}

static void both_sketches_estimate_jaccard(void)
{
	struct features a = { 0 }, b = { 0 };
	double oph = 0, classic = 0, exact = 0;
	unsigned rounds = 60;

	for (unsigned i = 0; i < rounds; i++) {
		uint32_t x[OPH_SLOTS], y[OPH_SLOTS];

		make(&a, &b, i % 2 ? 60 : 900, i % 2 ? 40 : 600, i);
		exact += overlap_jaccard(features_overlap(&a, &b));
		oph_of(&a, x);
		oph_of(&b, y);
		oph += oph_equal(x, y) / (double)OPH_SLOTS;
		minhash_classic(&a, x, OPH_SLOTS);
		minhash_classic(&b, y, OPH_SLOTS);
		classic += oph_equal(x, y) / (double)OPH_SLOTS;
	}
	/* The mean of 60 estimates lies within 4 standard errors (0.043 / 60^0.5). */
	CHECK(fabs(oph - exact) / rounds < 0.025);
	CHECK(fabs(classic - exact) / rounds < 0.025);
	features_release(&a);
	features_release(&b);
}

static void the_order_of_features_does_not_matter(void)
{
	uint32_t x[OPH_SLOTS], y[OPH_SLOTS];

	oph_init(x);
	oph_init(y);
	for (uint64_t i = 0; i < 50; i++) {
		oph_add(x, hash_mix(i));
		oph_add(y, hash_mix(49 - i));
	}
	CHECK(oph_densify(x) && oph_densify(y));
	CHECK(oph_equal(x, y) == OPH_SLOTS);
	for (unsigned i = 0; i < OPH_SLOTS; i++)
		CHECK(x[i] != OPH_EMPTY);
}

static void an_empty_set_has_no_sketch(void)
{
	uint32_t x[OPH_SLOTS];

	oph_init(x);
	CHECK(!oph_densify(x));
	CHECK(x[0] == OPH_EMPTY);
}

/* In 64 bits the product wraps; the right answer by Python: (a * x + b) % (2**61 - 1). */
static void the_permutation_does_not_wrap(void)
{
	uint64_t p = (UINT64_C(1) << 61) - 1;

	CHECK(minhash_permute(p - 1, p - 1, p - 1) == 0);
	CHECK(minhash_permute(UINT64_C(0x123456789abcdef), UINT64_C(0xfedcba987654321),
			      99) == UINT64_C(0x2b46a89551204d3));
	CHECK(minhash_permute(UINT64_MAX, 1, 0) == 7);
}

static void the_fast_sketch_estimates_jaccard_and_equals_its_twin(void)
{
	struct features a = { 0 }, b = { 0 };
	double fast = 0, exact = 0;

	for (unsigned i = 0; i < 60; i++) {
		uint32_t x[OPH_SLOTS], y[OPH_SLOTS], plain[OPH_SLOTS];
		uint64_t p[900], q[900];

		make(&a, &b, i % 2 ? 60 : 900, i % 2 ? 40 : 600, i);
		for (size_t k = 0; k < a.n; k++) {
			p[k] = a.v[k].hash;
			q[k] = b.v[k].hash;
		}
		exact += overlap_jaccard(features_overlap(&a, &b));
		minhash_of(p, a.n, x);
		minhash_of(q, b.n, y);
		minhash_of_scalar(p, a.n, plain);
		CHECK(oph_equal(x, plain) == OPH_SLOTS);
		fast += oph_equal(x, y) / (double)OPH_SLOTS;
	}
	CHECK(fabs(fast - exact) / 60 < 0.025);
	features_release(&a);
	features_release(&b);
}

int main(void)
{
	RUN(both_sketches_estimate_jaccard);
	RUN(the_order_of_features_does_not_matter);
	RUN(the_fast_sketch_estimates_jaccard_and_equals_its_twin);
	RUN(an_empty_set_has_no_sketch);
	RUN(the_permutation_does_not_wrap);
	DONE();
}
