#include "sketch/page_sketch.h"

#include <math.h>

#include "base/rng.h"
#include "sketch/bands.h"
#include "test.h"

static void write_words(struct rng *r, size_t n, struct buf *to)
{
	for (size_t i = 0; i < n; i++)
		buf_addf(to, "w%u ", (unsigned)rng_below(r, 1000000));
}

/* `n` words, of which the first `shared` are the same in both. */
static void make_pair(uint64_t seed, size_t n, size_t shared, struct page_sketch *a,
		      struct page_sketch *b)
{
	cleanup(buf_release) struct buf x = { 0 }, y = { 0 };
	struct rng r = { seed };

	write_words(&r, shared, &x);
	buf_add(&y, buf_str(&x));
	write_words(&r, n - shared, &x);
	write_words(&r, n - shared, &y);
	page_sketch_make(buf_str(&x), a);
	page_sketch_make(buf_str(&y), b);
}

static void short_documents_are_compared_exactly(void)
{
	struct page_sketch a = { 0 }, b = { 0 };

	make_pair(1, 1000, 504, &a, &b);
	struct overlap o = page_sketch_overlap(&a, &b);
	CHECK(a.thin == 0 && a.n_set == 996);
	CHECK(o.shared == 500 && o.only_a == 496 && o.only_b == 496);
	CHECK(page_sketch_comparable(&a.text, &b.text));
	page_sketch_release(&a);
	page_sketch_release(&b);
}

static void slots_spare_the_far_and_never_the_near(void)
{
	struct page_sketch a = { 0 }, b = { 0 };
	unsigned spared = 0;

	for (uint64_t seed = 0; seed < 300; seed++) {
		/* Resemblance of one half and more. */
		size_t n = 400 + 10 * seed, same = 2 * n / 3 + 10;
		make_pair(seed, n, same, &a, &b);
		CHECK(!page_sketch_too_far(&a.text, &b.text, 0.5));
		make_pair(seed, n, n / 4, &a, &b); /* a seventh */
		spared += page_sketch_too_far(&a.text, &b.text, 0.5);
	}
	CHECK(spared > 295);
	make_pair(1, 200, 10, &a, &b); /* too short to tell */
	CHECK(!page_sketch_too_far(&a.text, &b.text, 0.5));
	page_sketch_release(&a);
	page_sketch_release(&b);
}

static void long_documents_within_two_standard_errors(void)
{
	struct page_sketch a = { 0 }, b = { 0 };

	for (uint64_t seed = 0; seed < 5; seed++) {
		make_pair(seed, 40000, 30000, &a, &b);
		double j = overlap_jaccard(page_sketch_overlap(&a, &b));
		CHECK(a.thin > 0 && a.n_set <= PAGE_SET_MAX);
		CHECK(fabs(j - 0.6) < 0.05);
	}
	page_sketch_release(&a);
	page_sketch_release(&b);
}

static void sets_of_different_density_meet_at_the_sparser(void)
{
	cleanup(buf_release) struct buf x = { 0 };
	struct page_sketch a = { 0 }, b = { 0 };
	struct rng r = { 5 };

	write_words(&r, 2000, &x);
	page_sketch_make(buf_str(&x), &a);
	write_words(&r, 1000, &x);
	page_sketch_make(buf_str(&x), &b);
	CHECK(a.thin == 0 && b.thin == 1);
	double j = overlap_jaccard(page_sketch_overlap(&a, &b));
	CHECK(fabs(j - 2.0 / 3) < 0.06);
	CHECK(j == overlap_jaccard(page_sketch_overlap(&b, &a)));
	CHECK(overlap_jaccard(page_sketch_overlap(&b, &b)) == 1);
	page_sketch_release(&a);
	page_sketch_release(&b);
}

static void bytes_come_back_and_damage_is_seen(void)
{
	struct page_sketch a = { 0 }, b = { 0 }, c = { 0 };
	cleanup(buf_release) struct buf bytes = { 0 }, again = { 0 };

	make_pair(9, 300, 200, &a, &b);
	a.payload = (struct u128){ 1, 2 };
	page_sketch_encode(&a, &bytes);
	CHECK(page_sketch_decode(buf_str(&bytes), &c) == ST_OK);
	page_sketch_encode(&c, &again);
	CHECK(str_eq(buf_str(&bytes), buf_str(&again)));
	bytes.n--;
	CHECK(page_sketch_decode(buf_str(&bytes), &c) == ST_CORRUPT);
	bytes.n++;
	bytes.p[0]++;
	CHECK(page_sketch_decode(buf_str(&bytes), &c) == ST_CORRUPT);
	page_sketch_release(&a);
	page_sketch_release(&b);
	page_sketch_release(&c);
}

static void the_s_curve_is_what_happens(void)
{
	struct page_sketch a = { 0 }, b = { 0 };
	struct bands how = { 32, 4 };
	unsigned found = 0, rounds = 400;

	for (unsigned i = 0; i < rounds; i++) {
		uint64_t x[32], y[32];
		bool hit = false;

		make_pair(1000 + i, 600, 404, &a, &b); /* 400 of 792: J = 0.505 */
		bands_keys(how, a.text.slots, x);
		bands_keys(how, b.text.slots, y);
		for (unsigned k = 0; k < how.bands; k++)
			hit |= x[k] == y[k];
		found += hit;
	}
	CHECK(fabs(found / (double)rounds - bands_recall(how, 400.0 / 792)) < 0.06);
	page_sketch_release(&a);
	page_sketch_release(&b);
}

static void bands_are_chosen_by_recall(void)
{
	CHECK(fabs(bands_recall(BANDS_DEFAULT, 0.5) - 0.9963) < 1e-3);
	struct bands b = bands_choose(0.8, 0.99);
	CHECK(bands_recall(b, 0.8) >= 0.99 && b.rows == 6);
	b = bands_choose(0.05, 0.999999);
	CHECK(b.rows == 1);
}

int main(void)
{
	RUN(short_documents_are_compared_exactly);
	RUN(slots_spare_the_far_and_never_the_near);
	RUN(long_documents_within_two_standard_errors);
	RUN(sets_of_different_density_meet_at_the_sparser);
	RUN(bytes_come_back_and_damage_is_seen);
	RUN(the_s_curve_is_what_happens);
	RUN(bands_are_chosen_by_recall);
	DONE();
}
