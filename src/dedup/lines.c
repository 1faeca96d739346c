#include "dedup/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define LINES_NAME "lines"
#define COPY_BYTES ((size_t)256 << 10)

static const struct segment_kind kind = { "THRLINES", 1, true };

enum status lines_open(struct dedup_lines *l, const char *dir, size_t hold_bytes,
		       struct diag *why)
{
	struct arena a = { 0 };
	const char *path = path_join(&a, dir, STR(LINES_NAME));

	*l = (struct dedup_lines){ 0 };
	enum status st = file_remove(path, why);
	if (st == ST_OK)
		st = segment_open(&l->made, path, &kind, 0, NULL, why);
	if (st == ST_OK)
		segment_hold(&l->made, hold_bytes);
	arena_release(&a);
	return st;
}

void lines_release(struct dedup_lines *l)
{
	segment_close(&l->made);
	free(l->v);
	*l = (struct dedup_lines){ 0 };
}

void lines_add_place(struct dedup_lines *l, size_t file, uint64_t offset, size_t bytes)
{
	VEC_ADD(l->v, l->n, l->cap,
		(struct line_place){ offset, (uint32_t)bytes, (uint32_t)file });
}

enum status lines_add_made(struct dedup_lines *l, struct str line, struct diag *why)
{
	uint64_t at;

	TRY(segment_add(&l->made, line, &at, why));
	lines_add_place(l, LINES_MADE, at + SEGMENT_OVERHEAD, line.n);
	return ST_OK;
}

enum status lines_copy_start(struct lines_copy *c, struct dedup_lines *lines,
			     const struct str_list *files, struct file *out,
			     struct diag *why)
{
	*c = (struct lines_copy){ .lines = lines, .files = files, .out = out };
	/* All in memory, or all in the file. */
	return lines->made.file.size ? segment_flush(&lines->made, why) : ST_OK;
}

/* Write what waits, but for the last `rest` bytes, which stand in the last piece. */
static enum status copy_but(struct lines_copy *c, size_t rest, struct diag *why)
{
	if (c->n == 0)
		return ST_OK;
	struct iovec *last = &c->v[c->n - 1];
	char *end = (char *)last->iov_base + last->iov_len - rest;

	last->iov_len -= rest;
	TRY(file_writev(c->out, c->v, c->n, why));
	map_file_pass(&c->map, c->map.bytes.n ? (size_t)(end - c->map.bytes.p) : 0);
	c->v[0] = (struct iovec){ end, rest };
	c->n = rest > 0;
	c->bytes = rest;
	return ST_OK;
}

/* The bytes in which the lines of file `nr` stand. */
static enum status open_source(struct lines_copy *c, uint32_t nr, struct diag *why)
{
	const struct segment *made = &c->lines->made;

	if (c->started && c->from_nr == nr)
		return ST_OK;
	TRY(copy_but(c, 0, why));
	map_file_release(&c->map);
	if (nr == LINES_MADE && made->file.size == 0) {
		c->from = buf_str(&made->pending);
	} else {
		const char *path = nr == LINES_MADE ? made->file.path
						    : c->files->v[nr].p; /* and NUL */

		TRY(map_file_open(&c->map, path, MAP_SEQUENTIAL, why));
		c->from = c->map.bytes;
	}
	c->from_nr = nr;
	c->started = true;
	return ST_OK;
}

enum status lines_copy_add(struct lines_copy *c, size_t doc, struct diag *why)
{
	const struct line_place *p = &c->lines->v[doc];

	TRY(open_source(c, p->file, why));
	if (p->offset + p->bytes > c->from.n)
		return diag_fail(why, ST_IO, "the input changed while it was read");
	char *at = (char *)(uintptr_t)c->from.p + p->offset; /* writev() only reads */
	struct iovec *last = c->n ? &c->v[c->n - 1] : NULL;
	if (last && (char *)last->iov_base + last->iov_len == at)
		last->iov_len += p->bytes;
	else
		c->v[c->n++] = (struct iovec){ at, p->bytes };
	c->bytes += p->bytes;
	/* Up to a round place in the output: there the kernel takes large pages, which
	 * cost it half as much. */
	size_t rest = (size_t)((c->out->size + c->bytes) % COPY_BYTES);
	if (rest < p->bytes && rest < c->bytes)
		return copy_but(c, rest, why);
	return c->n == LINES_AT_ONCE ? copy_but(c, 0, why) : ST_OK;
}

enum status lines_copy_end(struct lines_copy *c, struct diag *why)
{
	return copy_but(c, 0, why);
}

void lines_copy_release(struct lines_copy *c)
{
	map_file_release(&c->map);
	*c = (struct lines_copy){ 0 };
}
