#include "hamming/bits_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "os/file.h"

/* More than this many near ones are never looked at: one is enough for a verdict. */
#define FOUND_MAX 1024

static const struct segment_kind kind = { "THRBITS1", 1, false };

void bits_index_release(struct bits_index *x)
{
	segment_close(&x->log);
	hamming_release(&x->hamming);
	free(x->offsets);
	free(x->prints);
	buf_release(&x->record);
	*x = (struct bits_index){ 0 };
}

static void note(struct bits_index *x, uint64_t print, uint64_t at)
{
	VEC_RESERVE(x->offsets, x->cap_offsets, x->n + 1);
	VEC_RESERVE(x->prints, x->cap_prints, x->n + 1);
	x->offsets[x->n] = at;
	x->prints[x->n++] = print;
}

static enum status note_all(struct bits_index *x, struct diag *why)
{
	struct map_file map = { 0 };
	struct segment_reader r;
	struct str record;
	uint64_t print;

	TRY(map_file_open(&map, x->log.file.path, MAP_SEQUENTIAL, why));
	enum status st = segment_reader_init(&r, map.bytes, &kind, why);
	while (st == ST_OK) {
		uint64_t at = r.at;

		st = segment_next(&r, &record);
		if (st == ST_OK && !str_take_u64(&record, &print))
			st = diag_fail(why, ST_CORRUPT, "%s: a record is too short",
				       x->log.file.path);
		if (st == ST_OK)
			note(x, print, at);
	}
	map_file_release(&map);
	return st == ST_AGAIN ? ST_OK : st;
}

/* What a crash kept the Hamming index from covering is added again. */
static enum status add_again(struct bits_index *x, struct diag *why)
{
	for (size_t i = hamming_covered(&x->hamming); i < x->n; i++)
		TRY(hamming_add(&x->hamming, x->prints[i], (uint32_t)i, why));
	return ST_OK;
}

static enum status open_hamming(struct bits_index *x, struct diag *why)
{
	struct arena a = { 0 };
	struct hamming_options how = { .dir = path_join(&a, x->options.dir,
							STR("hamming")),
				       .memory_bytes = x->options.memory_bytes };
	enum status st = hamming_open(&x->hamming, &how, why);

	/* Fingerprints of documents that the crash took: only the documents count. */
	if (st == ST_OK && hamming_covered(&x->hamming) > x->n) {
		hamming_release(&x->hamming);
		st = dir_remove(how.dir, why);
		if (st == ST_OK)
			st = hamming_open(&x->hamming, &how, why);
	}
	arena_release(&a);
	return st;
}

static enum status check_method(struct bits_index *x, struct diag *why)
{
	cleanup(buf_release) struct buf before = { 0 };
	struct str now = str_from(x->options.method);
	struct arena a = { 0 };
	char *path = path_join(&a, x->options.dir, STR("method"));
	enum status st = file_exists(path) ? file_load(path, 256, &before, why)
					   : file_save(path, now, why);

	arena_release(&a);
	if (st == ST_OK && before.n && !str_eq(buf_str(&before), now))
		return diag_fail(why, ST_EXISTS, "%s is an index of the method " STR_FMT,
				 x->options.dir, STR_ARG(buf_str(&before)));
	return st;
}

enum status bits_index_open(struct bits_index *x,
			    const struct bits_index_options *options, struct diag *why)
{
	struct arena a = { 0 };

	*x = (struct bits_index){ .options = *options };
	enum status st = dir_make(options->dir, why);
	if (st == ST_OK)
		st = check_method(x, why);
	if (st == ST_OK)
		st = segment_open(&x->log, path_join(&a, options->dir, STR("docs.seg")),
				  &kind, 0, NULL, why);
	arena_release(&a);
	if (st == ST_OK)
		st = note_all(x, why);
	if (st == ST_OK)
		st = open_hamming(x, why);
	if (st == ST_OK)
		st = add_again(x, why);
	if (st != ST_OK)
		bits_index_release(x);
	return st;
}

static enum status read_name(struct bits_index *x, size_t doc, struct str *ret,
			     struct diag *why)
{
	uint32_t head[2];
	uint64_t print;
	size_t n;

	buf_reset(&x->record);
	TRY(segment_flush(&x->log, why));
	TRY(file_read_at(&x->log.file, x->offsets[doc], (char *)head, sizeof(head), &n,
			 why));
	char *at = n == sizeof(head) && head[0] <= SEGMENT_RECORD_BYTES
			   ? buf_reserve(&x->record, head[0])
			   : NULL;
	if (!at)
		return diag_fail(why, ST_CORRUPT, "%s: document %zu is torn",
				 x->options.dir, doc);
	TRY(file_read_at(&x->log.file, x->offsets[doc] + sizeof(head), at, head[0], &n,
			 why));
	x->record.n = n;
	*ret = buf_str(&x->record);
	return str_take_u64(ret, &print)
		       ? ST_OK
		       : diag_fail(why, ST_CORRUPT, "%s: document %zu is damaged",
				   x->options.dir, doc);
}

enum status bits_index_ask(struct bits_index *x, uint64_t print, struct verdict *ret,
			   struct diag *why)
{
	uint32_t docs[FOUND_MAX], best = UINT32_MAX;
	unsigned least = UINT32_MAX;
	size_t n = hamming_find(&x->hamming, print, x->options.distance, docs, FOUND_MAX);

	*ret = (struct verdict){ .kind = VERDICT_NEW, .representative = VERDICT_NO_DOC };
	/* The nearest, of equally near ones the oldest. */
	for (size_t i = 0; i < n; i++) {
		unsigned d = (unsigned)__builtin_popcountll(print ^ x->prints[docs[i]]);

		if (d < least || (d == least && docs[i] < best)) {
			least = d;
			best = docs[i];
		}
	}
	if (n == 0)
		return ST_OK;
	ret->kind = least == 0 ? VERDICT_EXACT : VERDICT_NEAR;
	ret->method = str_from(x->options.method);
	ret->score = ret->distance = least;
	ret->threshold = x->options.distance;
	ret->representative = best;
	return read_name(x, best, &ret->representative_url, why);
}

enum status bits_index_add(struct bits_index *x, uint64_t print, struct str name,
			   struct diag *why)
{
	uint64_t at;

	if (x->n >= UINT32_MAX - 1)
		return diag_fail(why, ST_TOO_LARGE, "an index holds 2^32 documents");
	buf_reset(&x->record);
	buf_add_u64(&x->record, print);
	buf_add(&x->record, name);
	TRY(segment_add(&x->log, buf_str(&x->record), &at, why));
	note(x, print, at);
	/* A full tail goes to disk: never fingerprints without documents. */
	if (x->hamming.n_tail == HAMMING_TAIL)
		TRY(segment_sync(&x->log, why));
	return hamming_add(&x->hamming, print, (uint32_t)x->n - 1, why);
}

enum status bits_index_sync(struct bits_index *x, struct diag *why)
{
	return segment_sync(&x->log, why);
}
