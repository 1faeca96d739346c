#include "dup/index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "os/fault.h"
#include "os/file.h"
#include "sketch/exact.h"
#include "test.h"

static struct page_sketch sketch;
static struct diag why;

static void write_words(struct rng *r, size_t n, struct buf *to)
{
	for (size_t i = 0; i < n; i++)
		buf_addf(to, "w%u ", (unsigned)rng_below(r, 100000));
}

/* Document `family`, with its last words changed by `variant`. */
static struct page_sketch *document(uint64_t family, uint64_t variant, size_t changed)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct rng r = { family }, v = { hash_mix(family) + variant };

	write_words(&r, 300 - changed, &text);
	write_words(&v, changed, &text);
	page_sketch_make(buf_str(&text), &sketch);
	sketch.payload = payload_digest(buf_str(&text));
	return &sketch;
}

static struct stored_doc named(const char *name)
{
	return (struct stored_doc){ .name = str_from(name) };
}

static void new_exact_and_near_with_their_evidence(void)
{
	struct dup_index x;
	struct verdict v;
	uint64_t doc;
	struct stored_doc a = named("http://a/"), b = named("http://b/");

	CHECK(dup_index_open(&x, &(struct dup_index_options){ 0 }, &why) == ST_OK);
	CHECK(dup_index_see(&x, document(1, 0, 0), &a, &v, &doc, &why) == ST_OK);
	CHECK(v.kind == VERDICT_NEW && doc == 0 && v.representative == VERDICT_NO_DOC);
	CHECK(dup_index_see(&x, document(1, 0, 0), &b, &v, &doc, &why) == ST_OK);
	CHECK(v.kind == VERDICT_EXACT && doc == 0 && str_eq(v.method, STR("payload")));
	CHECK(str_eq(v.representative_url, STR("http://a/")));
	CHECK(dup_index_see(&x, document(1, 5, 40), &b, &v, &doc, &why) == ST_OK);
	CHECK(v.kind == VERDICT_NEAR && doc == 1 && v.representative == 0);
	CHECK(v.shared == 256 && v.only_here == 40 && v.only_there == 40);
	CHECK(v.score == 256.0 / 336 && v.threshold < v.score);
	CHECK(dup_index_see(&x, document(2, 0, 0), &b, &v, &doc, &why) == ST_OK);
	CHECK(v.kind == VERDICT_NEW && doc == 2);
	dup_index_release(&x);
}

static void the_same_words_set_otherwise_are_exact(void)
{
	struct dup_index x;
	struct verdict v;
	uint64_t doc;
	struct stored_doc a = named("a");

	CHECK(dup_index_open(&x, &(struct dup_index_options){ 0 }, &why) == ST_OK);
	page_sketch_make(STR("Hello, World!"), &sketch);
	CHECK(dup_index_see(&x, &sketch, &a, &v, &doc, &why) == ST_OK);
	page_sketch_make(STR("hello   world"), &sketch);
	CHECK(dup_index_see(&x, &sketch, &a, &v, &doc, &why) == ST_OK);
	CHECK(v.kind == VERDICT_EXACT && str_eq(v.method, STR("text")));
	dup_index_release(&x);
}

static void empty_pages_are_not_duplicates(void)
{
	struct dup_index x;
	struct verdict v;
	uint64_t doc;
	struct stored_doc a = named("a");

	CHECK(dup_index_open(&x, &(struct dup_index_options){ 0 }, &why) == ST_OK);
	for (int i = 0; i < 3; i++) {
		page_sketch_make(i % 2 ? STR(" ") : STR("..."), &sketch);
		CHECK(dup_index_see(&x, &sketch, &a, &v, &doc, &why) == ST_OK);
		CHECK(v.kind == VERDICT_NEW);
	}
	dup_index_release(&x);
}

/* A is near B and B is near C, but C is not near A: C must stay. */
static void nearness_is_not_handed_on(void)
{
	struct dup_index x;
	struct verdict v;
	uint64_t doc;
	struct stored_doc a = named("a");
	cleanup(buf_release) struct buf text = { 0 };
	struct rng r = { 77 };

	CHECK(dup_index_open(&x, &(struct dup_index_options){ 0 }, &why) == ST_OK);
	write_words(&r, 700, &text);
	for (int i = 0; i < 3; i++) {
		struct str window = buf_str(&text);

		size_t from = window.n * 2 * (size_t)i / 25;
		window = str_slice(window, from, from + window.n * 3 / 5);
		page_sketch_make(window, &sketch);
		CHECK(dup_index_see(&x, &sketch, &a, &v, &doc, &why) == ST_OK);
		CHECK(v.kind == (i == 1 ? VERDICT_NEAR : VERDICT_NEW));
	}
	dup_index_release(&x);
}

static char dir[64];

static void on_disk_it_answers_as_in_memory(void)
{
	struct dup_index disk, memory;
	struct verdict v, w;
	uint64_t doc;
	char name[32];

	snprintf(dir, sizeof(dir), "/tmp/test_dup_index.XXXXXX");
	CHECK(mkdtemp(dir));
	struct dup_index_options how = { .dir = dir, .memory_bytes = 1 << 18 };
	CHECK(dup_index_open(&disk, &how, &why) == ST_OK);
	CHECK(dup_index_open(&memory, &(struct dup_index_options){ 0 }, &why) == ST_OK);
	for (uint64_t i = 0; i < 600; i++) {
		snprintf(name, sizeof(name), "doc %u", (unsigned)i);
		struct stored_doc d = named(name);
		document(i % 400, i, i % 90);
		CHECK(dup_index_see(&disk, &sketch, &d, &v, &doc, &why) == ST_OK);
		CHECK(dup_index_see(&memory, &sketch, &d, &w, &doc, &why) == ST_OK);
		CHECK(v.kind == w.kind && v.representative == w.representative &&
		      v.score == w.score);
		CHECK(str_eq(v.representative_url, w.representative_url));
		if (i % 150 == 149) { /* and closed in between */
			CHECK(dup_index_sync(&disk, NULL, &why) == ST_OK);
			dup_index_release(&disk);
			CHECK(dup_index_open(&disk, &how, &why) == ST_OK);
		}
	}
	dup_index_release(&disk);
	dup_index_release(&memory);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

/* Fail every write from the n-th on; what was synced before is found afterwards. */
/* Names are read with the beginning of a record; this one is longer than that. */
static void a_long_name_changes_nothing(void)
{
	char name[3000];
	struct dup_index x;
	struct verdict v;
	uint64_t doc;

	snprintf(dir, sizeof(dir), "/tmp/test_dup_index.XXXXXX");
	CHECK(mkdtemp(dir));
	memset(name, 'n', sizeof(name));
	struct stored_doc a = { .name = { name, sizeof(name) } }, b = named("b");
	CHECK(dup_index_open(&x, &(struct dup_index_options){ .dir = dir }, &why) ==
	      ST_OK);
	CHECK(dup_index_see(&x, document(1, 0, 0), &a, &v, &doc, &why) == ST_OK);
	for (int synced = 0; synced < 2; synced++) {
		CHECK(dup_index_ask(&x, document(1, 5, 40), &v, &why) == ST_OK);
		CHECK(v.kind == VERDICT_NEAR && v.shared == 256);
		CHECK(str_eq(v.representative_url, a.name));
		CHECK(dup_index_ask(&x, document(1, 0, 0), &v, &why) == ST_OK);
		CHECK(v.kind == VERDICT_EXACT && str_eq(v.representative_url, a.name));
		CHECK(dup_index_see(&x, document(2, 0, 0), &b, &v, &doc, &why) == ST_OK);
		CHECK(dup_index_sync(&x, NULL, &why) == ST_OK);
	}
	dup_index_release(&x);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static void a_crash_loses_nothing_synced(void)
{
	for (unsigned n = 1; n < 60; n += 3) {
		struct dup_index x;
		struct verdict v;
		uint64_t doc, synced = 0;
		char spec[32];
		struct stored_doc d = named("x");

		snprintf(dir, sizeof(dir), "/tmp/test_dup_index.XXXXXX");
		CHECK(mkdtemp(dir));
		struct dup_index_options how = { .dir = dir, .memory_bytes = 1 << 16 };
		CHECK(dup_index_open(&x, &how, &why) == ST_OK);
		snprintf(spec, sizeof(spec), "fail-write=%u+", n);
		CHECK(fault_set(str_from(spec), &why) == ST_OK);
		for (uint64_t i = 0; i < 100; i++) {
			if (dup_index_see(&x, document(i, 0, 0), &d, &v, &doc, &why) !=
			    ST_OK)
				break;
			if (i % 5 == 4) {
				if (dup_index_sync(&x, NULL, &why) != ST_OK)
					break;
				synced = i + 1;
			}
		}
		CHECK(fault_set(STR(""), &why) == ST_OK);
		dup_index_release(&x);
		CHECK(dup_index_open(&x, &how, &why) == ST_OK);
		CHECK(dup_index_count(&x) >= synced);
		for (uint64_t i = 0; i < synced; i++) {
			CHECK(dup_index_ask(&x, document(i, 9, 30), &v, &why) == ST_OK);
			CHECK(v.kind == VERDICT_NEAR && v.representative == i);
		}
		dup_index_release(&x);
		CHECK(dir_remove(dir, &why) == ST_OK);
	}
}

int main(void)
{
	RUN(new_exact_and_near_with_their_evidence);
	RUN(the_same_words_set_otherwise_are_exact);
	RUN(empty_pages_are_not_duplicates);
	RUN(nearness_is_not_handed_on);
	RUN(on_disk_it_answers_as_in_memory);
	RUN(a_long_name_changes_nothing);
	RUN(a_crash_loses_nothing_synced);
	page_sketch_release(&sketch);
	DONE();
}
