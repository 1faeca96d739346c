#include <math.h>

#include "sketch/page_sketch.h"
#include "test.h"

static struct near_evidence pair(uint32_t shared, uint32_t only_a, uint32_t only_b)
{
	struct overlap o = { shared, only_a, only_b };

	return (struct near_evidence){ .content = o, .whole = o };
}

static double probability(uint32_t shared, uint32_t only_a, uint32_t only_b)
{
	struct near_evidence e = pair(shared, only_a, only_b);

	return near_probability(&e, NULL);
}

static void longer_pairs_must_resemble_more(void)
{
	CHECK(near_needed(1000, 0.5) < near_needed(10000, 0.5));
	CHECK(near_needed(1000, 0.5) < near_needed(100000, 0.5));
	CHECK(probability(50, 25, 25) > probability(5000, 2500, 2500));
}

static void very_short_pairs_must_resemble_more_too(void)
{
	CHECK(near_needed(8, 0.5) > near_needed(64, 0.5));
	CHECK(probability(6, 1, 1) < probability(60, 10, 10));
}

static void what_is_needed_is_just_enough(void)
{
	for (double shingles = 100; shingles < 1e6; shingles *= 10)
		for (double p = 0.1; p < 0.95; p += 0.2) {
			double shared = near_needed(shingles, p) * shingles;
			double rest = (shingles - shared) / 2;

			CHECK(probability((uint32_t)(shared * 1.1), (uint32_t)rest,
					  (uint32_t)rest) > p);
			CHECK(probability((uint32_t)(shared * 0.9), (uint32_t)rest,
					  (uint32_t)rest) < p);
		}
}

static void long_passages_that_both_replaced_count_against_the_pair(void)
{
	struct near_evidence e = pair(600, 200, 200);
	double scattered = near_probability(&e, NULL);

	e.replaced_a = 190;
	CHECK(near_probability(&e, NULL) == scattered); /* an insertion is none */
	e.replaced_b = 100; /* of 800: an eighth may be written anew */
	CHECK(near_probability(&e, NULL) == scattered);
	e.replaced_b = 145; /* 18 % */
	double doubted = near_probability(&e, NULL);
	CHECK(doubted < scattered);
	e.replaced_b = 170;
	CHECK(near_probability(&e, NULL) < doubted && near_probability(&e, NULL) < 0.5);
}

/* `n` words from `first` on; `other` makes them other words. */
static void add_words(struct buf *to, size_t first, size_t n, const char *other)
{
	for (size_t i = 0; i < n; i++)
		buf_addf(to, "%s%zu ", other, first + i);
}

static struct near_evidence compare(struct buf *a, struct buf *b)
{
	struct page_sketch x = { 0 }, y = { 0 };
	struct near_evidence e;

	page_sketch_make(buf_str(a), &x);
	page_sketch_make(buf_str(b), &y);
	page_sketch_compare(&x, &y, NULL, &e);
	page_sketch_release(&x);
	page_sketch_release(&y);
	return e;
}

/* Two pages with one frame: 60 words of content between 140 words of frame. */
static void one_frame_around_other_content_is_not_near(void)
{
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 };

	add_words(&a, 0, 70, "f");
	add_words(&b, 0, 70, "f");
	add_words(&a, 0, 60, "a");
	add_words(&b, 0, 60, "b");
	add_words(&a, 70, 70, "f");
	add_words(&b, 70, 70, "f");
	struct near_evidence e = compare(&a, &b);

	CHECK(e.replaced_a == 60 && e.replaced_b == 60);
	CHECK(near_probability(&e, NULL) < 0.1);
}

/* As many words differ, but one here and there: that is a text with edits. */
static void passages_below_forty_words_are_not_long(void)
{
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 };

	for (size_t i = 0; i < 6; i++) {
		add_words(&a, i * 100, 100, "f");
		add_words(&b, i * 100, 100, "f");
		add_words(&a, i * 100, 39, "a");
		add_words(&b, i * 100, 39, "b");
	}
	struct near_evidence e = compare(&a, &b);

	CHECK(e.passage_a == 43 && e.replaced_a == 0 && e.replaced_b == 0);
}

static void without_content_nothing_is_near(void)
{
	CHECK(probability(3, 0, 0) == 0);
	CHECK(probability(0, 0, 0) == 0);
	CHECK(probability(NEAR_MIN_SHINGLES, 0, 0) > 0.5);
}

static void the_terms_add_up_to_the_log_odds(void)
{
	struct near_evidence e = pair(400, 100, 120);
	double terms[NEAR_TERMS], sum = 0;
	double p = near_probability(&e, terms);

	for (size_t i = 0; i < NEAR_TERMS; i++)
		sum += terms[i];
	CHECK(fabs(sum - log(p / (1 - p))) < 1e-9);
}

#define FRAME                                                                   \
	"this page is part of the site of the society and all of its text may " \
	"be used by anybody who names us "

static void common_shingles_are_left_out_of_the_content(void)
{
	struct page_sketch a = { 0 }, b = { 0 }, frame = { 0 };
	cleanup(shingle_set_release) struct shingle_set common = { 0 };
	struct near_evidence e;

	page_sketch_make(STR(FRAME), &frame);
	for (size_t i = 0; i < frame.n_set; i++)
		shingle_set_add(&common, frame.set[i]);
	page_sketch_make(STR(FRAME "apples grow on trees in the north of the country"),
			 &a);
	page_sketch_make(STR(FRAME "ships carry coal along the river to the town"), &b);
	page_sketch_compare(&a, &b, NULL, &e);
	CHECK(e.content.shared == frame.n_set && e.whole.shared == frame.n_set);
	CHECK(e.passage_a == 10 && e.passage_b == 9);
	page_sketch_compare(&a, &b, &common, &e);
	CHECK(e.content.shared == 0 && e.whole.shared == frame.n_set);
	CHECK(near_probability(&e, NULL) < 0.01);
	page_sketch_release(&a);
	page_sketch_release(&b);
	page_sketch_release(&frame);
}

static void passages_survive_the_bytes(void)
{
	struct page_sketch a = { 0 }, b = { 0 }, again = { 0 };
	cleanup(buf_release) struct buf bytes = { 0 };
	struct near_evidence e;

	page_sketch_make(STR(FRAME "one two three four five six"), &a);
	page_sketch_make(STR(FRAME), &b);
	page_sketch_encode(&a, &bytes);
	CHECK(page_sketch_decode(buf_str(&bytes), &again) == ST_OK);
	page_sketch_compare(&again, &b, NULL, &e);
	CHECK(e.passage_a == 6 && e.passage_b == 0);
	page_sketch_release(&a);
	page_sketch_release(&b);
	page_sketch_release(&again);
}

int main(void)
{
	RUN(longer_pairs_must_resemble_more);
	RUN(very_short_pairs_must_resemble_more_too);
	RUN(what_is_needed_is_just_enough);
	RUN(long_passages_that_both_replaced_count_against_the_pair);
	RUN(one_frame_around_other_content_is_not_near);
	RUN(passages_below_forty_words_are_not_long);
	RUN(without_content_nothing_is_near);
	RUN(the_terms_add_up_to_the_log_odds);
	RUN(common_shingles_are_left_out_of_the_content);
	RUN(passages_survive_the_bytes);
	DONE();
}
