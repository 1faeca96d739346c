#include "sketch/features.h"

#include "base/hash.h"
#include "sketch/keywords.h"
#include "sketch/sets.h"
#include "test.h"

static struct features shingles(struct str text, enum piece_kind piece, unsigned size)
{
	struct features f = { 0 };

	features_of(&(struct document){ .text = text },
		    &(struct feature_options){ .piece = piece, .size = size }, &f);
	return f;
}

static void the_seeds_example_resembles_three_sevenths(void)
{
	struct features a = shingles(STR("Hello friends! This is my personal website."),
				     PIECE_SPACED, 3);
	struct features b = shingles(STR("Hello world! This is my personal website."),
				     PIECE_SPACED, 3);
	struct overlap o = features_overlap(&a, &b);

	CHECK(a.n == 5 && b.n == 5);
	CHECK(o.shared == 3 && o.only_a == 2 && o.only_b == 2);
	CHECK(overlap_jaccard(o) == 3.0 / 7.0);
	CHECK(overlap_containment(o) == 3.0 / 5.0);
	features_release(&a);
	features_release(&b);
}

static void broders_rose_has_three_shingles(void)
{
	struct features f = shingles(STR("a rose is a rose is a rose"), PIECE_WORDS, 4);

	CHECK(f.n == 3);
	features_release(&f);
}

static void a_short_text_is_one_shingle_and_an_empty_one_none(void)
{
	struct features two = shingles(STR("two words"), PIECE_WORDS, 5);
	struct features none = shingles(STR(" ... "), PIECE_WORDS, 5);

	CHECK(two.n == 1 && none.n == 0);
	CHECK(overlap_jaccard(features_overlap(&none, &none)) == 0);
	features_release(&two);
}

static void resemblance_is_symmetric_and_one_to_itself(void)
{
	struct features a = shingles(STR("the quick brown fox jumps"), PIECE_CHARS, 4);
	struct features b = shingles(STR("the quick red fox jumped"), PIECE_CHARS, 4);
	double ab = overlap_jaccard(features_overlap(&a, &b));

	CHECK(ab > 0 && ab < 1 && ab == overlap_jaccard(features_overlap(&b, &a)));
	CHECK(overlap_jaccard(features_overlap(&a, &a)) == 1);
	CHECK(features_weighted_jaccard(&a, &b) == ab);
	features_release(&a);
	features_release(&b);
}

static void weights_are_counts_and_rarity(void)
{
	struct document doc = { .text = STR("apple apple pear") };
	struct feature_options how = { .piece = PIECE_WORDS,
				       .size = 1,
				       .weight = WEIGHT_TF };
	struct features f = { 0 };
	struct idf idf = { 0 };
	cleanup(buf_release) struct buf bytes = { 0 };
	struct idf again = { 0 };

	features_of(&doc, &how, &f);
	CHECK(f.n == 2 && f.v[0].weight + f.v[1].weight == 3);
	idf_add(&idf, &f);
	features_of(&(struct document){ .text = STR("apple") }, &how, &f);
	idf_add(&idf, &f);
	how.weight = WEIGHT_IDF;
	how.idf = &idf;
	features_of(&(struct document){ .text = STR("apple") }, &how, &f);
	double common = f.v[0].weight;
	features_of(&(struct document){ .text = STR("pear") }, &how, &f);
	CHECK(common == 1 && f.v[0].weight > common);
	idf_encode(&idf, &bytes);
	CHECK(idf_decode(buf_str(&bytes), &again) == ST_OK);
	CHECK(again.documents == 2 && idf_of(&again, f.v[0].hash) == f.v[0].weight);
	bytes.p[9] ^= 1;
	CHECK(idf_decode(buf_str(&bytes), &again) == ST_CORRUPT);
	features_release(&f);
	idf_release(&idf);
	idf_release(&again);
}

static void kinds_of_features_never_meet(void)
{
	struct str one = STR("x");
	uint64_t path = hash64(one);
	struct document doc = { .links = &one,
				.n_links = 1,
				.anchors = &one,
				.n_anchors = 1,
				.metadata = &one,
				.n_metadata = 1,
				.tag_paths = &path,
				.n_tag_paths = 1,
				.text = one };
	uint64_t seen[FEATURE_TAGS + 1];

	for (int k = 0; k <= FEATURE_TAGS; k++) {
		struct features f = { 0 };

		features_of(&doc,
			    &(struct feature_options){ .kind = (enum feature_kind)k,
						       .piece = PIECE_WORDS,
						       .size = 1 },
			    &f);
		CHECK(f.n == 1);
		seen[k] = f.v[0].hash;
		for (int j = 0; j < k; j++)
			CHECK(seen[j] != seen[k]);
		features_release(&f);
	}
}

static void keywords_are_stemmed_counted_and_free_of_stop_words(void)
{
	struct keywords k = { 0 };

	keywords_of(STR("The connection was connected, and it connects. Cats are "
			"nice; the cat."),
		    STR("en"), &k);
	CHECK(k.n == 3);
	CHECK(str_eq(k.v[0].word, STR("connect")) && k.v[0].count == 3);
	CHECK(str_eq(k.v[1].word, STR("cat")) && k.v[1].count == 2);
	CHECK(str_eq(k.v[2].word, STR("nice")) && k.v[2].count == 1);
	keywords_of(STR("the the unknown"), STR("xx"), &k);
	CHECK(k.n == 2 && str_eq(k.v[0].word, STR("the")));
	keywords_release(&k);
}

/* More words than are remembered, met again in the next text and in another language. */
static void keywords_of_one_text_know_nothing_of_another(void)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct keywords k = { 0 };

	for (unsigned i = 0; i < 40000; i++)
		buf_addf(&text, "%s%u ", i % 3 ? "running" : "the", i);
	buf_add(&text, STR("connection connected the the"));
	for (int turn = 0; turn < 3; turn++) {
		struct str language = turn == 1 ? STR("de") : STR("en");

		keywords_of(buf_str(&text), language, &k);
		CHECK(k.n == (turn == 1 ? 40003u : 40001u));
		CHECK(str_eq(k.v[0].word, turn == 1 ? STR("the") : STR("connect")) &&
		      k.v[0].count == 2);
		for (size_t i = 2; i + 2 < k.n; i++)
			CHECK(str_cmp(k.v[i].word, k.v[i + 1].word) < 0 ||
			      k.v[i].count > k.v[i + 1].count);
	}
	keywords_release(&k);
}

int main(void)
{
	RUN(the_seeds_example_resembles_three_sevenths);
	RUN(broders_rose_has_three_shingles);
	RUN(a_short_text_is_one_shingle_and_an_empty_one_none);
	RUN(resemblance_is_symmetric_and_one_to_itself);
	RUN(weights_are_counts_and_rarity);
	RUN(kinds_of_features_never_meet);
	RUN(keywords_are_stemmed_counted_and_free_of_stop_words);
	RUN(keywords_of_one_text_know_nothing_of_another);
	DONE();
}
