#include "dup/print_index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "method/method_bits.h"
#include "os/file.h"
#include "os/map_file.h"

/* Bounds on the work of a question: documents of a key, the newest first, and checks. */
#define PER_KEY    256
#define CHECKS_MAX 4096

static const struct segment_kind kind = { "THRPRNT1", 1, false };

void print_index_release(struct print_index *x)
{
	segment_close(&x->log);
	postings_release(&x->postings);
	free(x->offsets);
	buf_release(&x->record);
	buf_release(&x->name);
	*x = (struct print_index){ 0 };
}

static void add_keys(struct print_index *x, struct str print, uint32_t doc)
{
	const struct print_index_options *o = &x->options;
	uint64_t keys[BLOCKING_KEYS];
	size_t n = method_keys(o->method, print, o->threshold, o->bands, keys);

	for (size_t i = 0; i < n; i++)
		postings_add(&x->postings, keys[i], doc);
}

static enum status parse_record(const struct print_index *x, struct str record,
				struct str *ret_name, struct str *ret_print,
				struct diag *why)
{
	if (!str_take_sized(&record, ret_name))
		return diag_fail(why, ST_CORRUPT, "%s: a record is damaged",
				 x->log.file.path);
	*ret_print = record;
	return ST_OK;
}

static enum status read_doc(struct print_index *x, size_t doc, struct str *ret_name,
			    struct str *ret_print, struct diag *why)
{
	struct str record;

	TRY(segment_read(&x->log, x->offsets[doc], &x->record, &record, why));
	return parse_record(x, record, ret_name, ret_print, why);
}

/* Where the documents stand; keys that are in no run of the postings are added again. */
static enum status note_all(struct print_index *x, struct diag *why)
{
	struct map_file map = { 0 };
	struct segment_reader r;
	struct str record, name, print;

	TRY(map_file_open(&map, x->log.file.path, MAP_SEQUENTIAL, why));
	enum status st = segment_reader_init(&r, map.bytes, &kind, why);
	while (st == ST_OK) {
		uint64_t at = r.at;

		st = segment_next(&r, &record);
		if (st == ST_OK)
			st = parse_record(x, record, &name, &print, why);
		if (st != ST_OK)
			break;
		if (x->n >= postings_covered(&x->postings))
			add_keys(x, print, (uint32_t)x->n);
		VEC_ADD(x->offsets, x->n, x->cap_offsets, at);
	}
	map_file_release(&map);
	return st == ST_AGAIN ? ST_OK : st;
}

/* Keys are made with these: with others nothing would be found. */
static enum status check_settings(const struct print_index *x, struct diag *why)
{
	cleanup(buf_release) struct buf now = { 0 }, before = { 0 };
	cleanup(arena_release) struct arena a = { 0 };
	const struct print_index_options *o = &x->options;
	const struct feature_options *f = &o->method->features;
	char *path = path_join(&a, o->dir, STR("method"));

	buf_addf(&now,
		 "%s, features %d %d %u %d, threshold %g, bands %u %u, weights %016llx",
		 o->method->name, (int)f->kind, (int)f->piece, f->size, (int)f->weight,
		 o->threshold, o->bands.bands, o->bands.rows,
		 (unsigned long long)o->weights);
	if (!file_exists(path))
		return file_save(path, buf_str(&now), why);
	TRY(file_load(path, 256, &before, why));
	if (!str_eq(buf_str(&before), buf_str(&now)))
		return diag_fail(why, ST_EXISTS, "%s is an index of " STR_FMT, o->dir,
				 STR_ARG(buf_str(&before)));
	return ST_OK;
}

static enum status open_files(struct print_index *x, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct postings_options how = { .dir = path_join(&a, x->options.dir,
							 STR("postings")),
					.memory_bytes = x->options.memory_bytes };

	TRY(dir_make(x->options.dir, why));
	TRY(check_settings(x, why));
	TRY(segment_open(&x->log, path_join(&a, x->options.dir, STR("prints.seg")), &kind,
			 0, NULL, why));
	TRY(postings_open(&x->postings, &how, why));
	TRY(note_all(x, why));
	/* Postings of documents that the crash took: only the documents count. */
	if (postings_covered(&x->postings) <= x->n)
		return ST_OK;
	postings_release(&x->postings);
	TRY(dir_remove(how.dir, why));
	TRY(postings_open(&x->postings, &how, why));
	x->n = 0;
	return note_all(x, why);
}

enum status print_index_open(struct print_index *x,
			     const struct print_index_options *options, struct diag *why)
{
	*x = (struct print_index){ .options = *options };
	if (x->options.memory_bytes == 0)
		x->options.memory_bytes = (size_t)256 << 20;
	enum status st = open_files(x, why);
	if (st != ST_OK)
		print_index_release(x);
	return st;
}

static int by_doc(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* The documents that share a key, the oldest first, each once. */
static size_t candidates(const struct print_index *x, struct str print, uint32_t *ret)
{
	const struct print_index_options *o = &x->options;
	uint64_t keys[BLOCKING_KEYS];
	size_t n_keys = method_keys(o->method, print, o->threshold, o->bands, keys);
	size_t n = 0, different = 0;

	for (size_t i = 0; i < n_keys && n + PER_KEY <= CHECKS_MAX; i++)
		n += postings_find(&x->postings, keys[i], ret + n, PER_KEY);
	qsort(ret, n, sizeof(*ret), by_doc);
	for (size_t i = 0; i < n; i++)
		if (different == 0 || ret[different - 1] != ret[i])
			ret[different++] = ret[i];
	return different;
}

static bool is_digest(const struct method *m)
{
	return m->make == text_digest_make || m->make == payload_digest_make;
}

enum status print_index_ask(struct print_index *x, struct str print, struct verdict *ret,
			    struct diag *why)
{
	const struct method *m = x->options.method;
	uint32_t docs[CHECKS_MAX];
	size_t n = candidates(x, print, docs);
	double best = method_farthest(m);

	*ret = (struct verdict){ .kind = VERDICT_NEW, .representative = VERDICT_NO_DOC };
	for (size_t i = 0; i < n; i++) {
		struct str name, theirs;
		double measure;

		TRY(read_doc(x, docs[i], &name, &theirs, why));
		if (method_measure(m, print, theirs, &measure) != ST_OK)
			return diag_fail(why, ST_CORRUPT, "%s: document %u is damaged",
					 x->options.dir, docs[i]);
		if (!method_is_near(m, measure, x->options.threshold) ||
		    (ret->kind != VERDICT_NEW &&
		     (m->smaller_is_nearer ? measure >= best : measure <= best)))
			continue;
		best = ret->score = measure;
		ret->kind = is_digest(m) ? VERDICT_EXACT : VERDICT_NEAR;
		ret->method = str_from(m->name);
		ret->threshold = x->options.threshold;
		ret->representative = docs[i];
		buf_reset(&x->name);
		buf_add(&x->name, name);
		ret->representative_url = buf_str(&x->name);
	}
	return ST_OK;
}

enum status print_index_add(struct print_index *x, struct str print, struct str name,
			    struct diag *why)
{
	uint64_t at;

	if (x->n >= UINT32_MAX - 1)
		return diag_fail(why, ST_TOO_LARGE, "an index holds 2^32 documents");
	buf_reset(&x->record);
	buf_add_sized(&x->record, name);
	buf_add(&x->record, print);
	TRY(segment_add(&x->log, buf_str(&x->record), &at, why));
	add_keys(x, print, (uint32_t)x->n);
	VEC_ADD(x->offsets, x->n, x->cap_offsets, at);
	if (!postings_full(&x->postings))
		return ST_OK;
	TRY(segment_sync(&x->log, why)); /* never postings without documents */
	return postings_spill(&x->postings, (uint32_t)x->n, why);
}

enum status print_index_sync(struct print_index *x, struct diag *why)
{
	return segment_sync(&x->log, why);
}
