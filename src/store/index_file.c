#include "store/index_file.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

#define MAGIC         "threshix"
#define VERSION       3
#define BLOCK_HEADER  8
#define ROW_BYTES_MAX 41 /* control byte and four varints of ten bytes */
#define PENDING_BYTES ((size_t)1 << 20)
#define SMALL_MAX     30 /* a change of the last column that the control byte holds */
#define SMALL_LONG    31 /* it follows as a varint */
#define GONE_BIT      0x20

struct index_header {
	char magic[8];
	uint32_t version, order;
	uint64_t blocks, rows, gone;
	uint32_t keys_check, check;
};
_Static_assert(sizeof(struct index_header) == 48, "on disk");
_Static_assert(sizeof(struct index_key) == 40, "on disk");

/* The tag goes to the low bits, so that small numbers of any tag are short. */
static inline uint64_t to_low(uint64_t id)
{
	return id << 4 | id >> ID_PAYLOAD_BITS;
}
static inline uint64_t from_low(uint64_t v)
{
	return v >> 4 | v << ID_PAYLOAD_BITS;
}

/* --- writing --- */

enum status index_writer_open(struct index_writer *w, const char *path, enum order order,
			      struct diag *why)
{
	char zeros[INDEX_BLOCK_BYTES] = { 0 };

	*w = (struct index_writer){ .order = order, .used = BLOCK_HEADER };
	TRY(file_open(&w->file, path, FILE_CREATE, why));
	return file_write(&w->file, (struct str){ zeros, sizeof(zeros) }, why);
}

void index_writer_release(struct index_writer *w)
{
	file_close(&w->file);
	free(w->keys);
	buf_release(&w->pending);
	w->keys = NULL;
}

static uint8_t *put_varint(uint8_t *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (uint8_t)(v | 0x80);
	*p++ = (uint8_t)v;
	return p;
}

/* Where `r` first differs from `last`: 3 the graph, 2, 1, 0 the last column. */
static unsigned first_change(const struct row *r, const struct row *last)
{
	if ((r->v[0] ^ last->v[0]) & ~ROW_GONE)
		return 3;
	return r->v[1] != last->v[1] ? 2 : r->v[2] != last->v[2] ? 1 : 0;
}

static size_t encode(const struct row *r, const struct row *last, uint8_t *to)
{
	unsigned change = first_change(r, last);
	uint64_t graph = r->v[0] & ~ROW_GONE;
	uint8_t control = (uint8_t)(change << 6 | (row_is_gone(r) ? GONE_BIT : 0)),
		*p = to + 1;

	switch (change) {
	case 0: {
		uint64_t delta = r->v[3] - last->v[3];

		*to = control | (uint8_t)(delta <= SMALL_MAX ? delta : SMALL_LONG);
		return (size_t)((delta <= SMALL_MAX ? p : put_varint(p, delta)) - to);
	}
	case 1: {
		uint64_t delta = r->v[2] - last->v[2];

		*to = control | (uint8_t)(delta <= SMALL_MAX ? delta : SMALL_LONG);
		if (delta > SMALL_MAX)
			p = put_varint(p, delta);
		return (size_t)(put_varint(p, to_low(r->v[3])) - to);
	}
	case 2: {
		uint64_t delta = r->v[1] - last->v[1];

		*to = control | (uint8_t)(delta <= SMALL_MAX ? delta : SMALL_LONG);
		if (delta > SMALL_MAX)
			p = put_varint(p, delta);
		p = put_varint(p, to_low(r->v[2]));
		return (size_t)(put_varint(p, to_low(r->v[3])) - to);
	}
	default:
		*to = control;
		p = put_varint(p, to_low(graph));
		p = put_varint(p, to_low(r->v[1]));
		p = put_varint(p, to_low(r->v[2]));
		return (size_t)(put_varint(p, to_low(r->v[3])) - to);
	}
}

static void put_u16(uint8_t *p, size_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

static uint32_t block_check(const uint8_t *block)
{
	return checksum32((struct str){ (const char *)block + 4, INDEX_BLOCK_BYTES - 4 });
}

static enum status flush(struct index_writer *w, struct diag *why)
{
	TRY(buf_status(&w->pending));
	TRY(file_write(&w->file, buf_str(&w->pending), why));
	buf_reset(&w->pending);
	return ST_OK;
}

static enum status end_block(struct index_writer *w, struct diag *why)
{
	uint32_t check;

	if (w->n_in_block == 0)
		return ST_OK;
	memset(w->block + w->used, 0, INDEX_BLOCK_BYTES - w->used);
	put_u16(w->block + 4, w->n_in_block);
	put_u16(w->block + 6, w->used);
	check = block_check(w->block);
	memcpy(w->block, &check, 4);
	buf_add(&w->pending, (struct str){ (const char *)w->block, INDEX_BLOCK_BYTES });
	w->used = BLOCK_HEADER;
	w->n_in_block = 0;
	return w->pending.n >= PENDING_BYTES ? flush(w, why) : ST_OK;
}

enum status index_writer_add(struct index_writer *w, const struct row *r,
			     struct diag *why)
{
	uint8_t bytes[ROW_BYTES_MAX];
	size_t n = 0;

	if (w->n_in_block > 0) {
		n = encode(r, &w->last, bytes);
		if (w->used + n > INDEX_BLOCK_BYTES || w->n_in_block == INDEX_ROWS_MAX)
			TRY(end_block(w, why));
	}
	if (w->n_in_block == 0) {
		struct index_key key = { *r, w->n_rows - 2 * w->n_gone };

		VEC_ADD(w->keys, w->n_keys, w->keys_cap, key);
		n = 0;
	}
	memcpy(w->block + w->used, bytes, n);
	w->used += n;
	w->n_in_block++;
	w->n_rows++;
	w->n_gone += row_is_gone(r);
	w->last = *r;
	return ST_OK;
}

enum status index_writer_end(struct index_writer *w, struct diag *why)
{
	struct str keys = { (const char *)w->keys, w->n_keys * sizeof(*w->keys) };
	struct index_header h = { .version = VERSION, .order = w->order };

	TRY(end_block(w, why));
	TRY(flush(w, why));
	keys = (struct str){ (const char *)w->keys, w->n_keys * sizeof(*w->keys) };
	TRY(file_write(&w->file, keys, why));
	memcpy(h.magic, MAGIC, 8);
	h.blocks = w->n_keys;
	h.rows = w->n_rows;
	h.gone = w->n_gone;
	h.keys_check = checksum32(keys);
	h.check = checksum32((struct str){ (const char *)&h, sizeof(h) - 4 });
	TRY(file_write_at(&w->file, (struct str){ (const char *)&h, sizeof(h) }, 0, why));
	return file_sync(&w->file, why);
}

/* --- reading --- */

static enum status check_header(struct str bytes, enum order order,
				struct index_header *h)
{
	if (bytes.n < INDEX_BLOCK_BYTES)
		return ST_CORRUPT;
	memcpy(h, bytes.p, sizeof(*h));
	if (memcmp(h->magic, MAGIC, 8) != 0 || h->order != order ||
	    h->check != checksum32((struct str){ bytes.p, sizeof(*h) - 4 }))
		return ST_CORRUPT;
	if (h->version != VERSION)
		return ST_UNSUPPORTED;
	size_t most = (bytes.n - INDEX_BLOCK_BYTES) /
		      (INDEX_BLOCK_BYTES + sizeof(struct index_key));
	return h->blocks == most && bytes.n == INDEX_BLOCK_BYTES +
						       most * (INDEX_BLOCK_BYTES +
							       sizeof(struct index_key))
		       ? ST_OK
		       : ST_CORRUPT;
}

enum status index_file_open(struct index_file *ret, const char *path, enum order order,
			    struct diag *why)
{
	struct index_file f = { 0 };
	struct index_header h;
	enum status st;

	TRY(map_file_open(&f.map, path, MAP_RANDOM, why));
	st = check_header(f.map.bytes, order, &h);
	if (st == ST_OK) {
		f.n_blocks = h.blocks;
		f.n_rows = h.rows;
		f.n_gone = h.gone;
		f.blocks = (const uint8_t *)f.map.bytes.p + INDEX_BLOCK_BYTES;
		f.keys = (const void *)(f.blocks + f.n_blocks * INDEX_BLOCK_BYTES);
		if (h.keys_check !=
		    checksum32((struct str){ (const char *)f.keys,
					     f.n_blocks * sizeof(*f.keys) }))
			st = ST_CORRUPT;
	}
	if (st != ST_OK) {
		map_file_release(&f.map);
		return diag_fail(why, st, "%s: header or keys are damaged", path);
	}
	f.checked = xcalloc(f.n_blocks / 8 + 1, 1);
	*ret = f;
	return ST_OK;
}

void index_file_release(struct index_file *f)
{
	map_file_release(&f->map);
	free(f->checked);
	*f = (struct index_file){ 0 };
}

/* `end` or something else that is wrong: NULL. */
static const uint8_t *get_varint_slowly(const uint8_t *p, const uint8_t *end,
					uint64_t *ret)
{
	uint64_t v = 0;

	for (unsigned shift = 0; p < end && shift < 70; shift += 7) {
		uint64_t byte = *p++;

		v |= shift < 64 ? (byte & 0x7f) << shift : 0;
		if (byte < 0x80) {
			*ret = v;
			return p;
		}
	}
	return NULL;
}

/*
 * Eight bytes at once: their lengths follow no pattern, and a branch guessed wrong
 * costs more than all of this.
 */
static inline const uint8_t *get_varint(const uint8_t *p, const struct index_walk *w,
					uint64_t *ret)
{
	uint64_t v, ends;

	if (w->behind - p < 8)
		return get_varint_slowly(p, w->end, ret);
	memcpy(&v, p, 8);
	v = le64toh(v);
	ends = ~v & 0x8080808080808080u;
	if (!ends)
		return get_varint_slowly(p, w->end, ret);
	v &= ends ^ (ends - 1); /* up to the first byte that goes on no further */
	v &= 0x7f7f7f7f7f7f7f7fu;
	v = (v & 0x007f007f007f007fu) | (v & 0x7f007f007f007f00u) >> 1;
	v = (v & 0x00003fff00003fffu) | (v & 0x3fff00003fff0000u) >> 2;
	*ret = (v & 0x000000000fffffffu) | (v & 0x0fffffff00000000u) >> 4;
	p += __builtin_ctzll(ends) / 8 + 1;
	return p <= w->end ? p : NULL;
}

static inline const uint8_t *get_delta(const uint8_t *p, const struct index_walk *w,
				       uint8_t control, uint64_t *ret)
{
	if ((control & 0x1f) != SMALL_LONG) {
		*ret = control & 0x1f;
		return p;
	}
	return get_varint(p, w, ret);
}

static inline const uint8_t *get_id(const uint8_t *p, const struct index_walk *w,
				    uint64_t *ret)
{
	uint64_t v;

	p = p ? get_varint(p, w, &v) : NULL;
	if (p)
		*ret = from_low(v);
	return p;
}

/* The row after `r`, into `r`; NULL when the bytes are no row. */
static inline const uint8_t *decode_row(const struct index_walk *w, struct row *r)
{
	const uint8_t *p = w->p;
	uint8_t control;
	uint64_t delta = 0;

	if (p >= w->end)
		return NULL;
	control = *p++;
	r->v[0] &= ~ROW_GONE;
	switch (control >> 6) {
	case 0:
		p = get_delta(p, w, control, &delta);
		r->v[3] += delta;
		break;
	case 1:
		p = get_delta(p, w, control, &delta);
		r->v[2] += delta;
		p = get_id(p, w, &r->v[3]);
		break;
	case 2:
		p = get_delta(p, w, control, &delta);
		r->v[1] += delta;
		p = get_id(p, w, &r->v[2]);
		p = get_id(p, w, &r->v[3]);
		break;
	default:
		p = get_id(p, w, &r->v[0]);
		p = get_id(p, w, &r->v[1]);
		p = get_id(p, w, &r->v[2]);
		p = get_id(p, w, &r->v[3]);
	}
	if (control & GONE_BIT)
		r->v[0] |= ROW_GONE;
	return p;
}

static inline void step(struct index_walk *w)
{
	if (--w->left == 0)
		return;
	w->p = decode_row(w, &w->at);
	if (!w->p) {
		w->damaged = true;
		w->left = 0;
	}
}

bool index_walk_block(struct index_walk *w, const uint8_t block[static INDEX_BLOCK_BYTES],
		      const struct row *first)
{
	size_t n = block[4] | (size_t)block[5] << 8,
	       used = block[6] | (size_t)block[7] << 8;

	*w = (struct index_walk){ .at = *first, .damaged = true };
	if (n == 0 || n > INDEX_ROWS_MAX || used < BLOCK_HEADER ||
	    used > INDEX_BLOCK_BYTES)
		return false;
	w->left = n;
	w->p = block + BLOCK_HEADER;
	w->end = block + used;
	w->behind = block + INDEX_BLOCK_BYTES;
	w->damaged = false;
	return true;
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
	return index_walk_block(w, bytes, &f->keys[block].first);
}

void index_walk_skip(struct index_walk *w, const struct row *key, unsigned columns)
{
	while (w->left && row_cmp_prefix(&w->at, key, columns) < 0)
		step(w);
}

size_t index_walk_take(struct index_walk *w, const struct row *key, unsigned columns,
		       struct row *to)
{
	size_t n = 0;

	while (w->left && row_cmp_prefix(&w->at, key, columns) == 0) {
		to[n++] = w->at;
		step(w);
	}
	return n;
}

size_t index_walk_rest(struct index_walk *w, struct row *to)
{
	size_t n = 0;

	while (w->left) {
		to[n++] = w->at;
		step(w);
	}
	return n;
}

size_t index_file_find(const struct index_file *f, size_t low, size_t high,
		       const struct row *key, unsigned bound)
{
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (row_cmp_prefix(&f->keys[middle].first, key, bound) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : 0;
}
