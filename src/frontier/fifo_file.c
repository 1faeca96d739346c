#include "frontier/fifo_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define LINK_BYTES 4u

/*
 * A position is never that of a link: behind the last byte of block b it is
 * (b + 1) * FIFO_BLOCK, which is the start of another block and therefore can
 * mean nothing else.
 */
static uint32_t block_of(uint64_t at)
{
	return (uint32_t)((at - 1) / FIFO_BLOCK);
}

static uint64_t first_of(uint32_t block)
{
	return (uint64_t)block * FIFO_BLOCK + LINK_BYTES;
}

static bool at_block_end(uint64_t at)
{
	return at % FIFO_BLOCK == 0;
}

enum status fifo_file_open(struct fifo_file *f, const char *path, struct diag *why)
{
	*f = (struct fifo_file){ .blocks = 1 };
	TRY(file_remove(path, why));
	TRY(file_open(&f->file, path, FILE_UPDATE, why));
	f->bytes = xrealloc(NULL, FIFO_PAGES, FIFO_PAGE);
	return ST_OK;
}

void fifo_file_close(struct fifo_file *f)
{
	struct diag why;

	if (f->file.path && file_remove(f->file.path, &why) != ST_OK)
		why.text[0] = '\0'; /* the next process will */
	file_close(&f->file);
	free(f->bytes);
	*f = (struct fifo_file){ 0 };
}

static enum status write_page(struct fifo_file *f, struct fifo_page *p, const char *bytes,
			      struct diag *why)
{
	uint64_t at = (uint64_t)(p->number - 1) * FIFO_PAGE;

	TRY(file_write_at(&f->file, (struct str){ bytes, FIFO_PAGE }, at, why));
	p->changed = false;
	return ST_OK;
}

/* Pages behind the end of the file are zeros. */
static enum status read_page(struct fifo_file *f, uint32_t number, char *to,
			     struct diag *why)
{
	uint64_t at = (uint64_t)number * FIFO_PAGE;
	size_t got = 0;

	if (at >= f->file.size) {
		memset(to, 0, FIFO_PAGE);
		return ST_OK;
	}
	TRY(file_read_at(&f->file, at, to, FIFO_PAGE, &got, why));
	if (got < FIFO_PAGE)
		return diag_fail(why, ST_CORRUPT, "%s: cut short", f->file.path);
	return ST_OK;
}

/* The bytes at `at` in memory, up to the end of their page. */
static enum status get_page(struct fifo_file *f, uint64_t at, bool change, char **ret,
			    struct diag *why)
{
	uint32_t number = (uint32_t)(at / FIFO_PAGE);
	struct fifo_page *p = &f->pages[number % FIFO_PAGES];
	char *bytes = f->bytes + (size_t)(number % FIFO_PAGES) * FIFO_PAGE;

	if (p->number != number + 1) {
		if (p->changed)
			TRY(write_page(f, p, bytes, why));
		p->number = 0;
		TRY(read_page(f, number, bytes, why));
		p->number = number + 1;
	}
	p->changed |= change;
	*ret = bytes + at % FIFO_PAGE;
	return ST_OK;
}

/* `n` bytes that are all in one block. */
static enum status read_part(struct fifo_file *f, uint64_t at, char *to, size_t n,
			     struct diag *why)
{
	char *from;

	if (at / FIFO_BLOCK >= f->blocks)
		return diag_fail(why, ST_CORRUPT, "%s: cut short", f->file.path);
	TRY(get_page(f, at, false, &from, why));
	memcpy(to, from, n);
	return ST_OK;
}

static enum status write_part(struct fifo_file *f, uint64_t at, struct str part,
			      struct diag *why)
{
	char *to;

	TRY(get_page(f, at, true, &to, why));
	memcpy(to, part.p, part.n);
	return ST_OK;
}

static enum status read_link(struct fifo_file *f, uint32_t block, uint32_t *ret,
			     struct diag *why)
{
	return read_part(f, (uint64_t)block * FIFO_BLOCK, (char *)ret, LINK_BYTES, why);
}

static enum status write_link(struct fifo_file *f, uint32_t block, uint32_t next,
			      struct diag *why)
{
	return write_part(f, (uint64_t)block * FIFO_BLOCK,
			  (struct str){ (const char *)&next, LINK_BYTES }, why);
}

static enum status block_take(struct fifo_file *f, uint32_t *ret, struct diag *why)
{
	uint32_t block = f->free_block;

	if (block != 0) {
		TRY(read_link(f, block, &f->free_block, why));
		f->free_count--;
	} else {
		if (f->blocks == UINT32_MAX)
			return diag_fail(why, ST_TOO_LARGE, "%s: full", f->file.path);
		block = f->blocks++;
	}
	*ret = block;
	return ST_OK;
}

static enum status block_free(struct fifo_file *f, uint32_t block, struct diag *why)
{
	TRY(write_link(f, block, f->free_block, why));
	f->free_block = block;
	f->free_count++;
	return ST_OK;
}

/* Make sure that a byte can be written at the tail. */
static enum status grow(struct fifo_file *f, struct fifo *q, struct diag *why)
{
	uint32_t block = 0;

	if (q->tail != 0 && !at_block_end(q->tail))
		return ST_OK;
	TRY(block_take(f, &block, why));
	if (q->tail != 0)
		TRY(write_link(f, block_of(q->tail), block, why));
	else
		q->head = first_of(block);
	q->tail = first_of(block);
	return ST_OK;
}

enum status fifo_add(struct fifo_file *f, struct fifo *q, struct str bytes,
		     uint64_t *ret_at, struct diag *why)
{
	TRY(grow(f, q, why));
	*ret_at = q->tail;
	while (bytes.n > 0) {
		TRY(grow(f, q, why));
		size_t room = FIFO_BLOCK - q->tail % FIFO_BLOCK;
		struct str part = str_slice(bytes, 0, room);

		TRY(write_part(f, q->tail, part, why));
		q->tail += part.n;
		bytes = str_skip(bytes, part.n);
	}
	return ST_OK;
}

enum status fifo_read(struct fifo_file *f, uint64_t *at, char *to, size_t n,
		      struct diag *why)
{
	while (n > 0) {
		if (at_block_end(*at)) {
			uint32_t next;

			TRY(read_link(f, block_of(*at), &next, why));
			*at = first_of(next);
		}
		size_t part = MIN(n, FIFO_BLOCK - *at % FIFO_BLOCK);

		TRY(read_part(f, *at, to, part, why));
		*at += part;
		to += part;
		n -= part;
	}
	return ST_OK;
}

enum status fifo_drop_until(struct fifo_file *f, struct fifo *q, uint64_t at,
			    struct diag *why)
{
	uint32_t block = block_of(q->head), last = block_of(at);

	while (block != last) {
		uint32_t next;

		TRY(read_link(f, block, &next, why));
		TRY(block_free(f, block, why));
		block = next;
	}
	q->head = at;
	if (q->head != q->tail)
		return ST_OK;
	*q = (struct fifo){ 0 };
	return block_free(f, block, why);
}

enum status fifo_set_byte(struct fifo_file *f, uint64_t at, uint8_t byte,
			  struct diag *why)
{
	return write_part(f, at, (struct str){ (const char *)&byte, 1 }, why);
}
