#include "archive/cdx.h"

#include "base/date.h"
#include "base/utf8.h"
#include "warc/digest.h"
#include "warc/stored_head.h"

/* As Python's json.dumps() writes it: ASCII only, escapes in lower case. */
static void add_json(struct buf *b, struct str s)
{
	buf_add_char(b, '"');
	while (s.n > 0) {
		uint32_t c = utf8_take(&s);

		if (c == '"' || c == '\\') {
			buf_add_char(b, '\\');
			buf_add_char(b, (char)c);
		} else if (c >= ' ' && c < 0x7f) {
			buf_add_char(b, (char)c);
		} else if (c == '\t' || c == '\n' || c == '\r') {
			buf_add_char(b, '\\');
			buf_add_char(b, c == '\t' ? 't' : c == '\n' ? 'n' : 'r');
		} else if (c < 0x10000) {
			buf_addf(b, c == 0x7f ? "\x7f" : "\\u%04x", c);
		} else {
			buf_addf(b, "\\u%04x\\u%04x", 0xd7c0 + (c >> 10),
				 0xdc00 + (c & 0x3ff));
		}
	}
	buf_add_char(b, '"');
}

static void add_member(struct buf *b, struct str name, struct str value)
{
	if (value.n == 0)
		return;
	buf_add(b, name);
	add_json(b, value);
}

static void add_number(struct buf *b, struct str name, uint64_t value)
{
	buf_add(b, name);
	buf_add_uint(b, value);
	buf_add_char(b, '"');
}

struct str cdx_mime(struct str content_type)
{
	size_t n = 0;

	content_type = str_trim(content_type);
	while (n < content_type.n && content_type.p[n] != ';' &&
	       !ascii_is_space(content_type.p[n]))
		n++;
	return str_slice(content_type, 0, n);
}

static void add_head(struct buf *to, const struct cdx_entry *e, int64_t date_ms)
{
	cdx_add_key(to, e->url);
	buf_add_char(to, ' ');
	buf_add_date_digits(to, date_ms, false);
	buf_add(to, STR(" {\"url\": "));
	add_json(to, e->url);
	add_member(to, STR(", \"mime\": "), e->mime);
	add_member(to, STR(", \"status\": "), e->status);
	add_member(to, STR(", \"digest\": "), e->digest);
}

void cdx_add_head(struct buf *to, const struct cdx_entry *e)
{
	int64_t ms = 0;

	/* A date that cannot be read sorts first, where it is noticed. */
	if (!date_parse_iso(e->date, &ms))
		(void)date_parse_digits(e->date, &ms);
	add_head(to, e, ms);
}

void cdx_add_place(struct buf *to, uint64_t length, uint64_t offset, struct str filename)
{
	add_number(to, STR(", \"length\": \""), length);
	add_number(to, STR(", \"offset\": \""), offset);
	buf_add(to, STR(", \"filename\": "));
	add_json(to, filename);
	buf_add(to, STR("}\n"));
}

void cdx_add_capture(struct buf *to, const struct fetch_result *r, bool revisit,
		     const uint8_t *payload_sha1)
{
	struct stored_head h;
	char digest_text[64], status_text[16];
	struct buf digest = { .p = digest_text,
			      .cap = sizeof(digest_text),
			      .limit = sizeof(digest_text) };
	struct buf status = { .p = status_text,
			      .cap = sizeof(status_text),
			      .limit = sizeof(status_text) };

	(void)stored_head_parse(r->header, &h);
	buf_add_int(&status, r->code > 0 ? r->code : h.status);
	if (payload_sha1)
		buf_add_sha1(&digest, payload_sha1);
	struct cdx_entry e = {
		.url = r->task->url,
		.mime = revisit ? STR("warc/revisit")
				: cdx_mime(stored_head_field(&h, STR("content-type"))),
		.status = buf_str(&status),
		.digest = buf_str(&digest),
	};
	add_head(to, &e, r->start_ms);
}
