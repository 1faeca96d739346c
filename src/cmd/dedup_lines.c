#include "cmd/dedup_lines.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "os/file.h"

#define LINES_NAME "lines"
#define COPY_BYTES ((size_t)256 << 10)

enum status lines_open(struct dedup_lines *l, const char *dir, struct diag *why)
{
	struct arena a = { 0 };
	const char *path = path_join(&a, dir, STR(LINES_NAME));
	enum status st = ST_OK;

	*l = (struct dedup_lines){ .made = fopen(path, "w+e") };
	if (l->made)
		setvbuf(l->made, NULL, _IOFBF, COPY_BYTES);
	else
		st = diag_fail(why, ST_IO, "cannot write %s", path);
	arena_release(&a);
	return st;
}

void lines_release(struct dedup_lines *l)
{
	if (l->made)
		fclose(l->made);
	free(l->v);
	*l = (struct dedup_lines){ 0 };
}

void lines_add_place(struct dedup_lines *l, size_t file, uint64_t offset, size_t bytes)
{
	VEC_ADD(l->v, l->n, l->cap,
		(struct line_place){ offset, (uint32_t)bytes, (uint32_t)file });
}

void lines_add_made(struct dedup_lines *l, struct str line)
{
	fwrite(line.p, 1, line.n, l->made);
	lines_add_place(l, LINES_MADE, l->made_bytes, line.n);
	l->made_bytes += line.n;
}

static FILE *open_run(struct lines_copy *c)
{
	uint32_t file = c->run.file;

	if (file == LINES_MADE)
		return c->lines->made;
	if (!c->from || c->from_nr != file) {
		if (c->from)
			fclose(c->from);
		c->from = fopen(c->files->v[file].p, "re"); /* ended by NUL */
		c->from_nr = file;
	}
	return c->from;
}

static enum status copy_run(struct lines_copy *c, struct diag *why)
{
	FILE *from = open_run(c);

	if (!from || fseeko(from, (off_t)c->run.offset, SEEK_SET) != 0)
		return diag_fail(why, ST_IO, "cannot read the kept documents again");
	for (uint64_t left = c->run.bytes; left > 0;) {
		size_t n = (size_t)MIN(left, (uint64_t)COPY_BYTES);

		if (fread(c->block, 1, n, from) != n)
			return diag_fail(why, ST_IO,
					 "the input changed while it was read");
		fwrite(c->block, 1, n, c->out);
		left -= n;
	}
	return ST_OK;
}

enum status lines_copy_start(struct lines_copy *c, struct dedup_lines *lines,
			     const struct str_list *files, FILE *out, struct diag *why)
{
	*c = (struct lines_copy){ .lines = lines, .files = files, .out = out };
	if (fflush(lines->made) != 0 || ferror(lines->made))
		return diag_fail(why, ST_IO, "cannot write to the folder of the run");
	c->block = xrealloc(NULL, COPY_BYTES, 1);
	c->run.file = LINES_MADE;
	return ST_OK;
}

enum status lines_copy_add(struct lines_copy *c, size_t doc, struct diag *why)
{
	const struct line_place *p = &c->lines->v[doc];

	if (p->file != c->run.file || p->offset != c->run.offset + c->run.bytes) {
		TRY(copy_run(c, why));
		c->run = (struct line_run){ p->file, p->offset, 0 };
	}
	c->run.bytes += p->bytes;
	return ST_OK;
}

enum status lines_copy_end(struct lines_copy *c, struct diag *why)
{
	return copy_run(c, why);
}

void lines_copy_release(struct lines_copy *c)
{
	if (c->from)
		fclose(c->from);
	free(c->block);
	*c = (struct lines_copy){ 0 };
}
