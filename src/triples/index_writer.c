#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "triples/index_format.h"

#define ROW_BYTES_MAX 37 /* control byte and four numbers of nine bytes */
#define PENDING_BYTES ((size_t)1 << 20)

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

/*
 * A number is as long as its first byte says: one byte more than it has zeros in
 * its low bits, or nine.  So its length is known before its bytes are looked at.
 */
static uint8_t *put_number(uint8_t *p, uint64_t v)
{
	unsigned bits = 64 - (unsigned)__builtin_clzll(v | 1), n = (bits + 6) / 7;

	if (n > 8) {
		*p++ = 0;
		n = 8;
	} else {
		v = (v << 1 | 1) << (n - 1);
	}
	v = htole64(v);
	memcpy(p, &v, n);
	return p + n;
}

/* Where `r` first differs from `last`: the graph, 2, 1, 0 the last column. */
static unsigned first_change(const struct row *r, const struct row *last)
{
	if (!last || (r->v[0] ^ last->v[0]) & ~ROW_GONE)
		return CHANGE_WHOLE;
	return r->v[1] != last->v[1] ? 2 : r->v[2] != last->v[2] ? 1 : 0;
}

/* `last` NULL: whole. */
static size_t encode(const struct row *r, const struct row *last, uint8_t *to)
{
	unsigned change = first_change(r, last);
	uint64_t graph = r->v[0] & ~ROW_GONE;
	uint8_t control = (uint8_t)(change << CHANGE_SHIFT |
				    (row_is_gone(r) ? GONE_BIT : 0)),
		*p = to + 1;

	switch (change) {
	case 0: {
		uint64_t delta = r->v[3] - last->v[3];

		*to = control | (uint8_t)(delta <= SMALL_MAX ? delta : SMALL_LONG);
		return (size_t)((delta <= SMALL_MAX ? p : put_number(p, delta)) - to);
	}
	case 1: {
		uint64_t delta = r->v[2] - last->v[2];

		*to = control | (uint8_t)(delta <= SMALL_MAX ? delta : SMALL_LONG);
		if (delta > SMALL_MAX)
			p = put_number(p, delta);
		return (size_t)(put_number(p, to_low(r->v[3])) - to);
	}
	case 2: {
		uint64_t delta = r->v[1] - last->v[1];

		*to = control | (uint8_t)(delta <= SMALL_MAX ? delta : SMALL_LONG);
		if (delta > SMALL_MAX)
			p = put_number(p, delta);
		p = put_number(p, to_low(r->v[2]));
		return (size_t)(put_number(p, to_low(r->v[3])) - to);
	}
	default:
		*to = control;
		p = put_number(p, to_low(graph));
		p = put_number(p, to_low(r->v[1]));
		p = put_number(p, to_low(r->v[2]));
		return (size_t)(put_number(p, to_low(r->v[3])) - to);
	}
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

	if (w->used == BLOCK_HEADER)
		return ST_OK;
	check = block_check(w->block);
	memcpy(w->block, &check, 4);
	buf_add(&w->pending, (struct str){ (const char *)w->block, INDEX_BLOCK_BYTES });
	memset(w->block, 0, INDEX_BLOCK_BYTES);
	w->used = BLOCK_HEADER;
	return w->pending.n >= PENDING_BYTES ? flush(w, why) : ST_OK;
}

enum status index_writer_add(struct index_writer *w, const struct row *r,
			     struct diag *why)
{
	uint8_t bytes[ROW_BYTES_MAX];
	size_t room = -w->used % INDEX_PART_BYTES, n;

	n = encode(r, w->used > BLOCK_HEADER ? &w->last : NULL, bytes);
	if (n > room) {
		n = encode(r, NULL, bytes);
		w->used += room;
		if (w->used == INDEX_BLOCK_BYTES)
			TRY(end_block(w, why));
	}
	if (w->used == BLOCK_HEADER) {
		struct index_key key = { *r, w->n_rows - 2 * w->n_gone };

		key.first.v[0] &= ~ROW_GONE;
		VEC_ADD(w->keys, w->n_keys, w->keys_cap, key);
	}
	memcpy(w->block + w->used, bytes, n);
	w->used += n;
	w->n_rows++;
	w->n_gone += row_is_gone(r);
	w->last = *r;
	return ST_OK;
}

/* The keys column by column: a search reads one of them, mostly. */
static enum status write_keys(struct index_writer *w, uint32_t *ret_check,
			      struct diag *why)
{
	uint64_t *columns = xrealloc(NULL, w->n_keys + 1, KEY_BYTES);
	struct str bytes = { (const char *)columns, w->n_keys * KEY_BYTES };

	for (size_t i = 0; i < w->n_keys; i++) {
		for (size_t c = 0; c < 4; c++)
			columns[c * w->n_keys + i] = w->keys[i].first.v[c];
		columns[4 * w->n_keys + i] = w->keys[i].live_before;
	}
	*ret_check = checksum32(bytes);
	enum status st = file_write(&w->file, bytes, why);
	free(columns);
	return st;
}

enum status index_writer_end(struct index_writer *w, struct diag *why)
{
	struct index_header h = { .version = INDEX_VERSION, .order = w->order };

	TRY(end_block(w, why));
	TRY(flush(w, why));
	TRY(write_keys(w, &h.keys_check, why));
	memcpy(h.magic, INDEX_MAGIC, 8);
	h.blocks = w->n_keys;
	h.rows = w->n_rows;
	h.gone = w->n_gone;
	h.check = checksum32((struct str){ (const char *)&h, sizeof(h) - 4 });
	TRY(file_write_at(&w->file, (struct str){ (const char *)&h, sizeof(h) }, 0, why));
	return file_sync(&w->file, why);
}
