#include "archive/warc_index.h"

#include "archive/cdx.h"
#include "warc/stored_head.h"
#include "warc/warc_http.h"

#define CHUNK_BYTES ((size_t)1 << 20)
#define SORT_MEMORY ((size_t)64 << 20)

void warc_index_init(struct warc_index *x, const char *dir)
{
	*x = (struct warc_index){ .head = BUF(WARC_HEADER_MAX) };
	extsort_init(&x->sort, &(struct extsort_options){ .dir = dir,
							  .memory_bytes = SORT_MEMORY,
							  .unique_bytes = SIZE_MAX });
	digest_init(&x->sha1, DIGEST_SHA1);
}

void warc_index_release(struct warc_index *x)
{
	extsort_release(&x->sort);
	digest_release(&x->sha1);
	buf_release(&x->head);
	buf_release(&x->line);
}

static bool is_indexed(const struct warc_record *rec)
{
	if (warc_field(rec, STR("WARC-Target-URI")).n == 0)
		return false;
	if (rec->type == WARC_RESPONSE || rec->type == WARC_REVISIT)
		return true;
	return (rec->type == WARC_RESOURCE || rec->type == WARC_METADATA) &&
	       !str_eq(warc_field(rec, STR("Content-Type")),
		       STR("application/warc-fields"));
}

/*
 * The HTTP head (empty when there is none) into x->head, and the digest of what
 * follows it, when asked for.
 */
static enum status read_block(struct warc_index *x, struct warc_reader *r, bool http,
			      bool want_digest, struct diag *why)
{
	struct stored_head h;
	struct str piece;
	enum status st;
	bool in_head = http;

	buf_reset(&x->head);
	digest_start(&x->sha1);
	while ((st = warc_block(r, &piece, why)) == ST_OK) {
		if (in_head) {
			size_t before = x->head.n;

			buf_add(&x->head, str_slice(piece, 0, WARC_HEADER_MAX - before));
			if (!stored_head_parse(buf_str(&x->head), &h))
				continue;
			in_head = false;
			x->head.n = h.all.n;
			piece = str_skip(piece, h.all.n - before);
		}
		if (want_digest)
			digest_add(&x->sha1, piece);
		else if (!in_head)
			break; /* warc_end() passes over the rest */
	}
	return st == ST_AGAIN ? ST_OK : st;
}

static enum status add_record(struct warc_index *x, struct warc_reader *r,
			      struct warc_record *rec, struct str name, struct diag *why)
{
	cleanup(buf_release) struct buf digest = { 0 };
	cleanup(buf_release) struct buf status = { 0 };
	uint8_t sha1[SHA1_BYTES];
	struct stored_head h = { 0 };
	struct cdx_entry e = {
		.url = warc_bare_uri(warc_field(rec, STR("WARC-Target-URI"))),
		.date = warc_field(rec, STR("WARC-Date")),
		.digest = warc_field(rec, STR("WARC-Payload-Digest")),
		.mime = rec->type == WARC_REVISIT ? STR("warc/revisit") : STR(""),
	};
	bool http = warc_is_http(rec) && rec->type != WARC_RESOURCE &&
		    rec->type != WARC_METADATA;

	TRY(read_block(x, r, http, e.digest.n == 0, why));
	if (http)
		(void)stored_head_parse(buf_str(&x->head), &h);
	if (h.status) {
		buf_add_int(&status, h.status);
		e.status = buf_str(&status);
	}
	if (e.digest.n == 0) {
		digest_end(&x->sha1, sha1);
		buf_add_sha1(&digest, sha1);
		e.digest = buf_str(&digest);
	}
	if (e.mime.n == 0)
		e.mime = cdx_mime(rec->type == WARC_RESPONSE
					  ? stored_head_field(&h, STR("Content-Type"))
					  : warc_field(rec, STR("Content-Type")));
	buf_reset(&x->line);
	cdx_add_head(&x->line, &e);
	TRY(warc_end(r, why));
	/* Of a plain file the field's indexer leaves the end of the record out. */
	bool plain = r->decoder.format == MEMBER_PLAIN && !(rec->oddities & WARC_ODD_END);
	cdx_add_place(&x->line, rec->length - (plain ? 4 : 0), rec->offset, name);
	x->lines++;
	return extsort_add(&x->sort, str_slice(buf_str(&x->line), 0, x->line.n - 1), why);
}

enum status warc_index_file(struct warc_index *x, const char *path, struct str name,
			    struct diag *why)
{
	cleanup(warc_reader_release) struct warc_reader r = { 0 };
	struct warc_record *rec;
	enum status st;

	TRY(warc_reader_open(&r, path, why));
	while ((st = warc_next(&r, &rec, why)) == ST_OK)
		if (is_indexed(rec) && (st = add_record(x, &r, rec, name, why)) != ST_OK)
			break;
	if (st == ST_AGAIN)
		return ST_OK;
	struct diag cause = *why;
	return diag_fail(why, st, "%s: at byte %llu: %.150s", path,
			 (unsigned long long)warc_error_offset(&r), cause.text);
}

enum status warc_index_write(struct warc_index *x, struct file *to, struct diag *why)
{
	struct str line;
	enum status st;

	TRY(extsort_sort(&x->sort, why));
	buf_reset(&x->line);
	while ((st = extsort_next(&x->sort, &line, why)) == ST_OK) {
		buf_add(&x->line, line);
		buf_add_char(&x->line, '\n');
		if (x->line.n < CHUNK_BYTES)
			continue;
		TRY(file_write(to, buf_str(&x->line), why));
		buf_reset(&x->line);
	}
	return st == ST_AGAIN ? file_write(to, buf_str(&x->line), why) : st;
}
