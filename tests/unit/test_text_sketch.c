#include "sketch/text_sketch.h"

#include "base/rng.h"
#include "base/utf8.h"
#include "sketch/exact.h"
#include "sketch/simhash.h"
#include "test.h"

/* Text of words, separators and, now and then, everything that is not ASCII. */
static void write_text(struct rng *r, size_t n, double odd, struct buf *to)
{
	static const uint32_t strange[] = {
		0xe9, 0xc9,   0x301,  0x2019, 0x4e2d,  0x0e01,
		0xad, 0x0628, 0x064e, 0xac00, 0x1f600, 0x3000
	};

	buf_reset(to);
	while (to->n < n) {
		uint64_t len = rng_chance(r, 0.01) ? rng_below(r, 200) : rng_below(r, 12);

		for (uint64_t i = 0; i < len; i++) {
			if (rng_chance(r, odd))
				buf_add_utf8(to, strange[rng_below(r, COUNT(strange))]);
			else if (rng_chance(r, odd / 8))
				buf_add_char(to, (char)(0x80 + rng_below(r, 128)));
			else
				buf_add_char(to, "abcdefghijklmnopqrstuvwxyzABCXYZ0189"
						 "[`{@/:"[rng_below(r, 42)]);
		}
		buf_add_char(to, " \n.,-_\t"[rng_below(r, 7)]);
	}
}

static bool equal(const struct text_sketch *a, const struct text_sketch *b)
{
	return u128_eq(a->digest, b->digest) && a->simhash == b->simhash &&
	       oph_equal(a->slots, b->slots) == OPH_SLOTS && a->n_words == b->n_words &&
	       a->n_shingles == b->n_shingles;
}

static void the_kernels_agree_with_each_other_and_with_the_features(void)
{
	cleanup(buf_release) struct buf text = { 0 };
	cleanup(features_release) struct features f = { 0 };
	struct rng r = { 3 };

	for (int round = 0; round < 400; round++) {
		unsigned size = 1 + (unsigned)rng_below(&r, 9);
		double odd = round % 3 == 0 ? 0 : round % 3 == 1 ? 0.01 : 0.3;
		uint32_t slots[OPH_SLOTS];
		struct text_sketch a, b;
		size_t n;

		write_text(&r, rng_below(&r, round % 10 ? 900 : 30000), odd, &text);
		text_sketch_scalar(buf_str(&text), size, &a, NULL);
		if (text_sketch_has_avx2()) {
			text_sketch_avx2(buf_str(&text), size, &b, NULL);
			CHECK(equal(&a, &b));
		}
		features_reset(&f);
		CHECK(features_add_shingles(&f, buf_str(&text), PIECE_WORDS, size) ==
		      a.n_words);
		CHECK(f.n == a.n_shingles);
		features_finish(&f, WEIGHT_TF, NULL);
		CHECK(simhash64(&f) == a.simhash);
		oph_of(&f, slots);
		text_sketch(buf_str(&text), size, &b, NULL);
		CHECK(oph_equal(slots, b.slots) == OPH_SLOTS);
		CHECK(text_simhash(buf_str(&text), size) == a.simhash);
		CHECK(u128_eq(text_digest(buf_str(&text), &n), a.digest) &&
		      n == a.n_words);
	}
}

static void every_length_and_offset_of_a_block_border(void)
{
	struct text_sketch a, b;
	char text[200];

	for (size_t n = 0; n < 150; n++)
		for (size_t gap = 0; gap < n && gap < 70; gap++) {
			memset(text, 'x', sizeof(text));
			text[gap] = ' ';
			text_sketch_scalar((struct str){ text, n }, 2, &a, NULL);
			if (!text_sketch_has_avx2())
				return;
			text_sketch_avx2((struct str){ text, n }, 2, &b, NULL);
			CHECK(equal(&a, &b));
		}
}

/* As many words as fit, and words longer than the kernel takes at once. */
static void short_and_endless_words_agree_too(void)
{
	static char text[9000];
	struct text_sketch a, b;

	for (size_t every = 2; every < 5000; every = every * 3 / 2) {
		for (size_t i = 0; i < sizeof(text); i++)
			text[i] = i % every == every - 1 ? ' ' : (char)('a' + i % 26);
		for (size_t n = sizeof(text) - 70; n < sizeof(text); n += 23) {
			text_sketch_scalar((struct str){ text, n }, 5, &a, NULL);
			if (!text_sketch_has_avx2())
				return;
			text_sketch_avx2((struct str){ text, n }, 5, &b, NULL);
			CHECK(equal(&a, &b));
		}
	}
}

static void an_empty_text_has_no_shingle(void)
{
	struct text_sketch s;

	text_sketch(STR(" \n"), 5, &s, NULL);
	CHECK(s.n_words == 0 && s.n_shingles == 0 && s.simhash == 0);
	CHECK(s.slots[0] == OPH_EMPTY);
	text_sketch(STR("two words"), 5, &s, NULL);
	CHECK(s.n_words == 2 && s.n_shingles == 1);
}

static void shingles_are_listed_in_order(void)
{
	cleanup(hash_list_release) struct hash_list l = { 0 };
	struct features f = { 0 };
	struct text_sketch s;

	text_sketch(STR("a b c d e f"), 2, &s, &l);
	features_add_shingles(&f, STR("a b c d e f"), PIECE_WORDS, 2);
	CHECK(l.n == 5 && f.n == 5);
	for (size_t i = 0; i < 5; i++)
		CHECK(l.v[i] == f.v[i].hash);
	features_release(&f);
}

int main(void)
{
	RUN(the_kernels_agree_with_each_other_and_with_the_features);
	RUN(every_length_and_offset_of_a_block_border);
	RUN(short_and_endless_words_agree_too);
	RUN(an_empty_text_has_no_shingle);
	RUN(shingles_are_listed_in_order);
	DONE();
}
