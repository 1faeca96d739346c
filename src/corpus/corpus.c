#include "corpus/corpus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "corpus/html_doc.h"
#include "corpus/json_doc.h"
#include "corpus/text_doc.h"
#include "corpus/warc_doc.h"
#include "web/charset.h"

#define LINE_MAX_BYTES ((size_t)256 << 20)
#define FILE_MAX_BYTES ((size_t)1 << 30)
#define LOOK_BYTES     8192 /* for what tells a program from a text */
/* A part gives a megabyte or so of pages; what has no seam for long is no part. */
#define PART_BYTES     ((uint64_t)128 << 10)
#define PART_MAX_BYTES ((uint64_t)16 << 20)

static bool has_suffix(struct str name, struct str suffix)
{
	if (str_ends(name, STR(".gz")))
		name.n -= 3;
	else if (str_ends(name, STR(".zst")))
		name.n -= 4;
	return name.n >= suffix.n &&
	       str_eq_nocase(str_skip(name, name.n - suffix.n), suffix);
}

static bool looks_like_html(struct str first, struct str name)
{
	return has_suffix(name, STR(".html")) || has_suffix(name, STR(".htm")) ||
	       has_suffix(name, STR(".xhtml")) ||
	       str_starts_nocase(first, STR("<!doctype html")) ||
	       str_starts_nocase(first, STR("<html"));
}

/* No text has a NUL but UTF-16 and UTF-32, which begin with a mark. */
static bool looks_binary(struct str first)
{
	size_t mark = 0;

	if (str_starts(first, STR("%PDF-")))
		return true;
	return !charset_from_bom(first, &mark) &&
	       memchr(first.p, '\0', MIN(first.n, (size_t)LOOK_BYTES));
}

enum corpus_format corpus_detect(struct str all, struct str name)
{
	struct str first = str_trim(str_slice(all, 0, 1024));

	if (str_starts(first, STR("\xef\xbb\xbf")))
		first = str_skip(first, 3);
	if (str_starts(first, STR("WARC/")) || has_suffix(name, STR(".warc")) ||
	    has_suffix(name, STR(".wet")))
		return CORPUS_WARC;
	if (has_suffix(name, STR(".jsonl")) || has_suffix(name, STR(".ndjson")) ||
	    (first.n && *first.p == '{' && !has_suffix(name, STR(".txt"))))
		return CORPUS_JSONL;
	if (looks_like_html(first, name))
		return CORPUS_HTML;
	return all.n && looks_binary(all) ? CORPUS_AUTO : CORPUS_TEXT;
}

/* `shown` is its name for people. */
static enum status add_file(struct corpus *c, const char *path, struct str shown,
			    struct diag *why)
{
	uint64_t bytes;

	TRY(file_size(path, &bytes, why));
	c->total_bytes += bytes;
	struct str copy = arena_copy(&c->names, (struct str){ path, strlen(path) + 1 });
	copy.n--;
	if (str_ends(copy, STR(".gz")) || str_ends(copy, STR(".zst")))
		c->packed_bytes += bytes;
	VEC_ADD(c->files.v, c->files.n, c->files.cap, copy);
	VEC_ADD(c->shown.v, c->shown.n, c->shown.cap, shown.n ? shown : copy);
	return ST_OK;
}

/* Text, but what a page looks like or does, not what it says. */
static bool is_no_document(struct str name)
{
	static const char *const suffixes[] = { ".css", ".svg", ".js", ".mjs", ".map" };

	for (size_t i = 0; i < COUNT(suffixes); i++)
		if (has_suffix(name, str_from(suffixes[i])))
			return true;
	return false;
}

static void pass_over(struct corpus *c, struct str name)
{
	if (!c->n_binary++)
		c->first_binary = name;
}

/* Named by nobody, only found in a folder: what cannot be read is told when it is its
 * turn, and nobody waits for what a pipe may say. */
static void add_found_file(struct corpus *c, const char *path)
{
	struct str name = str_from(path);

	if (is_no_document(name)) {
		pass_over(c, name);
		return;
	}
	if (file_is_stream(path) || add_file(c, path, STR(""), NULL) == ST_OK)
		return;
	VEC_ADD(c->files.v, c->files.n, c->files.cap, name);
	VEC_ADD(c->shown.v, c->shown.n, c->shown.cap, name);
}

struct folder {
	const char *path;
	const struct folder *in;
};

/* Through a link, it is one of those it stands in. */
static bool is_inside_itself(const struct folder *f)
{
	for (const struct folder *up = f->in; up; up = up->in)
		if (file_same(f->path, up->path))
			return true;
	return false;
}

static enum status add_folder(struct corpus *c, const struct folder *f, struct diag *why)
{
	struct str_list names = { 0 };

	if (is_inside_itself(f))
		return ST_OK;
	enum status st = dir_list(f->path, STR(""), &c->names, &names, why);
	for (size_t i = 0; st == ST_OK && i < names.n; i++) {
		const char *path = path_join(&c->names, f->path, names.v[i]);

		if (names.v[i].n == 0 || names.v[i].p[0] == '.')
			continue;
		if (dir_exists(path))
			st = add_folder(c, &(struct folder){ path, f }, why);
		else
			add_found_file(c, path);
	}
	free(names.v);
	return st;
}

static bool is_warc_name(struct str name)
{
	if (str_ends(name, STR(".open"))) /* being written */
		name.n -= 5;
	return has_suffix(name, STR(".warc"));
}

/* Of a crawl's folder only the pages count, which lie in archive/. */
static enum status add_crawl(struct corpus *c, const char *archive, bool *ret_is_one,
			     struct diag *why)
{
	struct str_list names = { 0 };

	*ret_is_one = false;
	if (!dir_exists(archive))
		return ST_OK;
	enum status st = dir_list(archive, STR(""), &c->names, &names, why);
	for (size_t i = 0; st == ST_OK && i < names.n; i++)
		if (is_warc_name(names.v[i])) {
			add_found_file(c, path_join(&c->names, archive, names.v[i]));
			*ret_is_one = true;
		}
	free(names.v);
	return st;
}

static enum status add_named_folder(struct corpus *c, const char *path, struct diag *why)
{
	bool is_crawl;

	TRY(add_crawl(c, path_join(&c->names, path, STR("archive")), &is_crawl, why));
	return is_crawl ? ST_OK : add_folder(c, &(struct folder){ path, NULL }, why);
}

/* What can be read only once becomes a file, because all readers look at files.  It gets
 * its name when it is whole: what has the name can be read again. */
static enum status spool(int from, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf part = { 0 };
	struct file f;
	char block[1 << 16];
	ssize_t n;

	buf_addf(&part, "%s.part", path);
	TRY(file_open(&f, buf_cstr(&part), FILE_CREATE, why));
	enum status st = ST_OK;
	while (st == ST_OK && (n = read(from, block, sizeof(block))) > 0)
		st = file_write(&f, (struct str){ block, (size_t)n }, why);
	if (st == ST_OK && n < 0)
		st = diag_fail(why, ST_IO, "standard input: %s", strerror(errno));
	file_close(&f);
	return st == ST_OK ? file_rename(buf_cstr(&part), path, why) : st;
}

static const char *spool_dir(const struct corpus *c)
{
	return c->options.spool_dir ? c->options.spool_dir : "/tmp";
}

static enum status add_input(struct corpus *c, struct diag *why)
{
	char *path = path_join(&c->names, spool_dir(c), STR(CORPUS_SPOOL));

	if (!c->options.spooled) {
		TRY(dir_make(spool_dir(c), why));
		TRY(spool(STDIN_FILENO, path, why));
	}
	return add_file(c, path, STR(CORPUS_SPOOL), why);
}

/* A pipe that the shell has made, say, of <(...). */
static enum status add_stream(struct corpus *c, const char *from, struct diag *why)
{
	cleanup(file_close) struct file f = { 0 };
	cleanup(buf_release) struct buf name = { 0 };

	buf_addf(&name, "pipe-%zu", c->files.n);
	char *path = path_join(&c->names, spool_dir(c), buf_str(&name));
	TRY(dir_make(spool_dir(c), why));
	TRY(file_open(&f, from, FILE_READ, why));
	TRY(spool(f.fd, path, why));
	return add_file(c, path, str_from(from), why);
}

static enum status add_word(struct corpus *c, struct str word, struct diag *why)
{
	if (str_eq(word, STR("-")))
		return add_input(c, why);
	char *path = arena_alloc(&c->names, word.n + 1);
	memcpy(path, word.p, word.n);
	path[word.n] = '\0';
	if (file_is_stream(path))
		return add_stream(c, path, why);
	if (dir_exists(path))
		return add_named_folder(c, path, why);
	TRY(add_file(c, path, STR(""), why));
	VEC_ADD(c->named.v, c->named.n, c->named.cap, c->files.v[c->files.n - 1]);
	return ST_OK;
}

static void set_defaults(struct corpus_options *o)
{
	if (o->text_field.n == 0)
		o->text_field = STR("text");
	if (o->score_field.n == 0)
		o->score_field = STR("score");
	if (o->part_bytes == 0)
		o->part_bytes = PART_BYTES;
}

enum status corpus_open(struct corpus *c, const struct str *words, size_t n,
			const struct corpus_options *options, struct diag *why)
{
	enum status st = ST_OK;

	*c = (struct corpus){ .options = *options, .line = BUF(LINE_MAX_BYTES) };
	set_defaults(&c->options);
	for (size_t i = 0; st == ST_OK && i < n; i++)
		st = add_word(c, words[i], why);
	if (st != ST_OK)
		corpus_release(c);
	return st;
}

void corpus_work_release(struct corpus_work *w)
{
	arena_release(&w->page);
	buf_release(&w->scratch);
	buf_release(&w->body);
	buf_release(&w->text);
	buf_release(&w->name);
	*w = (struct corpus_work){ 0 };
}

static void close_file(struct corpus *c)
{
	if (!c->open)
		return;
	if (c->format == CORPUS_WARC)
		warc_docs_release(&c->warc);
	else
		decoder_release(&c->decoder);
	c->bytes_before += c->map.bytes.n;
	map_file_release(&c->map);
	c->open = false;
	c->at++;
}

void corpus_release(struct corpus *c)
{
	close_file(c);
	free(c->files.v);
	free(c->shown.v);
	free(c->named.v);
	arena_release(&c->names);
	buf_release(&c->line);
	buf_release(&c->whole);
	corpus_work_release(&c->work);
	*c = (struct corpus){ 0 };
}

static const char *path_of(const struct corpus *c)
{
	return c->files.v[c->at].p; /* ended by NUL, see add_file() */
}

static enum status fail_in_file(const struct corpus *c, enum status st,
				struct diag *cause, struct diag *why)
{
	return diag_fail(why, st, "%.90s: %.150s", c->shown.v[c->at].p, cause->text);
}

/* Open the file, see what it is, and make its reader ready.  On failure the file is
 * open, or not; close_file() or the next one, either way. */
static enum status open_file(struct corpus *c, struct diag *why)
{
	struct str first = { "", 0 };
	struct diag cause = { 0 };

	TRY(map_file_open(&c->map, path_of(c), MAP_SEQUENTIAL, why));
	c->open = true;
	c->line_nr = c->no_part_before = 0;
	c->view = (struct str){ "", 0 };
	c->format = CORPUS_TEXT; /* what close_file() goes by until we know more */
	decoder_init(&c->decoder, c->map.bytes);
	enum status st = decoder_next(&c->decoder, &first, &cause);
	if (st != ST_OK && st != ST_AGAIN)
		return fail_in_file(c, st, &cause, why);
	c->ended = st == ST_AGAIN;
	c->view = first;
	c->format = c->options.format ? c->options.format
				      : corpus_detect(first, c->files.v[c->at]);
	if (c->format == CORPUS_WARC) {
		decoder_release(&c->decoder);
		warc_docs_init(&c->warc, c->map.bytes, c->shown.v[c->at], 0);
	}
	return ST_OK;
}

/* By the user, not only found in a folder. */
static bool is_named(const struct corpus *c, struct str path)
{
	for (size_t i = 0; i < c->named.n; i++)
		if (c->named.v[i].p == path.p)
			return true;
	return false;
}

/* The next file that holds documents.  ST_AGAIN when there is none. */
static enum status need_file(struct corpus *c, struct diag *why)
{
	while (c->at < c->files.n) {
		if (c->open)
			return ST_OK;
		enum status st = open_file(c, why);
		if (st == ST_OK && c->format != CORPUS_AUTO)
			return ST_OK;
		if (st == ST_OK)
			pass_over(c, c->files.v[c->at]);
		if (st == ST_OK && is_named(c, c->files.v[c->at]))
			c->n_named_binary++;
		if (c->open)
			close_file(c);
		else
			c->at++;
		/* The next call goes on with the next file. */
		if (st != ST_OK)
			return st == ST_IO || st == ST_NOT_FOUND ? ST_CORRUPT : st;
	}
	return ST_AGAIN;
}

/* The next bytes of the file into the view, which is empty at the end. */
static enum status more(struct corpus *c, struct diag *why)
{
	struct diag cause = { 0 };
	enum status st = decoder_next(&c->decoder, &c->view, &cause);

	c->ended = st != ST_OK;
	if (c->ended)
		c->view = (struct str){ "", 0 };
	return st == ST_OK || st == ST_AGAIN ? ST_OK : fail_in_file(c, st, &cause, why);
}

/* A line of any length, in one piece. */
static enum status next_line(struct corpus *c, struct str *ret, struct diag *why)
{
	buf_reset(&c->line);
	for (;;) {
		const char *end = memchr(c->view.p, '\n', c->view.n);
		size_t n = end ? (size_t)(end - c->view.p) : c->view.n;

		if (end && c->line.n == 0) {
			*ret = str_slice(c->view, 0, n);
			c->view = str_skip(c->view, n + 1);
			return ST_OK;
		}
		buf_add(&c->line, str_slice(c->view, 0, n));
		c->view = str_skip(c->view, end ? n + 1 : n);
		*ret = buf_str(&c->line);
		if (end)
			return buf_status(&c->line);
		if (c->ended)
			return c->line.n ? ST_OK : ST_AGAIN;
		TRY(more(c, why));
	}
}

static enum status read_line(struct corpus *c, struct corpus_raw *ret, struct diag *why)
{
	do {
		TRY(next_line(c, &ret->bytes, why));
		ret->place = ++c->line_nr;
	} while (str_trim(ret->bytes).n == 0);
	if (c->decoder.format == MEMBER_PLAIN && ret->bytes.p != c->line.p)
		ret->offset = (uint64_t)(ret->bytes.p - c->map.bytes.p);
	return ST_OK;
}

/* The whole file is one document. */
static enum status read_file(struct corpus *c, struct corpus_raw *ret, struct diag *why)
{
	if (c->line_nr++)
		return ST_AGAIN;
	buf_reset(&c->whole);
	while (!c->ended) {
		if (c->whole.n + c->view.n > FILE_MAX_BYTES)
			return diag_fail(why, ST_TOO_LARGE,
					 "%s: too large for one document",
					 c->shown.v[c->at].p);
		buf_add(&c->whole, c->view);
		TRY(more(c, why));
	}
	ret->name = ret->file;
	ret->bytes = buf_str(&c->whole);
	return ST_OK;
}

enum status corpus_read(struct corpus *c, struct corpus_raw *ret, struct diag *why)
{
	enum status st = c->pending;

	if (st != ST_OK) {
		c->pending = ST_OK;
		return diag_fail(why, st, "%s", c->pending_why.text);
	}
	for (;;) {
		TRY(need_file(c, why));
		/* What the record before lay in is no longer looked at. */
		map_file_pass(&c->map, (size_t)(corpus_bytes_done(c) - c->bytes_before));
		*ret = (struct corpus_raw){ .format = c->format,
					    .file = c->shown.v[c->at],
					    .file_nr = c->at,
					    .offset = CORPUS_NO_OFFSET };
		if (c->format == CORPUS_WARC)
			st = warc_docs_next(&c->warc, ret, why);
		else if (c->format == CORPUS_JSONL)
			st = read_line(c, ret, why);
		else
			st = read_file(c, ret, why);
		if (st != ST_AGAIN)
			return st;
		close_file(c);
	}
}

static bool may_have_parts(const struct corpus *c)
{
	const struct decoder *in = &c->warc.reader.decoder;

	return c->open && c->format == CORPUS_WARC && in->format != MEMBER_PLAIN &&
	       !decoder_has_dictionary(in) && warc_docs_between_members(&c->warc);
}

bool corpus_take_part(struct corpus *c, struct corpus_part *ret)
{
	struct decoder *in = &c->warc.reader.decoder;

	/* A file that was given out to its end is done; the next one may have parts. */
	if (may_have_parts(c) && in->next >= in->in.n)
		close_file(c);
	if (c->pending != ST_OK)
		return false;
	enum status st = need_file(c, &c->pending_why);
	if (st != ST_OK && st != ST_AGAIN)
		c->pending = st;
	if (!may_have_parts(c) || in->next < c->no_part_before)
		return false;
	uint64_t start = in->next,
		 end = decoder_find_record(in, start + c->options.part_bytes);
	if (end - start > PART_MAX_BYTES) {
		c->no_part_before = end;
		return false;
	}
	*ret = (struct corpus_part){ .bytes = str_slice(in->in, start, end),
				     .file = c->shown.v[c->at],
				     .file_nr = c->at,
				     .start = start,
				     .end = end };
	map_file_pass(&c->map, (size_t)start);
	warc_seek(&c->warc.reader, end);
	return true;
}

void corpus_go_to(struct corpus *c, size_t file_nr, uint64_t place)
{
	if (c->open && c->at == file_nr && c->format == CORPUS_WARC)
		warc_seek(&c->warc.reader, place);
}

enum status corpus_parse(const struct corpus_options *options,
			 const struct corpus_raw *raw, struct corpus_work *work,
			 struct corpus_doc *ret, struct diag *why)
{
	*ret = (struct corpus_doc){ 0 };
	arena_reset(&work->page);
	switch (raw->format) {
	case CORPUS_WARC:
		return warc_doc_parse(options, raw, work, ret);
	case CORPUS_JSONL:
		return json_doc_parse(options, raw, work, ret, why);
	case CORPUS_HTML:
		ret->name = raw->name;
		html_doc_read(options, raw->bytes, STR("text/html"), work, ret);
		return ST_OK;
	default:
		ret->name = raw->name;
		ret->text = text_doc_read(raw->bytes, STR(""), work);
		return ST_OK;
	}
}

enum status corpus_next(struct corpus *c, struct corpus_doc *ret, struct diag *why)
{
	struct corpus_raw raw;
	enum status st;

	do {
		TRY(corpus_read(c, &raw, why));
		st = corpus_parse(&c->options, &raw, &c->work, ret, why);
	} while (st == ST_NOT_FOUND);
	return st;
}

uint64_t corpus_bytes_done(const struct corpus *c)
{
	uint64_t here = 0;

	if (c->open && c->format == CORPUS_WARC)
		here = c->warc.reader.decoder.next;
	else if (c->open)
		here = c->decoder.format == MEMBER_PLAIN && c->map.bytes.n
			       ? (uint64_t)(c->view.p - c->map.bytes.p)
			       : c->decoder.next;
	return c->bytes_before + MIN(here, (uint64_t)c->map.bytes.n);
}
