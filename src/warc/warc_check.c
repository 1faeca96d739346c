#include "warc/warc_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "warc/check_internal.h"

void warc_check_init(struct warc_check *c,
		     void (*found)(void *arg, const struct check_finding *f), void *arg)
{
	*c = (struct warc_check){ .found = found, .arg = arg };
	for (enum digest_kind k = 0; k < DIGEST_KINDS; k++) {
		digest_init(&c->digests[2 * k], k);
		digest_init(&c->digests[2 * k + 1], k);
	}
}

void warc_check_release(struct warc_check *c)
{
	for (size_t i = 0; i < COUNT(c->digests); i++)
		digest_release(&c->digests[i]);
	intern_release(&c->paths);
	map_release(&c->ids);
	free(c->seen);
	free(c->promises);
	buf_release(&c->text);
	*c = (struct warc_check){ 0 };
}

static void tell(struct warc_check *c, uint32_t path, uint64_t offset, struct str id,
		 bool is_error)
{
	c->errors += is_error;
	c->warnings += !is_error;
	c->found(c->arg, &(struct check_finding){
				 .path = intern_str(&c->paths, path).p,
				 .offset = offset,
				 .is_error = is_error,
				 .id = id,
				 .what = buf_str(&c->text),
			 });
}

void check_tell(struct warc_check *c, bool is_error, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	buf_reset(&c->text);
	buf_add(&c->text, str_from(text));
	struct str id =
		c->record ? warc_field(c->record, STR("WARC-Record-ID")) : STR("");
	tell(c, c->path, c->offset, id, is_error);
}

static void check_oddities(struct warc_check *c, const struct warc_record *rec,
			   enum member_format format)
{
	unsigned o = rec->oddities;

	if (o & WARC_ODD_END)
		check_error(c,
			    "Content-Length is wrong: CR LF CR LF does not follow the "
			    "block of %llu bytes",
			    (unsigned long long)rec->block_bytes);
	if (o & WARC_SHARES_MEMBER)
		check_error(c, "not in a %s of its own: cannot be read from its offset",
			    format == MEMBER_ZSTD ? "zstd frame" : "gzip member");
	if (o & WARC_SPANS_MEMBERS && format == MEMBER_GZIP)
		check_error(c, "goes over the end of its gzip member");
	if (o & WARC_ODD_LINE)
		check_error(c, "a header line without a colon");
	if (o & WARC_ODD_LF)
		check_error(c, "header lines end in LF without CR");
	if (o & WARC_TOO_MANY_FIELDS)
		check_error(c, "more than %d header fields", WARC_FIELDS_MAX);
	if (o & WARC_FOLDED)
		check_warning(c, "a header field goes on in the next line");
}

/*
 * The .warc.zst convention wants size and checksum in every frame; both are told by
 * the byte behind the magic (RFC 8878 3.1.1.1.1).
 */
static void check_frame(struct warc_check *c, const struct warc_reader *r,
			const struct warc_record *rec)
{
	struct str frame = str_skip(r->decoder.in, (size_t)rec->offset + 4);

	if (r->decoder.format != MEMBER_ZSTD || frame.n == 0)
		return;
	uint8_t descriptor = (uint8_t)frame.p[0];
	if ((descriptor & 0xe0) == 0)
		check_warning(c, "the zstd frame does not tell its size");
	if ((descriptor & 0x04) == 0)
		check_warning(c, "the zstd frame has no checksum");
}

/* The header was read: now the block, and then what only its end can tell. */
static enum status check_rest(struct warc_check *c, struct warc_reader *r,
			      struct warc_record *rec, struct diag *why)
{
	struct block_check b;
	struct str piece;
	enum status st;

	block_check_start(c, &b, rec);
	while ((st = warc_block(r, &piece, why)) == ST_OK) {
		block_check_add(&b, piece);
		c->bytes += piece.n;
	}
	if (st == ST_AGAIN) {
		block_check_end(c, &b, rec);
		st = warc_end(r, why);
	}
	buf_release(&b.head);
	check_oddities(c, rec, r->decoder.format);
	return st;
}

/* Records until the end of the file or the next damage. */
static enum status check_run(struct warc_check *c, struct warc_reader *r,
			     struct diag *why)
{
	struct warc_record *rec;
	enum status st;

	while ((st = warc_next(r, &rec, why)) == ST_OK) {
		c->records++;
		c->offset = rec->offset;
		c->record = rec;
		check_header(c, rec);
		check_frame(c, r, rec);
		if (rec->offset == 0 && rec->type != WARC_WARCINFO &&
		    !(rec->oddities & WARC_SHARES_MEMBER))
			check_warning(c,
				      "the file does not begin with a warcinfo record");
		st = check_rest(c, r, rec, why);
		c->record = NULL;
		if (st != ST_OK)
			break;
	}
	return st;
}

static void check_reader(struct warc_check *c, struct warc_reader *r, const char *path)
{
	struct diag why;

	/* With its NUL, so that the interned text is a C string. */
	struct str name = str_from(path);
	c->path = intern_add(&c->paths, (struct str){ name.p, name.n + 1 });
	c->record = NULL;
	c->offset = 0;
	if (r->decoder.in.n == 0)
		check_error(c, "the file is empty");
	while (check_run(c, r, &why) != ST_AGAIN) {
		c->offset = warc_error_offset(r);
		if (warc_is_torn(r))
			check_error(c, "torn tail: %s", why.text);
		else
			check_error(c, "%s", why.text);
		if (!warc_resync(r))
			break;
	}
}

enum status warc_check_file(struct warc_check *c, const char *path, struct diag *why)
{
	struct warc_reader r;

	TRY(warc_reader_open(&r, path, why));
	check_reader(c, &r, path);
	warc_reader_release(&r);
	return ST_OK;
}

void warc_check_bytes(struct warc_check *c, struct str bytes, const char *path)
{
	struct warc_reader r;

	warc_reader_init(&r, bytes);
	check_reader(c, &r, path);
	warc_reader_release(&r);
}

/* Fills c->text; false when the promise is kept. */
static bool is_broken(struct warc_check *c, const struct check_promise *p,
		      bool *ret_is_error)
{
	const uint64_t *at = map_find(&c->ids, p->target);

	buf_reset(&c->text);
	*ret_is_error = true;
	if (at && p->is_revisit && c->seen[*at].type == WARC_REVISIT)
		buf_add(&c->text, STR("a revisit that refers to another revisit"));
	else if (!at && p->is_revisit) {
		/* The original may stand in an older crawl. */
		*ret_is_error = false;
		buf_add(&c->text,
			STR("WARC-Refers-To names a record that is not in these files"));
	} else if (!at)
		buf_add(&c->text, STR("WARC-Concurrent-To names a record that is not in "
				      "these files"));
	return c->text.n > 0;
}

void warc_check_end(struct warc_check *c)
{
	for (size_t i = 0; i < c->promise_count; i++) {
		const struct check_promise *p = &c->promises[i];
		bool is_error;

		if (is_broken(c, p, &is_error))
			tell(c, p->path, p->offset, STR(""), is_error);
	}
	c->promise_count = 0;
}
