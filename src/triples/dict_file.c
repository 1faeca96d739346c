#include "triples/dict_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

#define MAGIC         "threshdi"
#define VERSION       1
#define PENDING_BYTES ((size_t)1 << 20)

struct dict_header {
	char magic[8];
	uint32_t version, flags;
	uint64_t terms, block_bytes;
	uint32_t tail_check, zero[6], check;
};
_Static_assert(sizeof(struct dict_header) == 64, "on disk");

/* --- writing --- */

enum status dict_writer_open(struct dict_writer *w, const char *path, bool permuted,
			     struct diag *why)
{
	char zeros[sizeof(struct dict_header)] = { 0 };

	*w = (struct dict_writer){ .permuted = permuted };
	TRY(file_open(&w->file, path, FILE_CREATE, why));
	return file_write(&w->file, (struct str){ zeros, sizeof(zeros) }, why);
}

void dict_writer_release(struct dict_writer *w)
{
	file_close(&w->file);
	buf_release(&w->block);
	buf_release(&w->pending);
	buf_release(&w->last);
	free(w->offsets);
	free(w->numbers);
	w->offsets = NULL;
	w->numbers = NULL;
}

static enum status flush(struct dict_writer *w, struct diag *why)
{
	TRY(buf_status(&w->pending));
	TRY(file_write(&w->file, buf_str(&w->pending), why));
	buf_reset(&w->pending);
	return ST_OK;
}

static enum status end_block(struct dict_writer *w, struct diag *why)
{
	if (w->block.n == 0)
		return ST_OK;
	TRY(buf_status(&w->block));
	VEC_ADD(w->offsets, w->n_offsets, w->offsets_cap, w->bytes);
	buf_add_u32(&w->pending, checksum32(buf_str(&w->block)));
	buf_add(&w->pending, buf_str(&w->block));
	w->bytes += 4 + w->block.n;
	buf_reset(&w->block);
	return w->pending.n >= PENDING_BYTES ? flush(w, why) : ST_OK;
}

static size_t shared_bytes(struct str a, struct str b)
{
	size_t n = MIN(a.n, b.n), i = 0;

	while (i < n && a.p[i] == b.p[i])
		i++;
	return i;
}

enum status dict_writer_add(struct dict_writer *w, struct str key, uint64_t number,
			    struct diag *why)
{
	size_t shared = 0;

	if (w->n % DICT_BLOCK_TERMS == 0)
		TRY(end_block(w, why));
	else
		shared = shared_bytes(buf_str(&w->last), key);
	buf_add_varint(&w->block, shared);
	buf_add_sized(&w->block, str_skip(key, shared));
	w->last.n = shared;
	buf_add(&w->last, str_skip(key, shared));
	if (w->permuted)
		VEC_ADD(w->numbers, w->n_numbers, w->numbers_cap, (uint32_t)number);
	w->n++;
	return ST_OK;
}

/* Offsets, and the permutation in both directions. */
static void add_tail(const struct dict_writer *w, struct buf *tail)
{
	buf_add(tail, (struct str){ (const char *)w->offsets,
				    w->n_offsets * sizeof(*w->offsets) });
	if (!w->permuted)
		return;
	uint32_t *ranks = xcalloc(w->n + 1, sizeof(*ranks));
	for (size_t i = 0; i < w->n; i++)
		ranks[w->numbers[i]] = (uint32_t)i;
	buf_add(tail, (struct str){ (const char *)w->numbers, w->n * sizeof(uint32_t) });
	buf_add(tail, (struct str){ (const char *)ranks, w->n * sizeof(uint32_t) });
	free(ranks);
}

enum status dict_writer_end(struct dict_writer *w, struct diag *why)
{
	struct dict_header h = { .version = VERSION };
	cleanup(buf_release) struct buf tail = BUF((size_t)16 << 30);

	TRY(end_block(w, why));
	for (; w->bytes % 8; w->bytes++)
		buf_add_char(&w->pending, '\0'); /* the tail is read in place: aligned */
	TRY(flush(w, why));
	add_tail(w, &tail);
	TRY(buf_status(&tail));
	TRY(file_write(&w->file, buf_str(&tail), why));
	memcpy(h.magic, MAGIC, 8);
	h.flags = w->permuted ? DICT_PERMUTED : 0;
	h.terms = w->n;
	h.block_bytes = w->bytes;
	h.tail_check = checksum32(buf_str(&tail));
	h.check = checksum32((struct str){ (const char *)&h, sizeof(h) - 4 });
	TRY(file_write_at(&w->file, (struct str){ (const char *)&h, sizeof(h) }, 0, why));
	return file_sync(&w->file, why);
}

/* --- reading --- */

static bool permutation_is_sound(const struct dict_file *f)
{
	for (uint64_t i = 0; i < f->n; i++)
		if (f->number_of_rank[i] >= f->n || f->rank_of_number[i] >= f->n)
			return false;
	return true;
}

static enum status set_parts(struct dict_file *f)
{
	struct str bytes = f->map.bytes, tail;
	struct dict_header h;

	if (bytes.n < sizeof(h))
		return ST_CORRUPT;
	memcpy(&h, bytes.p, sizeof(h));
	if (memcmp(h.magic, MAGIC, 8) != 0 ||
	    h.check != checksum32((struct str){ bytes.p, sizeof(h) - 4 }))
		return ST_CORRUPT;
	if (h.version != VERSION)
		return ST_UNSUPPORTED;
	f->n = h.terms;
	f->n_blocks = (h.terms + DICT_BLOCK_TERMS - 1) / DICT_BLOCK_TERMS;
	f->blocks = str_slice(bytes, sizeof(h), sizeof(h) + h.block_bytes);
	tail = str_skip(bytes, sizeof(h) + h.block_bytes);
	uint64_t want = f->n_blocks * 8 + (h.flags & DICT_PERMUTED ? h.terms * 8 : 0);
	if (f->blocks.n != h.block_bytes || tail.n != want || h.block_bytes % 8 ||
	    checksum32(tail) != h.tail_check)
		return ST_CORRUPT;
	f->offsets = (const void *)tail.p;
	if (h.flags & DICT_PERMUTED) {
		f->number_of_rank = (const void *)(f->offsets + f->n_blocks);
		f->rank_of_number = f->number_of_rank + h.terms;
		return permutation_is_sound(f) ? ST_OK : ST_CORRUPT;
	}
	return ST_OK;
}

enum status dict_file_open(struct dict_file *ret, const char *path, struct diag *why)
{
	struct dict_file f = { 0 };
	enum status st;

	TRY(map_file_open(&f.map, path, MAP_RANDOM, why));
	st = set_parts(&f);
	if (st != ST_OK) {
		map_file_release(&f.map);
		return diag_fail(why, st, "%s: header or offsets are damaged", path);
	}
	f.checked = xcalloc(f.n_blocks / 8 + 1, 1);
	*ret = f;
	return ST_OK;
}

void dict_file_release(struct dict_file *f)
{
	map_file_release(&f->map);
	free(f->checked);
	*f = (struct dict_file){ 0 };
}

/* The bytes of a block behind its checksum; empty when it is damaged. */
static struct str block_bytes(const struct dict_file *f, size_t block)
{
	uint64_t from = f->offsets[block],
		 to = block + 1 < f->n_blocks ? f->offsets[block + 1] : f->blocks.n;
	struct str b = str_slice(f->blocks, from, to);
	uint8_t bit = (uint8_t)(1 << (block & 7));
	uint32_t check;

	if (!str_take_u32(&b, &check))
		return (struct str){ 0 };
	if (__atomic_load_n(&f->checked[block >> 3], __ATOMIC_RELAXED) & bit)
		return b;
	/* The last block is followed by zeros up to a multiple of eight. */
	for (unsigned cut = 0; cut < 8 && cut <= b.n; cut++) {
		if (checksum32(str_slice(b, 0, b.n - cut)) == check) {
			__atomic_fetch_or(&f->checked[block >> 3], bit, __ATOMIC_RELAXED);
			return b;
		}
		if (block + 1 < f->n_blocks)
			break;
	}
	return (struct str){ 0 };
}

/* The next key of a block: `key` is the one before, and becomes it. */
static bool take_key(struct str *in, struct buf *key)
{
	uint64_t shared;
	struct str rest;

	if (!str_take_varint(in, &shared) || shared > key->n ||
	    !str_take_sized(in, &rest))
		return false;
	key->n = shared;
	buf_add(key, rest);
	return true;
}

/* The first key of a block as it stands there. */
static struct str first_key(const struct dict_file *f, size_t block)
{
	struct str in = block_bytes(f, block), key;
	uint64_t shared;

	if (!str_take_varint(&in, &shared) || !str_take_sized(&in, &key))
		return (struct str){ 0 };
	return key;
}

uint64_t dict_file_find(const struct dict_file *f, struct str key)
{
	size_t low = 0, high = f->n_blocks;
	cleanup(buf_release) struct buf at = { 0 };

	while (low < high) { /* the last block whose first key is not after `key` */
		size_t middle = (low + high) / 2;

		if (str_cmp(first_key(f, middle), key) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return DICT_NONE;
	struct str in = block_bytes(f, low - 1);
	uint64_t rank = (low - 1) * DICT_BLOCK_TERMS;

	for (; rank < f->n && rank < low * DICT_BLOCK_TERMS && take_key(&in, &at);
	     rank++) {
		int order = str_cmp(buf_str(&at), key);

		if (order == 0)
			return f->number_of_rank ? f->number_of_rank[rank] : rank;
		if (order > 0)
			break;
	}
	return DICT_NONE;
}

bool dict_file_key(const struct dict_file *f, uint64_t number, struct buf *to)
{
	uint64_t rank = f->rank_of_number ? f->rank_of_number[number] : number;
	struct str in = block_bytes(f, rank / DICT_BLOCK_TERMS);

	buf_reset(to);
	for (uint64_t i = 0; i <= rank % DICT_BLOCK_TERMS; i++)
		if (!take_key(&in, to))
			return false;
	return true;
}

void dict_cursor_release(struct dict_cursor *c)
{
	buf_release(&c->key);
	*c = (struct dict_cursor){ 0 };
}

bool dict_file_key_near(const struct dict_file *f, uint64_t number, struct dict_cursor *c)
{
	uint64_t rank = f->rank_of_number ? f->rank_of_number[number] : number,
		 block = rank / DICT_BLOCK_TERMS, at = c->rank + 1;

	if (c->file == f && c->rank == rank)
		return true;
	if (c->file != f || c->rank > rank || c->rank / DICT_BLOCK_TERMS != block) {
		c->rest = block_bytes(f, block);
		at = block * DICT_BLOCK_TERMS;
		buf_reset(&c->key);
	}
	c->file = NULL;
	for (; at <= rank; at++)
		if (!take_key(&c->rest, &c->key))
			return false;
	c->file = f;
	c->rank = rank;
	return true;
}

bool dict_file_next(const struct dict_file *f, struct dict_cursor *c,
		    uint64_t *ret_number)
{
	uint64_t rank = c->file == f ? c->rank + 1 : 0;

	if (rank == f->n)
		return false;
	if (rank % DICT_BLOCK_TERMS == 0) {
		c->rest = block_bytes(f, rank / DICT_BLOCK_TERMS);
		buf_reset(&c->key);
	}
	if (!take_key(&c->rest, &c->key))
		return false;
	c->file = f;
	c->rank = rank;
	*ret_number = f->number_of_rank ? f->number_of_rank[rank] : rank;
	return true;
}
