#include "archive/capture.h"

#include <assert.h>
#include <string.h>

#include "archive/cdx.h"
#include "os/file.h"
#include "warc/redact.h"
#include "warc/sha1_pair.h"
#include "warc/stored_head.h"

#define PIECE_BYTES ((size_t)256 << 10)

void capture_release(struct capture *c)
{
	buf_release(&c->bytes);
	buf_release(&c->cdx);
	buf_release(&c->stream_head);
	*c = (struct capture){ 0 };
}

static void reset(struct capture *c)
{
	buf_reset(&c->bytes);
	buf_reset(&c->cdx);
	buf_reset(&c->stream_head);
	c->main_length = c->stream_bytes = 0;
	c->has_payload = false;
}

/* Feed the spooled body to one digest or two. */
static enum status digest_spool(struct digest *one, struct digest *two,
				const struct fetch_result *r, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(file_close) struct file f = { 0 };
	char *path = path_join(&a, "", r->spool), *piece = arena_alloc(&a, PIECE_BYTES);
	uint64_t at = 0;
	size_t n;

	TRY(file_open(&f, path, FILE_READ, why));
	do {
		TRY(file_read_at(&f, at, piece, PIECE_BYTES, &n, why));
		digest_add(one, (struct str){ piece, n });
		if (two)
			digest_add(two, (struct str){ piece, n });
		at += n;
	} while (n > 0);
	if (at != r->body_bytes)
		return diag_fail(why, ST_CORRUPT, "%s: not of the size that was received",
				 path);
	return ST_OK;
}

enum status capture_payload_sha1(struct encoder *e, const struct fetch_result *r,
				 uint8_t ret[SHA1_BYTES], struct diag *why)
{
	digest_start(&e->payload);
	if (r->spool.n)
		TRY(digest_spool(&e->payload, NULL, r, why));
	else
		digest_add(&e->payload, r->body);
	digest_end(&e->payload, ret);
	return ST_OK;
}

void capture_payload_pair(struct encoder *e, const struct fetch_result *const r[2],
			  uint8_t *const ret[2])
{
	const struct sha1_message of[2] = { { .body = r[0]->body },
					    { .body = r[1]->body } };
	uint8_t both[2][SHA1_BYTES];

	assert(r[0]->spool.n == 0 && r[1]->spool.n == 0);
	sha1_pair(&e->payload, of, both);
	memcpy(ret[0], both[0], SHA1_BYTES);
	memcpy(ret[1], both[1], SHA1_BYTES);
}

void capture_both_sha1(struct encoder *e, const struct fetch_result *r,
		       uint8_t ret_payload[SHA1_BYTES], uint8_t ret_block[SHA1_BYTES])
{
	struct str head = stored_head_make(r->header, r->body_bytes, &e->head);
	const struct sha1_message of[2] = { { .body = r->body },
					    { .head = head, .body = r->body } };
	uint8_t both[2][SHA1_BYTES];

	assert(r->spool.n == 0);
	sha1_pair(&e->payload, of, both);
	memcpy(ret_payload, both[0], SHA1_BYTES);
	memcpy(ret_block, both[1], SHA1_BYTES);
}

static struct str profile(enum warc_version v, enum capture_form form)
{
	if (form == CAPTURE_SAME_DIGEST)
		return v == WARC_1_1 ? STR("http://netpreserve.org/warc/1.1/revisit/"
					   "identical-payload-digest")
				     : STR("http://netpreserve.org/warc/1.0/revisit/"
					   "identical-payload-digest");
	return v == WARC_1_1 ? STR("http://netpreserve.org/warc/1.1/revisit/"
				   "server-not-modified")
			     : STR("http://netpreserve.org/warc/1.0/revisit/"
				   "server-not-modified");
}

static struct record_fields main_fields(const struct encoder *e,
					const struct fetch_result *r,
					const struct capture_options *o,
					const struct capture *c)
{
	struct record_fields f = {
		.type = o->form == CAPTURE_WHOLE ? WARC_RESPONSE : WARC_REVISIT,
		.id = &c->id,
		.date_ms = r->start_ms,
		.uri = r->task->url,
		.content_type = STR("application/http; msgtype=response"),
		.ip = r->ip,
		.protocol = r->protocol,
		.tls = r->tls,
		.cipher = r->cipher,
		.payload_sha1 = c->has_payload ? c->payload_sha1 : NULL,
		.truncated = truncation_name(r->truncated),
	};
	if (o->form == CAPTURE_WHOLE)
		return f;
	f.profile = profile(e->version, o->form);
	if (o->form == CAPTURE_SAME_DIGEST)
		f.truncated = STR("length"); /* the body is left out */
	if (o->origin) {
		f.refers_to_uri = o->origin->url;
		f.refers_to_ms = o->origin->date_ms;
		f.refers_to_id = o->origin->record_id;
	}
	return f;
}

/* A body in a file: its block digest costs a reading of its own. */
static enum status prepare_stream(struct encoder *e, const struct fetch_result *r,
				  const struct record_fields *f, struct str head,
				  struct capture *c, struct diag *why)
{
	uint8_t sha1[SHA1_BYTES];

	digest_start(&e->block);
	digest_add(&e->block, head);
	TRY(digest_spool(&e->block, NULL, r, why));
	digest_end(&e->block, sha1);
	encoder_add_header(e, f, head.n + r->body_bytes, sha1, &c->stream_head);
	buf_add(&c->stream_head, head);
	c->stream_bytes = c->stream_head.n + r->body_bytes + 4;
	return ST_OK;
}

static enum status add_main(struct encoder *e, const struct fetch_result *r,
			    const struct capture_options *o, struct capture *c,
			    struct diag *why)
{
	bool whole = o->form == CAPTURE_WHOLE;
	uint64_t length = o->form == CAPTURE_NOT_MODIFIED ? HTTP_ANY_BODY : r->body_bytes;
	struct str head = stored_head_make(r->header, length, &e->head);

	/* A 304 has no payload of its own, only the one it refers to. */
	c->has_payload = o->form != CAPTURE_NOT_MODIFIED || o->payload_sha1;
	if (o->payload_sha1)
		memcpy(c->payload_sha1, o->payload_sha1, SHA1_BYTES);
	else if (c->has_payload)
		TRY(capture_payload_sha1(e, r, c->payload_sha1, why));
	struct record_fields f = main_fields(e, r, o, c);
	if (whole && r->spool.n)
		return prepare_stream(e, r, &f, head, c, why);
	f.block_sha1 = whole ? o->block_sha1 : NULL;
	encoder_add(e, &f, head, whole ? r->body : STR(""), &c->bytes);
	c->main_length = c->bytes.n;
	return ST_OK;
}

static void add_request(struct encoder *e, const struct fetch_result *r,
			const struct capture_options *o, struct capture *c)
{
	struct record_id id = id_maker_next(&e->ids);
	struct record_fields f = {
		.type = WARC_REQUEST,
		.id = &id,
		.date_ms = r->start_ms,
		.uri = r->task->url,
		.content_type = STR("application/http; msgtype=request"),
		.ip = r->ip,
		.protocol = r->protocol,
		.tls = r->tls,
		.concurrent_to = &c->id,
	};

	struct str said =
		o->keep_secrets ? r->request : redact_request(r->request, &e->text);
	encoder_add(e, &f, said, STR(""), &c->bytes);
}

/* "name: value" of application/warc-fields; one line whatever the value holds. */
static void add_line(struct buf *b, struct str name, struct str value)
{
	if (value.n == 0)
		return;
	buf_add(b, name);
	buf_add(b, STR(": "));
	for (size_t i = 0; i < value.n; i++)
		buf_add_char(b, (uint8_t)value.p[i] < ' ' ? ' ' : value.p[i]);
	buf_add(b, STR("\r\n"));
}

static void add_verdict_lines(struct buf *b, const struct verdict *v)
{
	add_line(b, STR("duplicate"), verdict_name(v->kind));
	add_line(b, STR("duplicateOf"), v->representative_url);
	add_line(b, STR("duplicateMethod"), v->method);
	buf_addf(b, "duplicateScore: %.4f\r\nduplicateThreshold: %.4f\r\n", v->score,
		 v->threshold);
}

/* What the response does not say; names as Heritrix uses them where it has one. */
static void make_metadata(struct encoder *e, const struct fetch_result *r,
			  const struct capture_options *o)
{
	const struct fetch_task *t = r->task;
	struct buf *b = &e->text;

	buf_reset(b);
	if (t->via.n == 0)
		buf_add(b, STR("seed: \r\n"));
	add_line(b, STR("via"), t->via);
	add_line(b, STR("hopsFromSeed"), t->hops);
	add_line(b, STR("sourceTag"), o->source_tag.n ? o->source_tag : t->source);
	buf_add(b, STR("fetchTimeMs: "));
	buf_add_uint(b, r->duration_ms);
	buf_add(b, STR("\r\n"));
	if (r->code < 0 || o->form == CAPTURE_NOTE) {
		buf_addf(b, "fetchStatus: %d\r\n", r->code);
		add_line(b, STR("error"), r->error);
	}
	if (o->verdict && o->verdict->kind != VERDICT_NEW)
		add_verdict_lines(b, o->verdict);
	buf_add(b, o->fields);
}

static void add_metadata(struct encoder *e, const struct fetch_result *r,
			 const struct capture_options *o, struct capture *c, bool main)
{
	struct record_id id = main ? c->id : id_maker_next(&e->ids);
	struct record_fields f = {
		.type = WARC_METADATA,
		.id = &id,
		.date_ms = r->start_ms,
		.uri = r->task->url,
		.content_type = STR("application/warc-fields"),
		.ip = main ? r->ip : STR(""),
		.concurrent_to = main ? NULL : &c->id,
	};

	make_metadata(e, r, o);
	encoder_add(e, &f, buf_str(&e->text), STR(""), &c->bytes);
}

static void add_json(struct encoder *e, const struct fetch_result *r, struct str json,
		     struct capture *c)
{
	struct record_id id = id_maker_next(&e->ids);
	struct record_fields f = {
		.type = WARC_METADATA,
		.id = &id,
		.date_ms = r->start_ms,
		.uri = r->task->url,
		.content_type = STR("application/json"),
		.concurrent_to = &c->id,
	};

	encoder_add(e, &f, json, STR(""), &c->bytes);
}

enum status capture_encode(struct encoder *e, const struct fetch_result *r,
			   const struct capture_options *o, struct capture *c,
			   struct diag *why)
{
	bool answered = r->header.n > 0 && o->form != CAPTURE_NOTE;

	reset(c);
	c->id = id_maker_next(&e->ids);
	if (answered) {
		TRY(add_main(e, r, o, c, why));
		cdx_add_capture(&c->cdx, r, o->form != CAPTURE_WHOLE,
				c->has_payload ? c->payload_sha1 : NULL);
	} else {
		add_metadata(e, r, o, c, true);
		c->main_length = c->bytes.n;
	}
	if (r->request.n && !o->no_request)
		add_request(e, r, o, c);
	if (answered && !o->no_metadata)
		add_metadata(e, r, o, c, false);
	if (answered && o->json.n > 0)
		add_json(e, r, o->json, c);
	if (answered && o->augmented.n > 0)
		add_json(e, r, o->augmented, c);
	if (buf_status(&c->bytes) != ST_OK)
		return diag_fail(why, ST_TOO_LARGE, "a capture of more than %zu bytes",
				 BUF_LIMIT_DEFAULT);
	return ST_OK;
}
