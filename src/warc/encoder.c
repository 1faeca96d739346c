#include "warc/encoder.h"

#include <assert.h>
#include <string.h>
#include <sys/random.h>

#include "base/date.h"

static const char *const type_names[] = {
	[WARC_WARCINFO] = "warcinfo",     [WARC_RESPONSE] = "response",
	[WARC_REQUEST] = "request",       [WARC_METADATA] = "metadata",
	[WARC_REVISIT] = "revisit",       [WARC_RESOURCE] = "resource",
	[WARC_CONVERSION] = "conversion", [WARC_CONTINUATION] = "continuation",
	[WARC_UNKNOWN] = "unknown",
};

struct str warc_type_name(enum warc_type type)
{
	return str_from(type_names[type]);
}

enum warc_type warc_type_find(struct str name)
{
	enum warc_type t = 0;

	while (t < WARC_UNKNOWN && !str_eq_nocase(name, warc_type_name(t)))
		t++;
	return t;
}

struct id_maker id_maker_random(void)
{
	struct id_maker m;
	ssize_t n = getrandom(&m, sizeof(m), 0);

	assert(n == (ssize_t)sizeof(m));
	(void)n;
	return m;
}

/* RFC 9562: version 4, variant 10. */
struct record_id id_maker_next(struct id_maker *m)
{
	static const char digits[] = "0123456789abcdef";
	uint64_t high = (rng_next(&m->high) & ~UINT64_C(0xf000)) | 0x4000;
	uint64_t low = (rng_next(&m->low) >> 2) | (UINT64_C(1) << 63);
	struct record_id id;
	size_t at = 0;

	for (unsigned i = 0; i < 32; i++) {
		uint64_t word = i < 16 ? high : low;

		if (i == 8 || i == 12 || i == 16 || i == 20)
			id.text[at++] = '-';
		id.text[at++] = digits[(word >> (60 - 4 * (i % 16))) & 15];
	}
	return id;
}

void encoder_init(struct encoder *e, const struct encoder_options *options)
{
	*e = (struct encoder){ .version = options->version, .ids = options->ids };
	member_writer_init(&e->member, options->format);
	digest_init(&e->block, DIGEST_SHA1);
	digest_init(&e->payload, DIGEST_SHA1);
}

void encoder_release(struct encoder *e)
{
	member_writer_release(&e->member);
	digest_release(&e->block);
	digest_release(&e->payload);
	buf_release(&e->raw);
	buf_release(&e->head);
	buf_release(&e->text);
	*e = (struct encoder){ 0 };
}

/* The longest URL plus room for all else fits far below any reader's limit. */
static void add_field(struct buf *b, struct str name, struct str value)
{
	if (value.n == 0)
		return;
	buf_add(b, name);
	size_t from = b->n;
	buf_add(b, value);
	for (size_t i = from; i < b->n; i++)
		if ((uint8_t)b->p[i] < ' ' || b->p[i] == 0x7f)
			b->p[i] = ' ';
	buf_add(b, STR("\r\n"));
}

/* White space and brackets would end a URI early: percent-encoded. */
static void add_uri(struct buf *b, struct str name, struct str uri)
{
	if (uri.n == 0)
		return;
	buf_add(b, name);
	for (size_t i = 0; i < uri.n; i++) {
		uint8_t c = (uint8_t)uri.p[i];

		if (c <= ' ' || c >= 0x7f || c == '<' || c == '>')
			buf_addf(b, "%%%02X", c);
		else
			buf_add_char(b, (char)c);
	}
	buf_add(b, STR("\r\n"));
}

static void add_id(struct buf *b, struct str name, struct str id)
{
	buf_add(b, name);
	buf_add(b, STR("<urn:uuid:"));
	buf_add(b, id);
	buf_add(b, STR(">\r\n"));
}

/* 1.0 knows whole seconds only. */
static void add_date(struct encoder *e, struct str name, int64_t ms)
{
	buf_add(&e->raw, name);
	buf_add_date_iso(&e->raw, ms, e->version == WARC_1_1);
	buf_add(&e->raw, STR("\r\n"));
}

static void add_digest(struct buf *b, struct str name, const uint8_t *sha1)
{
	if (!sha1)
		return;
	buf_add(b, name);
	buf_add_sha1(b, sha1);
	buf_add(b, STR("\r\n"));
}

static void add_revisit_fields(struct encoder *e, const struct record_fields *f)
{
	add_field(&e->raw, STR("WARC-Profile: "), f->profile);
	if (f->refers_to_id.n)
		add_id(&e->raw, STR("WARC-Refers-To: "), f->refers_to_id);
	add_uri(&e->raw, STR("WARC-Refers-To-Target-URI: "), f->refers_to_uri);
	if (f->refers_to_ms)
		add_date(e, STR("WARC-Refers-To-Date: "), f->refers_to_ms);
}

/* Into e->raw, from its end; the empty line is included. */
static void add_header(struct encoder *e, const struct record_fields *f,
		       uint64_t block_bytes, const uint8_t *block_sha1)
{
	struct buf *b = &e->raw;

	buf_add(b, e->version == WARC_1_1 ? STR("WARC/1.1\r\n") : STR("WARC/1.0\r\n"));
	add_field(b, STR("WARC-Type: "), warc_type_name(f->type));
	add_id(b, STR("WARC-Record-ID: "), record_id_str(f->id));
	if (e->warcinfo.text[0] && f->type != WARC_WARCINFO)
		add_id(b, STR("WARC-Warcinfo-ID: "), record_id_str(&e->warcinfo));
	if (f->concurrent_to)
		add_id(b, STR("WARC-Concurrent-To: "), record_id_str(f->concurrent_to));
	add_date(e, STR("WARC-Date: "), f->date_ms);
	add_uri(b, STR("WARC-Target-URI: "), f->uri);
	add_field(b, STR("WARC-Filename: "), f->filename);
	add_field(b, STR("WARC-IP-Address: "), f->ip);
	add_field(b, STR("WARC-Protocol: "), f->protocol);
	add_field(b, STR("WARC-Protocol: "), f->tls);
	add_field(b, STR("WARC-Cipher-Suite: "), f->cipher);
	add_revisit_fields(e, f);
	add_digest(b, STR("WARC-Payload-Digest: "), f->payload_sha1);
	add_digest(b, STR("WARC-Block-Digest: "), block_sha1);
	add_field(b, STR("WARC-Truncated: "), f->truncated);
	add_field(b, STR("Content-Type: "), f->content_type);
	buf_add(b, STR("Content-Length: "));
	buf_add_uint(b, block_bytes);
	buf_add(b, STR("\r\n\r\n"));
}

void encoder_add(struct encoder *e, const struct record_fields *f, struct str head,
		 struct str body, struct buf *to)
{
	uint8_t sha1[SHA1_BYTES];

	if (!f->block_sha1) {
		digest_start(&e->block);
		digest_add(&e->block, head);
		digest_add(&e->block, body);
		digest_end(&e->block, sha1);
	}
	buf_reset(&e->raw);
	add_header(e, f, head.n + body.n, f->block_sha1 ? f->block_sha1 : sha1);
	buf_add(&e->raw, head);
	buf_add(&e->raw, body);
	buf_add(&e->raw, STR("\r\n\r\n"));
	member_add(&e->member, buf_str(&e->raw), to);
}

void encoder_add_header(struct encoder *e, const struct record_fields *f,
			uint64_t block_bytes, const uint8_t *block_sha1, struct buf *to)
{
	buf_reset(&e->raw);
	add_header(e, f, block_bytes, block_sha1);
	buf_add(to, buf_str(&e->raw));
}
