#include "archive/archive.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/archive_internal.h"
#include "archive/cdx.h"
#include "base/date.h"
#include "base/json.h"

#define ROTATE_DEFAULT ((uint64_t)1000000000)
#define SIDE_BYTES     ((size_t)64 << 10)
#define WARC_BYTES     ((size_t)256 << 10) /* twenty pages cost the kernel half */
#define PIECE_BYTES    ((size_t)256 << 10)

void archive_position_encode(const struct archive_position *p, struct buf *to)
{
	buf_add_varint(to, p->serial);
	buf_add_varint(to, p->warc_bytes);
	buf_add_varint(to, p->cdx_bytes);
	buf_add_varint(to, p->page_bytes);
	buf_add_varint(to, p->log_bytes);
}

enum status archive_position_decode(struct str *in, struct archive_position *ret)
{
	struct archive_position p;
	uint64_t serial;

	if (!str_take_varint(in, &serial) || serial > UINT32_MAX ||
	    !str_take_varint(in, &p.warc_bytes) || !str_take_varint(in, &p.cdx_bytes) ||
	    !str_take_varint(in, &p.page_bytes) || !str_take_varint(in, &p.log_bytes))
		return ST_CORRUPT;
	p.serial = (uint32_t)serial;
	*ret = p;
	return ST_OK;
}

/*
 * A function of the crawl's randomness and the serial alone, so that a worker can
 * name it without asking the writer.  One that was encoded just before a rotation
 * names the file before: the same crawl, the same settings.
 */
struct record_id archive_warcinfo_id(const struct archive *a)
{
	uint64_t words[3] = { a->options.ids.high.state, a->options.ids.low.state,
			      atomic_load(&a->serial) };
	struct u128 h = hash128((struct str){ (const char *)words, sizeof(words) });
	struct id_maker m = { { h.hi }, { h.lo } };

	return id_maker_next(&m);
}

static struct str copy(struct archive *a, struct str s)
{
	return arena_copy(&a->names, s);
}

/* Nothing of the caller's options has to outlive the call. */
static void keep_options(struct archive *a, const struct archive_options *o)
{
	struct archive_about *about = &a->options.about;
	struct str *const texts[] = { &a->options.prefix, &about->operator_name,
				      &about->publisher,  &about->description,
				      &about->part_of,    &about->user_agent,
				      &about->from,       &about->robots };

	a->options = *o;
	if (a->options.prefix.n == 0)
		a->options.prefix = STR("thresh");
	if (a->options.rotate_bytes == 0)
		a->options.rotate_bytes = ROTATE_DEFAULT;
	for (size_t i = 0; i < COUNT(texts); i++)
		*texts[i] = copy(a, *texts[i]);
	a->dir = path_join(&a->names, "", str_from(o->dir));
	a->options.dir = a->dir;
	a->archive_dir = path_join(&a->names, o->dir, STR("archive"));
	a->index_dir = path_join(&a->names, o->dir, STR("indexes"));
}

static enum status open_side(struct archive_side *s, const char *dir, struct str name,
			     struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };

	return file_open(&s->file, path_join(&a, dir, name), FILE_APPEND, why);
}

/* WACZ tools want this line first. */
static enum status begin_pages(struct archive *a, struct diag *why)
{
	if (a->pages.file.size > 0)
		return ST_OK;
	return file_write(&a->pages.file,
			  STR("{\"format\": \"json-pages-1.0\", \"id\": \"pages\", "
			      "\"title\": \"All Pages\"}\n"),
			  why);
}

static enum status open_all(struct archive *a, const struct archive_position *at,
			    struct archive_cut *cut, struct diag *why)
{
	TRY(dir_make(a->archive_dir, why));
	TRY(dir_make(a->index_dir, why));
	TRY(open_side(&a->cdx, a->index_dir, STR("index.cdxj.open"), why));
	TRY(open_side(&a->pages, a->dir, STR("pages.jsonl"), why));
	TRY(open_side(&a->log, a->dir, STR("crawl.log"), why));
	TRY(archive_recover(a, at, cut, why));
	return begin_pages(a, why);
}

enum status archive_open(struct archive *ret, const struct archive_options *options,
			 const struct archive_position *at, struct archive_cut *ret_cut,
			 struct diag *why)
{
	struct archive_cut cut = { 0 };

	*ret = (struct archive){ 0 };
	keep_options(ret, options);
	encoder_init(&ret->encoder,
		     &(struct encoder_options){ options->version, options->format,
						options->ids });
	enum status st = open_all(ret, at, &cut, why);
	if (st != ST_OK)
		archive_release(ret);
	else if (ret_cut)
		*ret_cut = cut;
	return st;
}

static void release_side(struct archive_side *s)
{
	file_close(&s->file);
	buf_release(&s->pending);
}

void archive_release(struct archive *a)
{
	release_side(&a->warc);
	release_side(&a->cdx);
	release_side(&a->pages);
	release_side(&a->log);
	encoder_release(&a->encoder);
	buf_release(&a->scratch);
	arena_release(&a->names);
	*a = (struct archive){ 0 };
}

/* A failed write leaves no half line: it is cut off, and all is written again. */
static enum status flush_side(struct archive_side *s, struct diag *why)
{
	uint64_t before = s->file.size;

	if (s->pending.n == 0)
		return ST_OK;
	enum status st = file_write(&s->file, buf_str(&s->pending), why);
	if (st != ST_OK) {
		(void)!file_truncate(&s->file, before, NULL);
		return st;
	}
	buf_reset(&s->pending);
	file_begin_sync(&s->file);
	return ST_OK;
}

/* Where the next byte will stand. */
static uint64_t side_end(const struct archive_side *s)
{
	return s->file.size + s->pending.n;
}

static enum status added_to_side(struct archive_side *s, struct diag *why)
{
	return s->pending.n >= SIDE_BYTES ? flush_side(s, why) : ST_OK;
}

static void add_info(struct buf *b, const char *name, struct str value)
{
	if (value.n == 0)
		return;
	buf_addf(b, "%s: ", name);
	for (size_t i = 0; i < value.n; i++)
		buf_add_char(b, (uint8_t)value.p[i] < ' ' ? ' ' : value.p[i]);
	buf_add(b, STR("\r\n"));
}

static void add_warcinfo(struct archive *a, struct buf *to)
{
	const struct archive_about *about = &a->options.about;
	struct buf *b = &a->encoder.text;
	char host[256] = "";

	gethostname(host, sizeof(host) - 1);
	buf_reset(b);
	add_info(b, "software", STR("thresh/" THRESH_VERSION));
	add_info(b, "hostname", str_from(host));
	add_info(b, "format",
		 a->options.version == WARC_1_1 ? STR("WARC File Format 1.1")
						: STR("WARC File Format 1.0"));
	add_info(b, "conformsTo",
		 a->options.version == WARC_1_1
			 ? STR("http://iipc.github.io/warc-specifications/specifications/"
			       "warc-format/warc-1.1/")
			 : STR("http://bibnum.bnf.fr/WARC/"
			       "WARC_ISO_28500_version1_latestdraft"
			       ".pdf"));
	add_info(b, "operator", about->operator_name);
	add_info(b, "publisher", about->publisher);
	add_info(b, "isPartOf", about->part_of);
	add_info(b, "description", about->description);
	add_info(b, "robots", about->robots);
	add_info(b, "http-header-user-agent", about->user_agent);
	add_info(b, "http-header-from", about->from);
	struct record_id id = archive_warcinfo_id(a);
	encoder_add(&a->encoder,
		    &(struct record_fields){
			    .type = WARC_WARCINFO,
			    .id = &id,
			    .date_ms = clock_wall_ms(a->options.clock),
			    .content_type = STR("application/warc-fields"),
			    .filename = str_from(a->name),
		    },
		    buf_str(b), STR(""), to);
}

/* PREFIX-TIME-SERIAL-HOST.warc.gz, as Heritrix does, so that names sort by time. */
static void name_file(struct archive *a)
{
	char host[65] = "localhost";
	cleanup(buf_release) struct buf name = { 0 };

	gethostname(host, sizeof(host) - 1);
	for (char *c = host; *c; c++)
		if (!ascii_is_alpha(*c) && !ascii_is_digit(*c) && *c != '.')
			*c = '_';
	buf_add(&name, a->options.prefix);
	buf_add_char(&name, '-');
	buf_add_date_digits(&name, clock_wall_ms(a->options.clock), true);
	buf_addf(&name, "-%05u-%s.warc", atomic_load(&a->serial), host);
	buf_add(&name, member_suffix(a->options.format));
	a->name = path_join(&a->names, "", buf_str(&name));
}

static char *warc_path(struct archive *a, struct arena *temporary, bool open)
{
	cleanup(buf_release) struct buf name = { 0 };

	buf_addf(&name, "%s%s", a->name, open ? ".open" : "");
	return path_join(temporary, a->archive_dir, buf_str(&name));
}

static enum status begin_warc(struct archive *a, struct diag *why)
{
	cleanup(arena_release) struct arena t = { 0 };

	name_file(a);
	TRY(file_open(&a->warc.file, warc_path(a, &t, true), FILE_NEW, why));
	buf_reset(&a->scratch);
	add_warcinfo(a, &a->scratch);
	enum status st = file_write(&a->warc.file, buf_str(&a->scratch), why);
	if (st == ST_OK)
		st = dir_sync(a->archive_dir, why);
	if (st != ST_OK) { /* as if it had never been begun */
		(void)!file_remove(a->warc.file.path, NULL);
		file_close(&a->warc.file);
	}
	return st;
}

static enum status end_warc(struct archive *a, struct diag *why)
{
	cleanup(arena_release) struct arena t = { 0 };

	TRY(flush_side(&a->warc, why));
	TRY(file_sync(&a->warc.file, why));
	if (a->options.publish) {
		cleanup(buf_release) struct buf name = { 0 };

		buf_addf(&name, "archive/%s", a->name);
		TRY(a->options.publish(a->options.publish_arg, buf_str(&name),
				       a->warc.file.path, why));
	} else {
		TRY(file_rename(a->warc.file.path, warc_path(a, &t, false), why));
	}
	file_close(&a->warc.file);
	atomic_fetch_add(&a->serial, 1);
	return ST_OK;
}

static enum status make_room(struct archive *a, uint64_t bytes, struct diag *why)
{
	if (a->warc.file.path && side_end(&a->warc) + bytes > a->options.rotate_bytes)
		TRY(end_warc(a, why));
	return a->warc.file.path ? ST_OK : begin_warc(a, why);
}

/* A body from its file, compressed on the way. */
static enum status write_spool(struct archive *a, const struct capture *c,
			       const struct fetch_result *r, struct diag *why)
{
	cleanup(arena_release) struct arena t = { 0 };
	cleanup(file_close) struct file spool = { 0 };
	struct member_writer *m = &a->encoder.member;
	char *piece = arena_alloc(&t, PIECE_BYTES);
	uint64_t at = 0;
	size_t n = 0;

	TRY(file_open(&spool, path_join(&t, "", r->spool), FILE_READ, why));
	buf_reset(&a->scratch);
	member_start(m, c->stream_bytes);
	member_more(m, buf_str(&c->stream_head), &a->scratch);
	do {
		TRY(file_read_at(&spool, at, piece, PIECE_BYTES, &n, why));
		if (n > 0)
			member_more(m, (struct str){ piece, n }, &a->scratch);
		at += n;
		TRY(file_write(&a->warc.file, buf_str(&a->scratch), why));
		buf_reset(&a->scratch);
	} while (n > 0);
	if (at != r->body_bytes)
		return diag_fail(why, ST_CORRUPT, "%s: changed while it was archived",
				 spool.path);
	member_more(m, STR("\r\n\r\n"), &a->scratch);
	member_end(m, &a->scratch);
	return file_write(&a->warc.file, buf_str(&a->scratch), why);
}

static enum status write_capture(struct archive *a, const struct capture *c,
				 const struct fetch_result *r, uint64_t *ret_main,
				 struct diag *why)
{
	struct archive_side *to = &a->warc;

	*ret_main = c->main_length;
	if (c->stream_bytes) {
		TRY(flush_side(to, why));
		uint64_t before = to->file.size;

		TRY(write_spool(a, c, r, why));
		*ret_main = to->file.size - before;
	}
	buf_add(&to->pending, buf_str(&c->bytes));
	return to->pending.n >= WARC_BYTES ? flush_side(to, why) : ST_OK;
}

/* Records before `end` must stay readable: no torn one behind them. */
static void cut_side(struct archive_side *s, uint64_t end)
{
	if (s->file.size > end)
		(void)!file_truncate(&s->file, end, NULL);
	s->pending.n = (size_t)(end - MIN(end, s->file.size));
}

enum status archive_add(struct archive *a, const struct capture *c,
			const struct fetch_result *r, struct archive_place *ret_place,
			struct diag *why)
{
	struct archive_place place;

	TRY(make_room(a, c->bytes.n + c->stream_bytes / 2, why));
	place.offset = side_end(&a->warc);
	enum status st = write_capture(a, c, r, &place.length, why);
	if (st != ST_OK) {
		cut_side(&a->warc, place.offset);
		return st;
	}
	place.filename = str_from(a->name);
	if (c->cdx.n) {
		buf_add(&a->cdx.pending, buf_str(&c->cdx));
		/* As warc_index.c has it for plain files. */
		uint64_t end = a->options.format == MEMBER_PLAIN ? 4 : 0;
		cdx_add_place(&a->cdx.pending, place.length - end, place.offset,
			      place.filename);
	}
	*ret_place = place;
	return added_to_side(&a->cdx, why);
}

enum status archive_add_page(struct archive *a, const struct archive_page *p,
			     struct diag *why)
{
	struct json_out o = { .to = &a->pages.pending };
	cleanup(buf_release) struct buf date = { 0 };
	struct record_id id = id_maker_next(&a->encoder.ids);

	buf_add_date_iso(&date, p->date_ms, true);
	json_open(&o, '{');
	json_put_str(&o, "id", record_id_str(&id));
	json_put_str(&o, "url", p->url);
	json_put_str(&o, "ts", buf_str(&date));
	json_put_str(&o, "title", p->title);
	if (p->status)
		json_put_int(&o, "status", p->status);
	if (p->mime.n)
		json_put_str(&o, "mime", p->mime);
	if (p->language.n)
		json_put_str(&o, "language", p->language);
	if (p->seed)
		json_put_bool(&o, "seed", true);
	if (p->text.n)
		json_put_str(&o, "text", p->text);
	json_close(&o, '}');
	buf_add_char(&a->pages.pending, '\n');
	return added_to_side(&a->pages, why);
}

enum status archive_add_log(struct archive *a, struct str line, struct diag *why)
{
	buf_add(&a->log.pending, line);
	return added_to_side(&a->log, why);
}

static enum status sync_side(struct archive_side *s, struct sync_set *later,
			     uint64_t *ret_bytes, struct diag *why)
{
	TRY(flush_side(s, why));
	*ret_bytes = s->file.size;
	return sync_or_add(&s->file, later, why);
}

enum status archive_commit(struct archive *a, struct sync_set *later,
			   struct archive_position *ret, struct diag *why)
{
	struct archive_position p = { .serial = atomic_load(&a->serial) };

	if (a->warc.file.path)
		TRY(sync_side(&a->warc, later, &p.warc_bytes, why));
	TRY(sync_side(&a->cdx, later, &p.cdx_bytes, why));
	TRY(sync_side(&a->pages, later, &p.page_bytes, why));
	TRY(sync_side(&a->log, later, &p.log_bytes, why));
	*ret = p;
	return ST_OK;
}

static enum status finish(struct archive *a, struct diag *why)
{
	if (a->warc.file.path)
		TRY(end_warc(a, why));
	TRY(flush_side(&a->cdx, why));
	TRY(flush_side(&a->pages, why));
	TRY(flush_side(&a->log, why));
	return archive_sort_index(a, why);
}

enum status archive_close(struct archive *a, struct diag *why)
{
	enum status st = finish(a, why);

	archive_release(a);
	return st;
}
