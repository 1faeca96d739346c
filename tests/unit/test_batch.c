#include "dup/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "os/file.h"
#include "test.h"

static struct diag why;
static char dir[64];

static void fresh_dir(void)
{
	snprintf(dir, sizeof(dir), "/tmp/test_batch.XXXXXX");
	if (!mkdtemp(dir))
		abort();
}

static struct batch_options how(const char *method)
{
	const struct method *m = method_find(str_from(method));

	return (struct batch_options){ .dir = dir,
				       .method = m,
				       .threshold = m->threshold };
}

/* Family `i / 4`: an original, an exact copy set otherwise, a near one, a stranger. */
static void text_of(uint64_t i, struct buf *to)
{
	struct rng family = { i / 4 }, own = { 1000000 + i };
	size_t changed = i % 4 == 2 ? 20 : i % 4 == 3 ? 300 : 0;

	buf_reset(to);
	for (size_t k = 0; k < 300; k++)
		buf_addf(
			to, i % 4 == 1 ? "W%u,\n" : "w%u ",
			(unsigned)rng_below(k + changed >= 300 ? &own : &family, 100000));
}

static enum status add(struct batch *b, uint64_t i)
{
	cleanup(buf_release) struct buf text = { 0 };
	char name[32];

	text_of(i, &text);
	snprintf(name, sizeof(name), "doc-%u", (unsigned)i);
	struct document parts = { .text = buf_str(&text) };
	return batch_add(b,
			 &(struct batch_doc){ .name = str_from(name),
					      .length = text.n,
					      .parts = &parts },
			 &why);
}

static bool families_are_right(const struct batch *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		const struct batch_result *r = &b->results[i];
		uint32_t first = i - i % 4;

		if (i % 4 == 0 && (r->kind != BATCH_KEPT || r->size != 3))
			return false;
		if (i % 4 == 1 && (r->kind != BATCH_EXACT || r->representative != first))
			return false;
		if (i % 4 == 2 && (r->kind != BATCH_NEAR || r->representative != first))
			return false;
		if (i % 4 == 3 && (r->kind != BATCH_KEPT || r->size != 1))
			return false;
	}
	return true;
}

static void planted_families_are_found_and_nothing_else(void)
{
	struct batch b;
	struct batch_options o = how("resemblance");

	fresh_dir();
	o.memory_bytes = 1 << 16; /* everything spills */
	CHECK(batch_open(&b, &o, &why) == ST_OK);
	for (uint64_t i = 0; i < 400; i++)
		CHECK(add(&b, i) == ST_OK);
	CHECK(batch_run(&b, &why) == ST_OK);
	CHECK(families_are_right(&b));
	CHECK(b.n_pairs == 100);
	struct near_evidence e;
	CHECK(batch_compare(&b, 2, 0, &e, &why) == ST_OK);
	CHECK(e.whole.shared == 276 && e.whole.only_a == 20 && e.whole.only_b == 20);
	CHECK(e.passage_a == 20 && e.passage_b == 20);
	CHECK(batch_remove(&b, &why) == ST_OK);
	batch_release(&b);
}

/* A template of 100 words around 20 of its own; every fifth is the one before it with a
 * word changed. */
static void framed_text(uint64_t i, struct buf *to)
{
	struct rng frame = { 7 }, own = { 5000 + i - (i % 5 == 4) };

	buf_reset(to);
	for (size_t k = 0; k < 60; k++)
		buf_addf(to, "f%u ", (unsigned)rng_below(&frame, 100000));
	for (size_t k = 0; k < 20; k++) {
		unsigned word = (unsigned)rng_below(&own, 100000);

		buf_addf(to, "o%u ", i % 5 == 4 && k == 3 ? 999999 : word);
	}
	for (size_t k = 0; k < 40; k++)
		buf_addf(to, "f%u ", (unsigned)rng_below(&frame, 100000));
}

static void other_content_in_one_template_is_kept_and_copies_are_found(void)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct batch_options o = how("resemblance");
	struct batch b;

	fresh_dir();
	CHECK(batch_open(&b, &o, &why) == ST_OK);
	for (uint64_t i = 0; i < 100; i++) {
		framed_text(i, &text);
		struct document parts = { .text = buf_str(&text) };
		CHECK(batch_add(&b,
				&(struct batch_doc){ .name = STR("x"), .parts = &parts },
				&why) == ST_OK);
	}
	CHECK(batch_run(&b, &why) == ST_OK);
	for (uint32_t i = 0; i < 100; i++)
		CHECK(b.results[i].kind == (i % 5 == 4 ? BATCH_NEAR : BATCH_KEPT) &&
		      b.results[i].representative == i - (i % 5 == 4));
	CHECK(batch_remove(&b, &why) == ST_OK);
	batch_release(&b);
}

/* Fifty copies of one text, each with other words changed, are no template. */
static void copies_of_one_text_are_no_template(void)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct batch_options o = how("resemblance");
	size_t kept = 0;
	struct batch b;

	fresh_dir();
	CHECK(batch_open(&b, &o, &why) == ST_OK);
	for (uint64_t i = 0; i < 50; i++) {
		struct rng words = { 9 };

		buf_reset(&text);
		for (size_t k = 0; k < 200; k++) {
			unsigned word = (unsigned)rng_below(&words, 100000);

			buf_addf(&text, "w%u ",
				 k == 4 * i % 200 ? 200000 + (unsigned)i : word);
		}
		struct document parts = { .text = buf_str(&text) };
		CHECK(batch_add(&b,
				&(struct batch_doc){ .name = STR("x"), .parts = &parts },
				&why) == ST_OK);
	}
	CHECK(batch_run(&b, &why) == ST_OK);
	for (size_t i = 0; i < 50; i++)
		kept += b.results[i].kind == BATCH_KEPT;
	CHECK(kept == 1);
	CHECK(batch_remove(&b, &why) == ST_OK);
	batch_release(&b);
}

static void an_interrupted_run_goes_on(void)
{
	struct batch b;
	struct batch_options o = how("resemblance");

	fresh_dir();
	for (int part = 0; part < 4; part++) {
		CHECK(batch_open(&b, &o, &why) == ST_OK);
		CHECK(batch_count(&b) == (size_t)part * 50);
		for (uint64_t i = batch_count(&b); i < (uint64_t)(part + 1) * 50; i++)
			CHECK(add(&b, i) == ST_OK);
		if (part < 3) {
			CHECK(batch_sync(&b, &why) == ST_OK);
			batch_release(&b);
		}
	}
	CHECK(batch_run(&b, &why) == ST_OK);
	CHECK(families_are_right(&b));
	batch_release(&b);
	o = how("simhash64");
	CHECK(batch_open(&b, &o, &why) == ST_EXISTS);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static enum status cancel(void *arg, const char *stage, uint64_t done, uint64_t total,
			  struct diag *ret)
{
	(void)stage, (void)done, (void)total, (void)ret;
	++*(int *)arg;
	return ST_CANCELLED;
}

static void comparing_can_be_interrupted_too(void)
{
	struct batch b;
	struct batch_options o = how("resemblance");
	int ticks = 0;

	fresh_dir();
	o.tick = cancel;
	o.tick_arg = &ticks;
	CHECK(batch_open(&b, &o, &why) == ST_OK);
	for (uint64_t i = 0; i < 400; i++)
		CHECK(add(&b, i) == ST_OK);
	CHECK(batch_run(&b, &why) == ST_CANCELLED && ticks == 1);
	CHECK(batch_sync(&b, &why) == ST_OK);
	batch_release(&b);
	o.tick = NULL;
	CHECK(batch_open(&b, &o, &why) == ST_OK && batch_count(&b) == 400);
	CHECK(batch_run(&b, &why) == ST_OK && families_are_right(&b));
	CHECK(batch_remove(&b, &why) == ST_OK);
	batch_release(&b);
}

static enum status flush(void *arg, const char *stage, uint64_t done, uint64_t total,
			 struct diag *ret)
{
	(void)done, (void)total;
	return strcmp(stage, "verify") == 0 ? batch_flush(arg, ret) : ST_OK;
}

/* All share 280 of their 300 words. */
static enum status add_alike(struct batch *b, uint64_t i)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct rng common = { 7 }, own = { 1000000 + i };

	for (size_t k = 0; k < 300; k++)
		buf_addf(&text, "w%u ",
			 (unsigned)rng_below(k < 280 ? &common : &own, 100000));
	struct document parts = { .text = buf_str(&text) };
	return batch_add(b, &(struct batch_doc){ .name = STR("x"), .parts = &parts },
			 &why);
}

static void flushing_while_comparing_changes_nothing(void)
{
	for (unsigned threads = 1; threads <= 3; threads++) {
		struct batch b;
		struct batch_options o = how("oph");

		fresh_dir();
		o.threads = threads;
		o.tick = flush;
		o.tick_arg = &b;
		CHECK(batch_open(&b, &o, &why) == ST_OK);
		for (uint64_t i = 0; i < 2200; i++) /* each meets sixteen */
			CHECK(add_alike(&b, i) == ST_OK);
		CHECK(batch_run(&b, &why) == ST_OK);
		CHECK(b.candidates > 32768 && b.log.pending.n == 0);
		CHECK(b.n_pairs == b.candidates && b.results[2199].size == 2200);
		CHECK(batch_remove(&b, &why) == ST_OK);
		batch_release(&b);
	}
}

static void what_was_not_flushed_is_made_again(void)
{
	struct batch b;
	struct batch_options o = how("resemblance");

	fresh_dir();
	CHECK(batch_open(&b, &o, &why) == ST_OK);
	CHECK(add(&b, 0) == ST_OK && batch_flush(&b, &why) == ST_OK);
	CHECK(add(&b, 1) == ST_OK);
	batch_release(&b);
	CHECK(batch_open(&b, &o, &why) == ST_OK && batch_count(&b) == 1);
	CHECK(batch_remove(&b, &why) == ST_OK);
	batch_release(&b);
}

static void every_text_method_finds_the_exact_copies(void)
{
	for (const struct method *m = methods; m->name; m++) {
		struct batch b;
		struct batch_options o = how(m->name);

		if (m->features.kind == FEATURE_TAG_PATHS ||
		    m->features.kind == FEATURE_LINKS ||
		    m->features.kind == FEATURE_CLICKABLES ||
		    m->features.kind == FEATURE_WINDOWS ||
		    m->features.kind == FEATURE_SPOTS ||
		    m->features.kind == FEATURE_PICTURE ||
		    m->features.piece == PIECE_SPACED ||
		    str_eq(str_from(m->name), STR("payload-digest")) ||
		    str_eq(str_from(m->name), STR("crawlhash")) ||
		    str_eq(str_from(m->name), STR("textprofile")) ||
		    str_eq(str_from(m->name), STR("i-match")))
			continue; /* these look at spacing, at something else than text,
				     or find no words with digits */
		fresh_dir();
		CHECK(batch_open(&b, &o, &why) == ST_OK);
		for (uint64_t i = 0; i < 40; i++)
			CHECK(add(&b, i) == ST_OK);
		CHECK(batch_run(&b, &why) == ST_OK);
		for (uint32_t i = 0; i < 40; i += 4)
			CHECK(b.results[i + 1].representative ==
			      b.results[i].representative);
		for (uint32_t i = 3; i < 40; i += 4)
			CHECK(b.results[i].kind == BATCH_KEPT);
		CHECK(batch_remove(&b, &why) == ST_OK);
		batch_release(&b);
	}
}

static enum batch_kind kind_of_copy(const char *method)
{
	struct batch_options o = how(method);
	struct batch b;

	fresh_dir();
	if (batch_open(&b, &o, &why) != ST_OK || add(&b, 0) != ST_OK ||
	    add(&b, 1) != ST_OK || batch_run(&b, &why) != ST_OK)
		abort();
	enum batch_kind kind = b.results[1].kind;
	if (batch_remove(&b, &why) != ST_OK)
		abort();
	batch_release(&b);
	return kind;
}

/* Other texts may have the same 64 bits, or the same words in another order. */
static void equal_fingerprints_are_near_and_equal_texts_exact(void)
{
	CHECK(kind_of_copy("resemblance") == BATCH_EXACT);
	CHECK(kind_of_copy("text-digest") == BATCH_EXACT);
	CHECK(kind_of_copy("simhash64") == BATCH_NEAR);
	CHECK(kind_of_copy("weighted") == BATCH_NEAR);
}

static void of_64_bits_no_pair_within_the_distance_is_missed(void)
{
	struct batch_options o = how("simhash64");
	struct batch b;
	size_t near = 0;

	fresh_dir();
	o.threshold = 17; /* so far that there are many */
	CHECK(batch_open(&b, &o, &why) == ST_OK);
	for (uint64_t i = 0; i < 400; i++)
		CHECK(add(&b, i) == ST_OK);
	CHECK(batch_run(&b, &why) == ST_OK);
	for (size_t i = 0; i < b.n_prints; i++)
		for (size_t k = i + 1; k < b.n_prints; k++)
			near += __builtin_popcountll(b.prints[i].print ^
						     b.prints[k].print) <= 17;
	CHECK(b.n_prints == 300 && near > 100 && b.n_pairs == near);
	CHECK(batch_remove(&b, &why) == ST_OK);
	batch_release(&b);
}

static void the_policy_chooses_among_equals(void)
{
	struct batch b;
	struct batch_options o = how("resemblance");

	fresh_dir();
	o.keep = KEEP_LONGEST; /* the copies have two bytes more a word */
	CHECK(batch_open(&b, &o, &why) == ST_OK);
	for (uint64_t i = 0; i < 40; i++)
		CHECK(add(&b, i) == ST_OK);
	CHECK(batch_run(&b, &why) == ST_OK);
	for (uint32_t i = 0; i < 40; i += 4) {
		CHECK(b.results[i + 1].kind == BATCH_KEPT);
		CHECK(b.results[i].representative == i + 1);
		CHECK(b.results[i + 2].representative == i + 1);
	}
	CHECK(batch_remove(&b, &why) == ST_OK);
	batch_release(&b);
}

int main(void)
{
	RUN(planted_families_are_found_and_nothing_else);
	RUN(other_content_in_one_template_is_kept_and_copies_are_found);
	RUN(copies_of_one_text_are_no_template);
	RUN(an_interrupted_run_goes_on);
	RUN(comparing_can_be_interrupted_too);
	RUN(flushing_while_comparing_changes_nothing);
	RUN(what_was_not_flushed_is_made_again);
	RUN(every_text_method_finds_the_exact_copies);
	RUN(equal_fingerprints_are_near_and_equal_texts_exact);
	RUN(of_64_bits_no_pair_within_the_distance_is_missed);
	RUN(the_policy_chooses_among_equals);
	DONE();
}
