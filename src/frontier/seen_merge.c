#include "frontier/seen_merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort.h"

#define BLOCK_KEYS   16384
#define BLOCK_BYTES  ((size_t)BLOCK_KEYS * SEEN_KEY_BYTES)
#define HEADER_BYTES 32

static const char magic[8] = "thrseen1";

/* --- pending questions --- */

enum status seen_pending_add(struct seen_pending *p, struct u128 key, struct diag *why)
{
	char *to = buf_reserve(&p->keys, sizeof(key));

	if (!to || p->n == UINT32_MAX)
		return diag_fail(why, ST_TOO_LARGE, "too many pending URLs in a bucket");
	memcpy(to, &key, sizeof(key));
	p->keys.n += sizeof(key);
	p->n++;
	return ST_OK;
}

enum status seen_pending_ask(struct seen_pending *p, struct str payload, struct diag *why)
{
	buf_add_u32(&p->asks, p->n - 1);
	buf_add_sized(&p->asks, payload);
	if (buf_status(&p->asks) != ST_OK)
		return diag_fail(why, ST_TOO_LARGE, "too many pending URLs in a bucket");
	return ST_OK;
}

static enum status spill(struct buf *b, struct file *f, const char *stem, const char *end,
			 struct diag *why)
{
	char path[4096];

	if (b->n < SEEN_SPILL_BYTES)
		return ST_OK;
	if (!f->path) {
		snprintf(path, sizeof(path), "%s.%s", stem, end);
		TRY(file_open(f, path, FILE_UPDATE, why));
	}
	TRY(file_write(f, buf_str(b), why));
	buf_reset(b);
	return ST_OK;
}

enum status seen_pending_spill(struct seen_pending *p, const char *stem, struct diag *why)
{
	TRY(spill(&p->keys, &p->key_spill, stem, "keys", why));
	return spill(&p->asks, &p->ask_spill, stem, "asks", why);
}

static void drop_spill(struct file *f)
{
	struct diag why;

	/* What cannot be removed now is removed by the next process. */
	if (f->path && file_remove(f->path, &why) != ST_OK)
		why.text[0] = '\0';
	file_close(f);
}

void seen_pending_release(struct seen_pending *p)
{
	drop_spill(&p->key_spill);
	drop_spill(&p->ask_spill);
	buf_release(&p->keys);
	buf_release(&p->asks);
	*p = (struct seen_pending){ 0 };
}

/* The whole of a stream in memory. */
static enum status gather(const struct file *spilled, struct buf *recent, struct buf *ret,
			  struct diag *why)
{
	if (spilled->path) {
		char *to = buf_reserve(ret, spilled->size + recent->n);
		size_t n;

		if (!to)
			return diag_fail(why, ST_TOO_LARGE, "%s: too large to merge",
					 spilled->path);
		TRY(file_read_at(spilled, 0, to, spilled->size, &n, why));
		if (n != spilled->size)
			return diag_fail(why, ST_CORRUPT, "%s: cut short", spilled->path);
		ret->n = n;
	}
	buf_add(ret, buf_str(recent));
	return buf_status(ret);
}

/* --- the sorted file of a bucket, read and written in blocks --- */

struct set_reader {
	struct file file;
	char *block;
	size_t at, n;      /* bytes of the block used, and there */
	uint64_t offset;   /* in the file, of the next block */
	uint64_t checksum; /* of the blocks so far */
	uint64_t expected;
};

struct set_writer {
	struct file file;
	char *block;
	size_t n;
	uint64_t keys, checksum;
	struct bloom *bloom; /* NULL when none is made */
	uint8_t first;       /* byte of every key */
};

static void pack(struct u128 key, char *to)
{
	uint64_t hi = __builtin_bswap64(key.hi), lo = __builtin_bswap64(key.lo);

	memcpy(to, (const char *)&hi + 1, 7);
	memcpy(to + 7, &lo, 8);
}

static struct u128 unpack(const char *from, uint8_t first)
{
	uint64_t hi, lo;

	memcpy(&hi, from, 8);
	memcpy(&lo, from + 7, 8);
	return (struct u128){ __builtin_bswap64(hi) >> 8 | (uint64_t)first << 56,
			      __builtin_bswap64(lo) };
}

static enum status set_refill(struct set_reader *r, struct diag *why)
{
	r->at = r->n = 0;
	if (!r->file.path)
		return ST_OK;
	TRY(file_read_at(&r->file, r->offset, r->block, BLOCK_BYTES, &r->n, why));
	r->offset += r->n;
	if (r->n > 0)
		r->checksum = hash64_seeded((struct str){ r->block, r->n }, r->checksum);
	else if (r->checksum != r->expected)
		return diag_fail(why, ST_CORRUPT, "%s: wrong checksum", r->file.path);
	if (r->n % SEEN_KEY_BYTES != 0)
		return diag_fail(why, ST_CORRUPT, "%s: cut short", r->file.path);
	return ST_OK;
}

static enum status set_open(struct set_reader *r, const char *path, struct diag *why)
{
	char header[HEADER_BYTES];
	size_t n;

	r->block = xcalloc(1, BLOCK_BYTES + 8);
	r->offset = HEADER_BYTES;
	if (!file_exists(path))
		return ST_OK;
	TRY(file_open(&r->file, path, FILE_READ, why));
	TRY(file_read_at(&r->file, 0, header, sizeof(header), &n, why));
	if (n != sizeof(header) || memcmp(header, magic, sizeof(magic)) != 0)
		return diag_fail(why, ST_CORRUPT, "%s: not a seen set", path);
	memcpy(&r->expected, header + 16, 8);
	return set_refill(r, why);
}

static void set_reader_release(struct set_reader *r)
{
	file_close(&r->file);
	free(r->block);
}

static enum status set_flush(struct set_writer *w, struct diag *why)
{
	struct str block = { w->block, w->n };

	if (w->n == 0)
		return ST_OK;
	w->checksum = hash64_seeded(block, w->checksum);
	w->n = 0;
	return file_write(&w->file, block, why);
}

static void note_bloom(struct set_writer *w, const char *keys, size_t bytes)
{
	if (w->bloom)
		for (size_t i = 0; i < bytes; i += SEEN_KEY_BYTES)
			bloom_add(w->bloom, seen_bloom_key(unpack(keys + i, w->first)));
}

/* `bytes` of packed keys, a multiple of a key. */
static enum status set_write(struct set_writer *w, const char *keys, size_t bytes,
			     struct diag *why)
{
	note_bloom(w, keys, bytes);
	w->keys += bytes / SEEN_KEY_BYTES;
	while (bytes > 0) {
		size_t part = MIN(bytes, BLOCK_BYTES - w->n);

		memcpy(w->block + w->n, keys, part);
		w->n += part;
		keys += part;
		bytes -= part;
		if (w->n == BLOCK_BYTES)
			TRY(set_flush(w, why));
	}
	return ST_OK;
}

static enum status set_create(struct set_writer *w, const char *path, struct diag *why)
{
	static const char blank[HEADER_BYTES];

	w->block = xrealloc(NULL, 1, BLOCK_BYTES);
	TRY(file_open(&w->file, path, FILE_CREATE, why));
	return file_write(&w->file, (struct str){ blank, sizeof(blank) }, why);
}

/* The header comes last: a file without one was not finished. */
static enum status set_finish(struct set_writer *w, struct diag *why)
{
	char header[HEADER_BYTES] = { 0 };

	TRY(set_flush(w, why));
	memcpy(header, magic, sizeof(magic));
	memcpy(header + 8, &w->keys, 8);
	memcpy(header + 16, &w->checksum, 8);
	return file_write_at(&w->file, (struct str){ header, sizeof(header) }, 0, why);
}

static void set_writer_release(struct set_writer *w)
{
	file_close(&w->file);
	free(w->block);
}

/* --- the merge --- */

/* Copy all keys below `limit`; true in `ret_found` when `limit` is there. */
static enum status copy_below(struct set_reader *r, struct set_writer *w,
			      struct u128 limit, bool *ret_found, struct diag *why)
{
	*ret_found = false;
	while (r->n > 0) {
		size_t from = r->at;
		bool stop = false;

		for (; r->at < r->n; r->at += SEEN_KEY_BYTES) {
			struct u128 key = unpack(r->block + r->at, w->first);

			if (!u128_less(key, limit)) {
				*ret_found = u128_eq(key, limit);
				stop = true;
				break;
			}
		}
		TRY(set_write(w, r->block + from, r->at - from, why));
		if (stop)
			return ST_OK;
		TRY(set_refill(r, why));
	}
	return ST_OK;
}

static enum status copy_rest(struct set_reader *r, struct set_writer *w, struct diag *why)
{
	while (r->n > 0) {
		TRY(set_write(w, r->block + r->at, r->n - r->at, why));
		TRY(set_refill(r, why));
	}
	return ST_OK;
}

/* The questions of a bucket, sorted by key, those of one key in the order of asking. */
struct questions {
	const struct u128 *keys; /* by ordinal */
	struct sort_pair *order; /* value = ordinal */
	size_t n;
	uint8_t *is_new; /* by ordinal: the first of a key that was not in the set */
	size_t n_new;
};

/*
 * Radix sort on the 32 bits behind the bucket's byte, then insertion among the
 * few that agree in them: half the passes, and most keys differ there.
 */
static void sort_questions(struct questions *q, struct sort_pair *scratch)
{
	for (size_t i = 0; i < q->n; i++)
		q->order[i] = (struct sort_pair){ q->keys[i].hi << 8 >> 32, i };
	sort_pairs(q->order, scratch, q->n);
	for (size_t i = 1; i < q->n; i++) {
		struct sort_pair x = q->order[i];
		size_t j = i;

		for (; j > 0 && q->order[j - 1].key == x.key &&
		       u128_less(q->keys[x.value], q->keys[q->order[j - 1].value]);
		     j--)
			q->order[j] = q->order[j - 1];
		q->order[j] = x;
	}
}

static enum status merge_questions(struct questions *q, struct set_reader *r,
				   struct set_writer *w, struct diag *why)
{
	for (size_t i = 0; i < q->n;) {
		struct u128 key = q->keys[q->order[i].value];
		bool found;

		TRY(copy_below(r, w, key, &found, why));
		if (!found) {
			char packed[SEEN_KEY_BYTES];

			pack(key, packed);
			TRY(set_write(w, packed, sizeof(packed), why));
			q->is_new[q->order[i].value] = 1;
			q->n_new++;
		}
		while (++i < q->n && u128_eq(q->keys[q->order[i].value], key))
			;
	}
	return copy_rest(r, w, why);
}

/* The payloads of the questions whose answer is "new". */
static enum status answer(const struct questions *q, struct str asks, struct buf *late,
			  struct diag *why)
{
	struct str payload;
	uint32_t ordinal;

	while (asks.n > 0) {
		if (!str_take_u32(&asks, &ordinal) || !str_take_sized(&asks, &payload) ||
		    ordinal >= q->n)
			return diag_fail(why, ST_CORRUPT, "pending URLs are damaged");
		if (!q->is_new[ordinal])
			continue;
		buf_add_u64(late, q->keys[ordinal].hi);
		buf_add_u64(late, q->keys[ordinal].lo);
		buf_add_sized(late, payload);
	}
	return buf_status(late);
}

struct bucket_merge {
	struct buf keys, asks;
	struct questions q;
	struct sort_pair *scratch;
	struct set_reader in;
	struct set_writer out;
};

static void bucket_merge_release(struct bucket_merge *m)
{
	buf_release(&m->keys);
	buf_release(&m->asks);
	free(m->q.order);
	free(m->q.is_new);
	free(m->scratch);
	set_reader_release(&m->in);
	set_writer_release(&m->out);
}

static enum status merge_bucket(struct seen_job *j, unsigned bucket)
{
	cleanup(bucket_merge_release) struct bucket_merge m = { 0 };
	struct seen_pending *p = &j->pending[bucket];
	char old[4096], fresh[4096];
	unsigned number = j->band * SEEN_BUCKETS + bucket;

	if (p->n == 0 && j->bloom_keys == 0)
		return ST_OK;
	m.keys.limit = m.asks.limit = SIZE_MAX / 2;
	TRY(gather(&p->key_spill, &p->keys, &m.keys, &j->why));
	TRY(gather(&p->ask_spill, &p->asks, &m.asks, &j->why));
	m.q = (struct questions){
		.keys = (const void *)m.keys.p,
		.n = p->n,
		.order = xcalloc((size_t)p->n + 1, sizeof(*m.q.order)),
		.is_new = xcalloc((size_t)p->n + 1, 1),
	};
	m.scratch = xcalloc((size_t)p->n + 1, sizeof(*m.scratch));
	sort_questions(&m.q, m.scratch);

	snprintf(old, sizeof(old), "%s/seen-%02x.%d", j->dir, number, j->side[bucket]);
	snprintf(fresh, sizeof(fresh), "%s/seen-%02x.%d", j->dir, number,
		 !j->side[bucket]);
	m.out.first = (uint8_t)number;
	m.out.bloom = j->bloom_keys ? &j->bloom : NULL;
	TRY(set_open(&m.in, old, &j->why));
	TRY(set_create(&m.out, fresh, &j->why));
	TRY(merge_questions(&m.q, &m.in, &m.out, &j->why));
	TRY(set_finish(&m.out, &j->why));
	TRY(file_remove(old, &j->why));
	j->side[bucket] = !j->side[bucket];
	j->added += m.q.n_new;
	return answer(&m.q, buf_str(&m.asks), &j->late, &j->why);
}

void seen_job_run(struct seen_job *j)
{
	j->late.limit = SIZE_MAX / 2;
	j->st = ST_OK;
	if (j->bloom_keys)
		bloom_init(&j->bloom, j->bloom_keys, 12);
	for (unsigned b = 0; b < SEEN_BUCKETS && j->st == ST_OK; b++) {
		j->st = merge_bucket(j, b);
		seen_pending_release(&j->pending[b]);
	}
}

void seen_job_release(struct seen_job *j)
{
	for (unsigned b = 0; b < SEEN_BUCKETS; b++)
		seen_pending_release(&j->pending[b]);
	bloom_release(&j->bloom);
	buf_release(&j->late);
}
