#include "sketch/simhash.h"

#include "base/rng.h"
#include "test.h"

static void java_hashes_are_the_seeds(void)
{
	CHECK(java_string_hash(STR("Hellofriends!This")) == 0x6de9e39c);
	CHECK(java_string_hash(STR("friends!Thisis")) == 0x0e2f7094);
	CHECK(java_string_hash(STR("Thisismy")) == 0x4d1dac14);
	CHECK(java_string_hash(STR("ismypersonal")) == 0x3ca0e896);
	CHECK(java_string_hash(STR("mypersonalwebsite.")) == 0xf2a94edf);
	CHECK(java_string_hash(STR("\xf0\x9f\x98\x80")) == 0x1b0d63);
}

/*
 * 01101100101010011110100010010100 is what the seed prints.  For "world" it
 * prints one hash with 31 bits; with the missing bit back the fingerprint is
 * the one below, at distance 10 and not 8.
 */
static void crawlhash_is_the_seeds_worked_example(void)
{
	uint32_t friends = crawlhash32(STR("Hello friends! This is my personal website."),
				       PIECE_SPACED, 3, NULL);
	uint32_t world = crawlhash32(STR("Hello world! This is my personal website."),
				     PIECE_SPACED, 3, NULL);

	CHECK(friends == 0x6ca9e894);
	CHECK(world == 0x772dcc97);
	CHECK(hamming64(friends, world) == 10);
}

/* By hand: the Java hashes of the runs, bit by bit. */
static uint32_t sign_of(const struct str *runs, size_t n)
{
	uint32_t bits = 0;

	for (unsigned b = 0; b < 32; b++) {
		int sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += java_string_hash(runs[i]) >> b & 1 ? 1 : -1;
		bits |= (uint32_t)(sum > 0) << b;
	}
	return bits;
}

static void crawlhash_is_made_of_characters_words_or_sentences(void)
{
	struct str chars[] = { STR("ab"), STR("bc"), STR("c "), STR(" d") };
	struct str words[] = { STR("Abc"), STR("d\xc3\xa9\xf0\x9f\x98\x80!") };
	struct str sentences[] = { STR("one twothree"), STR("threefour five") };
	size_t n;

	CHECK(crawlhash32(STR("Abc d"), PIECE_CHARS, 2, &n) == sign_of(chars, 4) &&
	      n == 4);
	CHECK(crawlhash32(STR("Abc d\xc3\xa9\xf0\x9f\x98\x80!"), PIECE_WORDS, 1, &n) ==
		      sign_of(words, 2) &&
	      n == 2);
	CHECK(crawlhash32(STR("One two. Three. Four five."), PIECE_SENTENCES, 2, &n) ==
		      sign_of(sentences, 2) &&
	      n == 2);
	CHECK(crawlhash32(STR(""), PIECE_CHARS, 2, &n) == 0 && n == 0);
}

static void many_runs_are_counted_without_overflow(void)
{
	cleanup(buf_release) struct buf text = { 0 };

	for (int i = 0; i < 700; i++)
		buf_add(&text, STR("same "));
	CHECK(crawlhash32(buf_str(&text), PIECE_SPACED, 3, NULL) ==
	      java_string_hash(STR("samesamesame")));
}

static void a_bit_is_the_sign_of_its_weights_and_a_tie_is_zero(void)
{
	struct features f = { 0 };

	features_add(&f, 0x5, 1);
	features_add(&f, 0x6, 1);
	CHECK(simhash64(&f) == 0x4);
	features_add(&f, 0x1, 0.5);
	CHECK(simhash64(&f) == 0x5); /* bit 0 ties no more */
	features_release(&f);
	CHECK(simhash64(&f) == 0);
}

static void half_of_the_bits_differ_for_strangers_and_few_for_neighbours(void)
{
	struct features a = { 0 }, b = { 0 }, c = { 0 };
	struct rng r = { 7 };

	for (int i = 0; i < 1000; i++) {
		uint64_t h = rng_next(&r);

		features_add(&a, h, 1);
		features_add(&b, i < 20 ? rng_next(&r) : h, 1);
		features_add(&c, rng_next(&r), 1);
	}
	CHECK(hamming64(simhash64(&a), simhash64(&b)) < 12);
	CHECK(hamming64(simhash64(&a), simhash64(&c)) > 18);
	CHECK(hamming128(simhash128(&a), simhash128(&b)) < 24);
	CHECK(hamming128(simhash128(&a), simhash128(&c)) > 40);
	CHECK(hamming128(simhash128(&a), simhash128(&a)) == 0);
	CHECK(simhash128(&a).lo == simhash64(&a) &&
	      simhash32(&a) == (uint32_t)simhash64(&a));
	features_release(&a);
	features_release(&b);
	features_release(&c);
}

/* Words of every length, with letters beyond ASCII and control characters in some. */
static void crawlhash_of_any_words_is_that_by_hand(void)
{
	struct rng r = { 7 };

	for (size_t n = 1; n < 90; n++) {
		cleanup(buf_release) struct buf text = { 0 };
		size_t ends[90], begins[90], found;
		struct str words[90];

		for (size_t i = 0; i < n; i++) {
			size_t length = 1 + rng_below(&r, 20);

			begins[i] = text.n;
			for (size_t k = 0; k < length; k++)
				buf_add(&text, rng_below(&r, 200) == 0 ? STR("\xc3\xa9")
					       : rng_below(&r, 200) == 0
						       ? STR("\x01")
						       : str_slice(STR("abcdefghijkl"),
								   k % 12, k % 12 + 1));
			ends[i] = text.n;
			buf_add(&text, rng_below(&r, 2) ? STR(" ") : STR("\n"));
		}
		for (size_t i = 0; i < n; i++)
			words[i] = str_slice(buf_str(&text), begins[i], ends[i]);
		CHECK(crawlhash32(buf_str(&text), PIECE_SPACED, 1, &found) ==
		      sign_of(words, n));
		CHECK(found == n);
	}
}

int main(void)
{
	RUN(java_hashes_are_the_seeds);
	RUN(crawlhash_is_the_seeds_worked_example);
	RUN(crawlhash_is_made_of_characters_words_or_sentences);
	RUN(crawlhash_of_any_words_is_that_by_hand);
	RUN(many_runs_are_counted_without_overflow);
	RUN(a_bit_is_the_sign_of_its_weights_and_a_tie_is_zero);
	RUN(half_of_the_bits_differ_for_strangers_and_few_for_neighbours);
	DONE();
}
