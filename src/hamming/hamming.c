#include "hamming/hamming.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "hamming/hamming_scan.h"
#include "os/file.h"

#define MAGIC   STR("THRHAMM1")
#define TABLES  4u
#define HEADER  24u /* magic, number, checksum, zero */
#define PER_DOC (8 * TABLES + 4)

static void segment_release(struct hamming_segment *s)
{
	hamming_tables_release(&s->tables);
	map_file_release(&s->file);
}

void hamming_release(struct hamming *h)
{
	for (size_t i = 0; i < h->n_segments; i++)
		segment_release(&h->segments[i]);
	free(h->segments);
	free(h->dir);
	h->segments = NULL;
	h->dir = NULL;
	h->n_segments = h->cap_segments = h->n_tail = h->n = 0;
}

static char *segment_path(const struct hamming *h, struct arena *a, uint32_t serial)
{
	char name[32];

	snprintf(name, sizeof(name), "%08u.ham", serial);
	return path_join(a, h->dir, str_from(name));
}

static uint64_t sum_of(const struct hamming_tables *t)
{
	uint64_t h = t->n;

	for (unsigned i = 0; i < TABLES; i++)
		h = hash64_seeded(
			(struct str){ (const char *)t->tables[i].prints, 8 * t->n }, h);
	return hash64_seeded((struct str){ (const char *)t->docs, 4 * t->n }, h);
}

static enum status segment_write(const struct hamming *h, const struct hamming_segment *s,
				 struct diag *why)
{
	cleanup(buf_release) struct buf head = { 0 };
	const struct hamming_tables *t = &s->tables;
	struct arena a = { 0 };
	struct file f = { 0 };
	enum status st = file_open(&f, segment_path(h, &a, s->serial), FILE_CREATE, why);

	arena_release(&a);
	buf_add(&head, MAGIC);
	buf_add_u64(&head, t->n);
	buf_add_u64(&head, sum_of(t));
	if (st == ST_OK)
		st = file_write(&f, buf_str(&head), why);
	for (unsigned i = 0; st == ST_OK && i < TABLES; i++)
		st = file_write(
			&f, (struct str){ (const char *)t->tables[i].prints, 8 * t->n },
			why);
	if (st == ST_OK)
		st = file_write(&f, (struct str){ (const char *)t->docs, 4 * t->n }, why);
	if (st == ST_OK)
		st = file_sync(&f, why);
	file_close(&f);
	return st;
}

/* Tables over the bytes of a file, checked. */
static enum status segment_open_file(const struct hamming *h, uint32_t serial,
				     struct hamming_segment *ret, struct diag *why)
{
	struct hamming_segment s = { .serial = serial };
	struct arena a = { 0 };
	char *path = segment_path(h, &a, serial);
	uint64_t *prints[TABLES], n, sum;
	enum status st = map_file_open(&s.file, path, MAP_RANDOM, why);
	struct str in = s.file.bytes;

	if (st == ST_OK &&
	    (!str_take_prefix(&in, MAGIC) || !str_take_u64(&in, &n) ||
	     !str_take_u64(&in, &sum) || n > UINT32_MAX || in.n != n * PER_DOC))
		st = diag_fail(why, ST_CORRUPT, "%s: not a whole segment", path);
	if (st == ST_OK) {
		char *bytes = (char *)(uintptr_t)in.p;

		for (unsigned i = 0; i < TABLES; i++)
			prints[i] = (uint64_t *)(void *)(bytes + 8 * n * i);
		hamming_tables_borrow(&s.tables, TABLES, prints,
				      (uint32_t *)(void *)(bytes + 8 * n * TABLES),
				      (size_t)n);
		if (sum_of(&s.tables) != sum)
			st = diag_fail(why, ST_CORRUPT, "%s: damaged", path);
	}
	arena_release(&a);
	if (st != ST_OK)
		segment_release(&s);
	else
		*ret = s;
	return st;
}

static enum status manifest_save(const struct hamming *h, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct arena a = { 0 };

	buf_addf(&text, "hamming 1\ncovered %u\n", h->covered);
	for (size_t i = 0; i < h->n_segments; i++)
		buf_addf(&text, "segment %u\n", h->segments[i].serial);
	enum status st =
		file_save(path_join(&a, h->dir, STR("manifest")), buf_str(&text), why);
	arena_release(&a);
	return st;
}

/* Who asks looks documents up by number: one past the end must not come out. */
static bool is_within(const struct hamming_segment *s, uint32_t covered)
{
	uint32_t last = 0;

	for (size_t i = 0; i < s->tables.n; i++)
		last = MAX(last, s->tables.docs[i]);
	return s->tables.n == 0 || last < covered;
}

static enum status read_manifest(struct hamming *h, struct str text, struct diag *why)
{
	struct hamming_segment s;
	struct str line;
	uint64_t v;

	if (!str_take_line(&text, &line) || !str_eq(line, STR("hamming 1")))
		return diag_fail(why, ST_CORRUPT, "%s/manifest: not a manifest", h->dir);
	while (str_take_line(&text, &line)) {
		if (str_take_prefix(&line, STR("covered ")) &&
		    str_to_uint(line, UINT32_MAX, &v)) {
			h->covered = (uint32_t)v;
		} else if (str_take_prefix(&line, STR("segment ")) &&
			   str_to_uint(line, UINT32_MAX, &v)) {
			TRY(segment_open_file(h, (uint32_t)v, &s, why));
			VEC_ADD(h->segments, h->n_segments, h->cap_segments, s);
			h->serial = MAX(h->serial, (uint32_t)v + 1);
			h->n += s.tables.n;
			if (!is_within(&s, h->covered))
				return diag_fail(why, ST_CORRUPT,
						 "%s: segment %u has documents that the "
						 "manifest does not cover",
						 h->dir, s.serial);
		} else {
			return diag_fail(why, ST_CORRUPT, "%s/manifest: bad line",
					 h->dir);
		}
	}
	return ST_OK;
}

enum status hamming_open(struct hamming *h, const struct hamming_options *options,
			 struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct arena a = { 0 };

	memset(h, 0, sizeof(*h));
	h->options = *options;
	if (h->options.memory_bytes == 0)
		h->options.memory_bytes = (size_t)1 << 30;
	if (!options->dir)
		return ST_OK;
	h->dir = strdup(options->dir);
	enum status st = dir_make(h->dir, why);
	char *path = path_join(&a, h->dir, STR("manifest"));
	if (st == ST_OK && file_exists(path))
		st = file_load(path, 1 << 20, &text, why);
	if (st == ST_OK && text.n)
		st = read_manifest(h, buf_str(&text), why);
	arena_release(&a);
	if (st != ST_OK)
		hamming_release(h);
	return st;
}

/* The tail and the segments from `from` on, as pairs; the caller frees. */
static struct hamming_pair *gather(const struct hamming *h, size_t from, size_t *ret_n)
{
	size_t n = h->n_tail, at = 0;

	for (size_t i = from; i < h->n_segments; i++)
		n += h->segments[i].tables.n;
	struct hamming_pair *v = xrealloc(NULL, n + 1, sizeof(*v));
	for (size_t i = from; i < h->n_segments; i++) {
		const struct hamming_tables *t = &h->segments[i].tables;

		for (size_t k = 0; k < t->n; k++)
			v[at++] = (struct hamming_pair){ hamming_table_restore(
								 &t->tables[0],
								 t->tables[0].prints[k]),
							 t->docs[k] };
	}
	for (size_t i = 0; i < h->n_tail; i++)
		v[at++] = (struct hamming_pair){ h->tail[i], h->tail_docs[i] };
	*ret_n = n;
	return v;
}

static size_t bytes_in_memory(const struct hamming *h)
{
	size_t bytes = 0;

	for (size_t i = 0; i < h->n_segments; i++)
		if (!h->segments[i].tables.borrowed)
			bytes += hamming_tables_bytes(&h->segments[i].tables);
	return bytes;
}

/* Put the new segment in the place of those from `from` on; their files go last. */
static enum status replace(struct hamming *h, size_t from, struct hamming_segment s,
			   struct diag *why)
{
	struct arena a = { 0 };
	size_t n_old = h->n_segments - from;
	struct hamming_segment *old = xrealloc(NULL, n_old + 1, sizeof(*old));

	if (n_old)
		memcpy(old, h->segments + from, n_old * sizeof(*old));
	h->n_segments = from;
	VEC_ADD(h->segments, h->n_segments, h->cap_segments, s);
	h->n_tail = 0;
	enum status st = h->dir ? manifest_save(h, why) : ST_OK;
	for (size_t i = 0; i < n_old; i++) {
		segment_release(&old[i]);
		if (h->dir && st == ST_OK) /* named by no manifest any more */
			(void)!file_remove(segment_path(h, &a, old[i].serial), NULL);
	}
	arena_release(&a);
	free(old);
	return st;
}

enum status hamming_flush(struct hamming *h, struct diag *why)
{
	struct hamming_segment s = { .serial = h->serial };
	size_t from = h->n_segments, n = h->n_tail;

	if (n == 0)
		return ST_OK;
	/* Join those that are not much larger: each print is moved log n times. */
	while (from > 0 && h->segments[from - 1].tables.n <= 2 * n)
		n += h->segments[--from].tables.n;
	struct hamming_pair *v = gather(h, from, &n);
	hamming_tables_build(&s.tables, TABLES, v, n);
	free(v);
	if (h->dir) {
		enum status st = segment_write(h, &s, why);

		if (st != ST_OK) {
			segment_release(&s);
			return st;
		}
		h->covered = MAX(h->covered, h->tail_docs[h->n_tail - 1] + 1);
		if (bytes_in_memory(h) + hamming_tables_bytes(&s.tables) >
		    h->options.memory_bytes) {
			segment_release(&s);
			TRY(segment_open_file(h, h->serial, &s, why));
		}
	}
	h->serial++;
	return replace(h, from, s, why);
}

enum status hamming_add(struct hamming *h, uint64_t print, uint32_t doc, struct diag *why)
{
	if (h->n_tail == HAMMING_TAIL)
		TRY(hamming_flush(h, why));
	h->tail[h->n_tail] = print;
	h->tail_docs[h->n_tail++] = doc;
	h->n++;
	return ST_OK;
}

size_t hamming_find(const struct hamming *h, uint64_t query, unsigned k, uint32_t *ret,
		    size_t max)
{
	size_t n = hamming_scan(h->tail, h->n_tail, query, k, ret, max);

	for (size_t i = 0; i < n; i++)
		ret[i] = h->tail_docs[ret[i]];
	for (size_t i = 0; i < h->n_segments && n < max; i++) {
		const struct hamming_tables *t = &h->segments[i].tables;

		if (t->n > HAMMING_SCAN_MOST) {
			n += hamming_tables_find(t, query, k, ret + n, max - n);
			continue;
		}
		size_t found = hamming_scan(t->tables[0].prints, t->n,
					    hamming_table_permute(&t->tables[0], query),
					    k, ret + n, max - n);
		for (size_t j = n; j < n + found; j++)
			ret[j] = t->docs[ret[j]];
		n += found;
	}
	return n;
}
