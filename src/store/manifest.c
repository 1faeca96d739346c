#include "store/manifest.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "base/hash.h"
#include "os/file.h"

#define MANIFEST_BYTES ((size_t)1 << 20)
#define HEADLINE       STR("thresh-kb 1\n")

void manifest_release(struct manifest *m)
{
	free(m->segments);
	free(m->parts);
	*m = (struct manifest){ 0 };
}

struct manifest manifest_copy(const struct manifest *m)
{
	struct manifest c = *m;

	c.segments = NULL;
	c.parts = NULL;
	c.n_segments = c.segments_cap = c.n_parts = c.parts_cap = 0;
	for (size_t i = 0; i < m->n_segments; i++)
		VEC_ADD(c.segments, c.n_segments, c.segments_cap, m->segments[i]);
	for (size_t i = 0; i < m->n_parts; i++)
		VEC_ADD(c.parts, c.n_parts, c.parts_cap, m->parts[i]);
	return c;
}

static void format(const struct manifest *m, struct buf *b)
{
	buf_add(b, HEADLINE);
	buf_addf(b, "next %llu\nwal %llu\nblank %llu\nterm %llu\n",
		 (unsigned long long)m->next_file, (unsigned long long)m->wal,
		 (unsigned long long)m->next_blank, (unsigned long long)m->next_term);
	for (size_t i = 0; i < m->n_segments; i++)
		buf_addf(b, "segment %llu\n", (unsigned long long)m->segments[i]);
	for (size_t i = 0; i < m->n_parts; i++)
		buf_addf(b, "dict %llu %llu\n", (unsigned long long)m->parts[i].file,
			 (unsigned long long)m->parts[i].first);
	uint64_t check = hash64(buf_str(b));
	buf_add(b, STR("check "));
	buf_add_hex64(b, check);
	buf_add_char(b, '\n');
}

enum status manifest_save(const struct manifest *m, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };

	format(m, &b);
	return file_save(path, buf_str(&b), why);
}

static bool parse_line(struct str line, struct manifest *m)
{
	struct manifest_part part;
	uint64_t n;

	if (str_take_prefix(&line, STR("next ")))
		return str_to_uint(line, UINT64_MAX, &m->next_file);
	if (str_take_prefix(&line, STR("wal ")))
		return str_to_uint(line, UINT64_MAX, &m->wal);
	if (str_take_prefix(&line, STR("blank ")))
		return str_to_uint(line, UINT64_MAX, &m->next_blank);
	if (str_take_prefix(&line, STR("term ")))
		return str_to_uint(line, UINT64_MAX, &m->next_term);
	if (str_take_prefix(&line, STR("segment "))) {
		if (!str_to_uint(line, UINT64_MAX, &n))
			return false;
		VEC_ADD(m->segments, m->n_segments, m->segments_cap, n);
		return true;
	}
	if (!str_take_prefix(&line, STR("dict ")) ||
	    !str_take_uint(&line, UINT64_MAX, &part.file) || !str_take_char(&line, ' ') ||
	    !str_to_uint(line, UINT64_MAX, &part.first))
		return false;
	VEC_ADD(m->parts, m->n_parts, m->parts_cap, part);
	return true;
}

enum status manifest_parse(struct str text, struct manifest *ret, struct diag *why)
{
	cleanup(manifest_release) struct manifest m = { 0 };
	cleanup(buf_release) struct buf want = { 0 };
	struct str body, line;

	if (text.n < 23)
		return diag_fail(why, ST_CORRUPT, "too short to be a manifest");
	body = str_slice(text, 0, text.n - 23);
	buf_add(&want, STR("check "));
	buf_add_hex64(&want, hash64(body));
	buf_add_char(&want, '\n');
	if (!str_eq(buf_str(&want), str_skip(text, text.n - 23)) ||
	    !str_take_prefix(&body, HEADLINE))
		return diag_fail(why, ST_CORRUPT, "not a manifest, or damaged");
	while (str_take_line(&body, &line))
		if (!parse_line(line, &m))
			return diag_fail(why, ST_CORRUPT,
					 "a line that is not understood: " STR_FMT,
					 STR_ARG(line));
	*ret = TAKE(m);
	return ST_OK;
}

enum status manifest_load(struct manifest *ret, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct diag detail;

	TRY(file_load(path, MANIFEST_BYTES, &b, why));
	enum status st = manifest_parse(buf_str(&b), ret, &detail);
	return st == ST_OK ? ST_OK : diag_fail(why, st, "%s: %s", path, detail.text);
}
