#include "triples/index_file.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "triples/index_format.h"

static enum status check_header(struct str bytes, enum order order,
				struct index_header *h)
{
	if (bytes.n < INDEX_BLOCK_BYTES)
		return ST_CORRUPT;
	memcpy(h, bytes.p, sizeof(*h));
	if (memcmp(h->magic, INDEX_MAGIC, 8) != 0 || h->order != order ||
	    h->check != checksum32((struct str){ bytes.p, sizeof(*h) - 4 }))
		return ST_CORRUPT;
	if (h->version != INDEX_VERSION)
		return ST_UNSUPPORTED;
	size_t most = (bytes.n - INDEX_BLOCK_BYTES) / (INDEX_BLOCK_BYTES + KEY_BYTES);
	return h->blocks == most &&
			       bytes.n == INDEX_BLOCK_BYTES +
						  most * (INDEX_BLOCK_BYTES + KEY_BYTES)
		       ? ST_OK
		       : ST_CORRUPT;
}

static enum status find_keys(struct index_file *f, const struct index_header *h)
{
	const uint64_t *keys;

	f->n_blocks = h->blocks;
	f->n_rows = h->rows;
	f->n_gone = h->gone;
	f->blocks = (const uint8_t *)f->map.bytes.p + INDEX_BLOCK_BYTES;
	keys = (const void *)(f->blocks + f->n_blocks * INDEX_BLOCK_BYTES);
	for (size_t c = 0; c < 4; c++)
		f->first[c] = keys + c * f->n_blocks;
	f->live_before = keys + 4 * f->n_blocks;
	struct str bytes = { (const char *)keys, f->n_blocks * KEY_BYTES };
	return h->keys_check == checksum32(bytes) ? ST_OK : ST_CORRUPT;
}

static struct row first_row(const struct index_file *f, size_t block)
{
	return (struct row){ { f->first[0][block], f->first[1][block], f->first[2][block],
			       f->first[3][block] } };
}

/* Predicates are few, and each is a range of POS; in the other orders graphs are. */
static void find_groups(struct index_file *f, enum order order)
{
	size_t cap = 0;

	f->lead = order == ORDER_POS ? 2 : 1;
	for (size_t i = 0; i < f->n_blocks; i++) {
		if (i &&
		    index_file_matches(f, i, &f->groups[f->n_groups - 1].lead, f->lead))
			continue;
		VEC_ADD(f->groups, f->n_groups, cap,
			(struct index_group){ first_row(f, i), i });
	}
	f->groups = xrealloc(f->groups, f->n_groups + 1, sizeof(*f->groups));
	f->groups[f->n_groups] = (struct index_group){ .from = f->n_blocks };
}

enum status index_file_open(struct index_file *ret, const char *path, enum order order,
			    struct diag *why)
{
	struct index_file f = { 0 };
	struct index_header h;
	enum status st;

	TRY(map_file_open(&f.map, path, MAP_RANDOM, why));
	st = check_header(f.map.bytes, order, &h);
	if (st == ST_OK)
		st = find_keys(&f, &h);
	if (st != ST_OK) {
		map_file_release(&f.map);
		return diag_fail(why, st,
				 st == ST_UNSUPPORTED
					 ? "%s: of another version of thresh; load the "
					   "data again"
					 : "%s: header or keys are damaged",
				 path);
	}
	find_groups(&f, order);
	f.checked = xcalloc(f.n_blocks / 8 + 1, 1);
	*ret = f;
	return ST_OK;
}

void index_file_release(struct index_file *f)
{
	map_file_release(&f->map);
	free(f->groups);
	free(f->checked);
	*f = (struct index_file){ 0 };
}

/* Nine bytes, or near the end of the block: there it may be cut off. */
static const uint8_t *get_number_slowly(const uint8_t *p, struct index_walk *w,
					uint64_t *ret)
{
	unsigned n = p < w->block_end && *p ? (unsigned)__builtin_ctz(*p) + 1 : 9;
	uint64_t v = 0;

	*ret = 0;
	if (w->block_end - p < (ptrdiff_t)n) {
		w->end = w->block_end - 1; /* so that the row is past it */
		return w->block_end;
	}
	memcpy(&v, p + n / 9, MIN(n, 8u));
	v = le64toh(v);
	*ret = n == 9 ? v : v >> n;
	return p + n;
}

static inline const uint8_t *get_number(const uint8_t *p, struct index_walk *w,
					uint64_t *ret)
{
	uint64_t v;
	unsigned n;

	if (w->block_end - p < 8 || !*p)
		return get_number_slowly(p, w, ret);
	memcpy(&v, p, 8);
	v = le64toh(v);
	n = (unsigned)__builtin_ctzll(v) + 1;
	*ret = v << (64 - 8 * n) >> (64 - 7 * n);
	return p + n;
}

static inline const uint8_t *get_delta(const uint8_t *p, struct index_walk *w,
				       uint8_t control, uint64_t *ret)
{
	*ret = control & SMALL_LONG;
	return *ret == SMALL_LONG ? get_number(p, w, ret) : p;
}

static inline const uint8_t *get_id(const uint8_t *p, struct index_walk *w, uint64_t *ret)
{
	p = get_number(p, w, ret);
	*ret = from_low(*ret);
	return p;
}

static void fail(struct index_walk *w)
{
	w->damaged = true;
	w->more = false;
}

/* The row at `p`, which changes the one at hand. */
static inline void decode_row(struct index_walk *w, const uint8_t *p)
{
	uint64_t *v = w->at.v, delta;
	uint8_t control = *p++;

	v[0] &= ~ROW_GONE;
	switch (control >> CHANGE_SHIFT) {
	case 0:
		p = get_delta(p, w, control, &delta);
		v[3] += delta;
		break;
	case 1:
		p = get_delta(p, w, control, &delta);
		v[2] += delta;
		p = get_id(p, w, &v[3]);
		break;
	case 2:
		p = get_delta(p, w, control, &delta);
		v[1] += delta;
		p = get_id(p, w, &v[2]);
		p = get_id(p, w, &v[3]);
		break;
	default:
		p = get_id(p, w, &v[0]);
		p = get_id(p, w, &v[1]);
		p = get_id(p, w, &v[2]);
		p = get_id(p, w, &v[3]);
	}
	if (control & GONE_BIT)
		v[0] |= ROW_GONE;
	w->p = p;
	if (p > w->end)
		fail(w);
}

/* Another part begins where this one ends. */
static inline bool has_next_part(const struct index_walk *w)
{
	return w->end < w->block_end && *w->end;
}

/* To the first row of the part from `p` to `end`. */
static void start_part(struct index_walk *w, const uint8_t *p, const uint8_t *end)
{
	w->end = end;
	w->more = true;
	decode_row(w, p);
	if (*p >> CHANGE_SHIFT != CHANGE_WHOLE)
		fail(w);
}

static void start_next_part(struct index_walk *w)
{
	start_part(w, w->end, w->end + INDEX_PART_BYTES);
}

static inline void step(struct index_walk *w)
{
	if (w->p < w->end && *w->p)
		decode_row(w, w->p);
	else if (has_next_part(w))
		start_next_part(w);
	else
		w->more = false;
}

bool index_walk_block(struct index_walk *w, const uint8_t block[static INDEX_BLOCK_BYTES])
{
	*w = (struct index_walk){ .block_end = block + INDEX_BLOCK_BYTES };
	start_part(w, block + BLOCK_HEADER, block + INDEX_PART_BYTES);
	return !w->damaged;
}

bool index_walk_start(struct index_walk *w, const struct index_file *f, size_t block)
{
	const uint8_t *bytes = f->blocks + block * INDEX_BLOCK_BYTES;
	uint8_t bit = (uint8_t)(1 << (block & 7));
	uint32_t check;

	/* Two threads may both check a block for the first time; either sets the bit. */
	if (!(__atomic_load_n(&f->checked[block >> 3], __ATOMIC_RELAXED) & bit)) {
		memcpy(&check, bytes, 4);
		if (check != block_check(bytes)) {
			*w = (struct index_walk){ .damaged = true };
			return false;
		}
		__atomic_fetch_or(&f->checked[block >> 3], bit, __ATOMIC_RELAXED);
	}
	return index_walk_block(w, bytes);
}

/* Leap to the last part that begins before the key. */
static void skip_parts(struct index_walk *w, const struct row *key, unsigned columns)
{
	while (has_next_part(w)) {
		struct index_walk next = *w;

		start_next_part(&next);
		if (next.more && row_cmp_prefix(&next.at, key, columns) >= 0)
			return;
		*w = next;
	}
}

void index_walk_skip(struct index_walk *w, const struct row *key, unsigned columns)
{
	if (!w->more || row_cmp_prefix(&w->at, key, columns) >= 0)
		return;
	skip_parts(w, key, columns);
	while (w->more && row_cmp_prefix(&w->at, key, columns) < 0)
		step(w);
}

size_t index_walk_take(struct index_walk *w, const struct row *key, unsigned columns,
		       struct row *to)
{
	size_t n = 0;

	while (w->more && row_cmp_prefix(&w->at, key, columns) == 0) {
		to[n++] = w->at;
		step(w);
	}
	return n;
}

size_t index_walk_rest(struct index_walk *w, struct row *to)
{
	size_t n = 0;

	while (w->more) {
		to[n++] = w->at;
		step(w);
	}
	return n;
}

/* --- searching --- */

bool index_file_matches(const struct index_file *f, size_t block, const struct row *key,
			unsigned bound)
{
	for (unsigned c = 0; c < bound; c++)
		if (f->first[c][block] != key->v[c])
			return false;
	return true;
}

/* The first place in [low, high) with a number not below `key`; see index_file_find(). */
static size_t find_number(const uint64_t *v, size_t low, size_t high, size_t near,
			  uint64_t key)
{
	if (near >= low && near < high && v[near] < key) {
		low = near + 1;
		for (size_t step = 1; step < high - low; step *= 2) {
			if (v[low + step - 1] >= key) {
				high = low + step - 1;
				break;
			}
			low += step;
		}
	}
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (v[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The first group that is not before the key. */
static const struct index_group *find_group(const struct index_file *f,
					    const struct row *key, unsigned columns)
{
	size_t low = 0, high = f->n_groups;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (row_cmp_prefix(&f->groups[middle].lead, key, columns) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return &f->groups[low];
}

/* Within a group column by column: where one ties, the next one decides. */
size_t index_file_find(const struct index_file *f, size_t near, const struct row *key,
		       unsigned bound)
{
	unsigned c = f->lead;
	const struct index_group *g = find_group(f, key, MIN(bound, c));
	size_t low = g->from, high, at;

	if (bound <= c || low == f->n_blocks || row_cmp_prefix(&g->lead, key, c) != 0)
		return low;
	for (high = g[1].from;; c++) {
		at = find_number(f->first[c], low, high, near, key->v[c]);
		if (c + 1 == bound || at == high || f->first[c][at] != key->v[c])
			return at;
		low = at;
		high = find_number(f->first[c], low, high, low, key->v[c] + 1);
	}
}
