#include "dup/postings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bloom.h"
#include "base/hash.h"
#include "base/sort.h"
#include "os/file.h"
#include "os/map_file.h"

#define MAGIC       STR("THRPOST1")
#define MERGE_AT    8
#define BLOOM_BITS  10
#define RUN_HEADER  24u /* magic, number of pairs, checksum of the pairs, covered */
#define BLOCK_BYTES ((size_t)1 << 20)

struct postings_run {
	struct map_file file;
	struct bloom bloom;
	uint32_t serial;
};

static const struct sort_pair *run_pairs(const struct postings_run *r, size_t *ret_n)
{
	*ret_n = (r->file.bytes.n - RUN_HEADER) / sizeof(struct sort_pair);
	return (const struct sort_pair *)(const void *)(r->file.bytes.p + RUN_HEADER);
}

static char *run_path(const struct postings *p, struct arena *a, uint32_t serial)
{
	char name[32];

	snprintf(name, sizeof(name), "%08u.run", serial);
	return path_join(a, p->dir, str_from(name));
}

static void run_release(struct postings_run *r)
{
	map_file_release(&r->file);
	bloom_release(&r->bloom);
}

void postings_release(struct postings *p)
{
	for (size_t i = 0; i < p->n_runs; i++)
		run_release(&p->runs[i]);
	free(p->runs);
	free(p->dir);
	chains_release(&p->chains);
	*p = (struct postings){ 0 };
}

/* Block by block, as the writer sees them. */
static uint32_t pairs_checksum(struct str bytes)
{
	uint64_t h = 0;

	for (; bytes.n; bytes = str_skip(bytes, BLOCK_BYTES))
		h = hash64_seeded(str_slice(bytes, 0, BLOCK_BYTES), h);
	return (uint32_t)h;
}

static enum status run_open(struct postings *p, uint32_t serial, uint32_t *ret_covered,
			    struct diag *why)
{
	struct arena a = { 0 };
	char *path = run_path(p, &a, serial);
	struct postings_run r = { .serial = serial };
	enum status st = map_file_open(&r.file, path, MAP_RANDOM, why);
	struct str in = r.file.bytes;
	uint64_t n;
	uint32_t sum;

	if (st == ST_OK &&
	    (!str_take_prefix(&in, MAGIC) || !str_take_u64(&in, &n) ||
	     !str_take_u32(&in, &sum) || !str_take_u32(&in, ret_covered) ||
	     in.n != n * sizeof(struct sort_pair) || pairs_checksum(in) != sum))
		st = diag_fail(why, ST_CORRUPT, "%s: not a whole run of postings", path);
	arena_release(&a);
	if (st != ST_OK) {
		run_release(&r);
		return st;
	}
	const struct sort_pair *pairs = run_pairs(&r, &n);
	bloom_init(&r.bloom, n, BLOOM_BITS);
	for (size_t i = 0; i < n; i++)
		bloom_add(&r.bloom, pairs[i].key);
	VEC_ADD(p->runs, p->n_runs, p->cap_runs, r);
	return ST_OK;
}

/* The list of runs: what it does not name was never finished. */
static enum status manifest_save(const struct postings *p, const uint32_t *serials,
				 size_t n, uint32_t covered, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct arena a = { 0 };

	buf_addf(&text, "postings 1\ncovered %u\n", covered);
	for (size_t i = 0; i < n; i++)
		buf_addf(&text, "run %u\n", serials[i]);
	enum status st =
		file_save(path_join(&a, p->dir, STR("manifest")), buf_str(&text), why);
	arena_release(&a);
	return st;
}

static enum status read_manifest(struct postings *p, struct str text, struct diag *why)
{
	struct str line;
	uint64_t v;
	uint32_t covered;

	if (!str_take_line(&text, &line) || !str_eq(line, STR("postings 1")))
		return diag_fail(why, ST_CORRUPT, "%s/manifest: not a manifest", p->dir);
	while (str_take_line(&text, &line)) {
		if (str_take_prefix(&line, STR("covered ")) &&
		    str_to_uint(line, UINT32_MAX, &v)) {
			p->covered = (uint32_t)v;
		} else if (str_take_prefix(&line, STR("run ")) &&
			   str_to_uint(line, UINT32_MAX, &v)) {
			TRY(run_open(p, (uint32_t)v, &covered, why));
			p->serial = MAX(p->serial, (uint32_t)v + 1);
		} else {
			return diag_fail(why, ST_CORRUPT, "%s/manifest: bad line",
					 p->dir);
		}
	}
	return ST_OK;
}

enum status postings_open(struct postings *p, const struct postings_options *options,
			  struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct arena a = { 0 };
	enum status st = ST_OK;

	*p = (struct postings){ .options = *options };
	if (p->options.memory_bytes == 0)
		p->options.memory_bytes = (size_t)64 << 20;
	if (!options->dir)
		return ST_OK;
	p->dir = strdup(options->dir);
	st = dir_make(p->dir, why);
	char *path = path_join(&a, p->dir, STR("manifest"));
	if (st == ST_OK && file_exists(path))
		st = file_load(path, 1 << 20, &text, why);
	if (st == ST_OK && text.n)
		st = read_manifest(p, buf_str(&text), why);
	arena_release(&a);
	if (st != ST_OK)
		postings_release(p);
	return st;
}

void postings_add(struct postings *p, uint64_t key, uint32_t doc)
{
	chains_add(&p->chains, key, doc);
}

bool postings_full(const struct postings *p)
{
	return p->dir && chains_bytes(&p->chains) >= p->options.memory_bytes;
}

/* A run being written: the header is put in front at the end. */
struct run_writer {
	struct file file;
	struct buf block;
	uint64_t n, sum;
};

static enum status writer_open(struct run_writer *w, const char *path, struct diag *why)
{
	static const char zeros[RUN_HEADER];

	*w = (struct run_writer){ 0 };
	TRY(file_open(&w->file, path, FILE_CREATE, why));
	return file_write(&w->file, (struct str){ zeros, RUN_HEADER }, why);
}

static enum status writer_flush(struct run_writer *w, struct diag *why)
{
	w->sum = hash64_seeded(buf_str(&w->block), w->sum);
	TRY(file_write(&w->file, buf_str(&w->block), why));
	buf_reset(&w->block);
	return ST_OK;
}

static enum status writer_add(struct run_writer *w, const struct sort_pair *pair,
			      struct diag *why)
{
	buf_add(&w->block, (struct str){ (const char *)pair, sizeof(*pair) });
	w->n++;
	return w->block.n == BLOCK_BYTES ? writer_flush(w, why) : ST_OK;
}

static enum status writer_end(struct run_writer *w, uint32_t covered, struct diag *why)
{
	cleanup(buf_release) struct buf head = { 0 };

	if (w->block.n)
		TRY(writer_flush(w, why));
	buf_add(&head, MAGIC);
	buf_add_u64(&head, w->n);
	buf_add_u32(&head, (uint32_t)w->sum);
	buf_add_u32(&head, covered);
	TRY(file_write_at(&w->file, buf_str(&head), 0, why));
	return file_sync(&w->file, why);
}

static void writer_release(struct run_writer *w)
{
	file_close(&w->file);
	buf_release(&w->block);
}

static enum status write_pairs(struct run_writer *w, const struct sort_pair *v, size_t n,
			       struct diag *why)
{
	for (size_t i = 0; i < n; i++)
		TRY(writer_add(w, &v[i], why));
	return ST_OK;
}

/* All runs into one; of equal keys those of newer runs first, as in the chains. */
static enum status write_merged(const struct postings *p, struct run_writer *w,
				struct diag *why)
{
	size_t at[MERGE_AT] = { 0 }, n;

	for (;;) {
		const struct sort_pair *least = NULL;
		size_t from = 0;

		for (size_t r = p->n_runs; r-- > 0;) {
			const struct sort_pair *v = run_pairs(&p->runs[r], &n);

			if (at[r] < n && (!least || v[at[r]].key < least->key)) {
				least = &v[at[r]];
				from = r;
			}
		}
		if (!least)
			return ST_OK;
		TRY(writer_add(w, least, why));
		at[from]++;
	}
}

/* Take the old runs out and their files away; they are in the new one. */
static void drop_runs(struct postings *p, size_t n)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < n; i++) {
		run_release(&p->runs[i]);
		/* A file left behind is named by no manifest and harms nobody. */
		(void)!file_remove(run_path(p, &a, p->runs[i].serial), NULL);
	}
	memmove(p->runs, p->runs + n, (p->n_runs - n) * sizeof(*p->runs));
	p->n_runs -= n;
	arena_release(&a);
}

/* Write a new run: the given pairs, or with none all runs merged; then read it back. */
static enum status add_run(struct postings *p, const struct sort_pair *pairs, size_t n,
			   uint32_t covered, struct diag *why)
{
	struct arena a = { 0 };
	cleanup(writer_release) struct run_writer w;
	enum status st = writer_open(&w, run_path(p, &a, p->serial), why);
	uint32_t again;

	arena_release(&a);
	if (st == ST_OK)
		st = pairs ? write_pairs(&w, pairs, n, why) : write_merged(p, &w, why);
	if (st == ST_OK)
		st = writer_end(&w, covered, why);
	if (st == ST_OK)
		st = run_open(p, p->serial, &again, why);
	p->serial += st == ST_OK;
	return st;
}

/* From here on only the runs from `from` on count. */
static enum status publish(struct postings *p, size_t from, uint32_t covered,
			   struct diag *why)
{
	uint32_t kept[MERGE_AT + 1];

	for (size_t i = from; i < p->n_runs; i++)
		kept[i - from] = p->runs[i].serial;
	TRY(manifest_save(p, kept, p->n_runs - from, covered, why));
	p->covered = covered;
	drop_runs(p, from);
	return ST_OK;
}

enum status postings_spill(struct postings *p, uint32_t covered, struct diag *why)
{
	size_t n;

	if (!p->dir)
		return ST_OK;
	struct sort_pair *pairs = chains_take_sorted(&p->chains, &n);
	enum status st = add_run(p, pairs, n, covered, why);
	free(pairs);
	if (st == ST_OK)
		st = publish(p, 0, covered, why);
	if (st != ST_OK || p->n_runs < MERGE_AT)
		return st;
	TRY(add_run(p, NULL, 0, covered, why));
	return publish(p, p->n_runs - 1, covered, why);
}

/* Keys are hashes, so a guess by their value lands near the place. */
static size_t first_at_least(const struct sort_pair *v, size_t n, uint64_t key)
{
	size_t lo = 0, hi = n;

	for (int guesses = 0; guesses < 3 && hi - lo > 64; guesses++) {
		uint64_t from = v[lo].key, to = v[hi - 1].key;
		size_t at, step = (hi - lo) / 1024 + 16;

		if (key <= from || key > to)
			break;
		at = lo + (size_t)((unsigned __int128)(key - from) * (hi - 1 - lo) /
				   (to - from));
		size_t left = at > lo + step ? at - step : lo;
		size_t right = at + step < hi ? at + step : hi - 1;
		if (v[left].key < key)
			lo = left;
		if (v[right].key >= key)
			hi = right + 1;
	}
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v[mid].key < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void postings_prefetch(const struct postings *p, const uint64_t *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		chains_prefetch(&p->chains, keys[i]);
}

size_t postings_find(const struct postings *p, uint64_t key, uint32_t *ret, size_t max)
{
	size_t found = 0, n;

	for (uint32_t i = chains_head(&p->chains, key); i && found < max;
	     i = chain_next(&p->chains, i))
		ret[found++] = chain_doc(&p->chains, i);
	for (size_t r = p->n_runs; r-- > 0 && found < max;) {
		if (!bloom_may_have(&p->runs[r].bloom, key))
			continue;
		const struct sort_pair *v = run_pairs(&p->runs[r], &n);

		for (size_t i = first_at_least(v, n, key); i < n && v[i].key == key;
		     i++) {
			if (found == max)
				break;
			ret[found++] = (uint32_t)v[i].value;
		}
	}
	return found;
}
