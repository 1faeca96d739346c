#include "corpus/warc_doc.h"

#include "corpus/html_doc.h"
#include "corpus/text_doc.h"
#include "warc/stored_head.h"
#include "web/coding.h"

#define BLOCK_MAX_BYTES ((size_t)64 << 20)

void unchunk(struct str body, struct buf *to)
{
	struct str line;

	while (str_take_line(&body, &line)) {
		size_t n = 0;
		int digit;

		for (size_t i = 0;
		     i < line.n && (digit = ascii_hex_value(line.p[i])) >= 0; i++)
			n = n < BLOCK_MAX_BYTES ? n << 4 | (size_t)digit : n;
		if (n == 0)
			return;
		buf_add(to, str_slice(body, 0, n));
		body = str_skip(body, n);
		str_take_line(&body, &line);
	}
}

static bool is_html(struct str type)
{
	return str_starts_nocase(type, STR("text/html")) ||
	       str_starts_nocase(type, STR("application/xhtml"));
}

static bool is_text(struct str type)
{
	return str_starts_nocase(type, STR("text/plain"));
}

/* Body and content type of an HTTP answer; false when it is no document. */
static bool open_answer(struct corpus_work *w, struct str block, struct str *ret_body,
			struct str *ret_type)
{
	struct stored_head head;

	if (!stored_head_parse(block, &head) || head.status != 200)
		return false;
	*ret_body = str_skip(block, head.all.n);
	*ret_type = stored_head_field(&head, STR("Content-Type"));
	if (!is_html(*ret_type) && !is_text(*ret_type))
		return false;
	if (str_find(stored_head_field(&head, STR("Transfer-Encoding")),
		     STR("chunked")) != STR_NONE) {
		size_t n = 0;

		/* Many writers store the body joined and leave the field. */
		while (n < ret_body->n && ascii_hex_value(ret_body->p[n]) >= 0)
			n++;
		if (n > 0 && n < ret_body->n && strchr("\r;\n", ret_body->p[n])) {
			buf_reset(&w->scratch);
			unchunk(*ret_body, &w->scratch);
			*ret_body = buf_str(&w->scratch);
		}
	}
	struct str coding = stored_head_field(&head, STR("Content-Encoding"));
	if (!coding_is_identity(coding)) {
		buf_release(&w->body);
		w->body = BUF(BLOCK_MAX_BYTES);
		enum status st = coding_decode(coding, *ret_body, &w->body);
		/* stored decoded, with the field left: take it as it is */
		if (w->body.n || st == ST_OK)
			*ret_body = buf_str(&w->body);
	}
	return true;
}

enum status warc_doc_parse(const struct corpus_options *o, const struct corpus_raw *raw,
			   struct corpus_work *w, struct corpus_doc *ret)
{
	struct str body = raw->bytes, type = raw->type;

	if (type.n == 0 && !open_answer(w, raw->bytes, &body, &type))
		return ST_NOT_FOUND;
	ret->name = raw->name;
	if (is_html(type))
		html_doc_read(o, body, type, w, ret);
	else
		ret->text = text_doc_read(body, type, w);
	return ST_OK;
}

void warc_docs_init(struct warc_docs *d, struct str bytes, struct str file, uint64_t base)
{
	*d = (struct warc_docs){ .file = file,
				 .base = base,
				 .block = BUF(BLOCK_MAX_BYTES) };
	warc_reader_init(&d->reader, bytes);
}

enum status warc_docs_open(struct warc_docs *d, struct str file, uint64_t from,
			   struct diag *why)
{
	struct warc_reader reader;

	TRY(warc_reader_open(&reader, file.p, why));
	*d = (struct warc_docs){ .file = file,
				 .block = BUF(BLOCK_MAX_BYTES),
				 .reader = reader };
	warc_seek(&d->reader, from);
	return ST_OK;
}

void warc_docs_release(struct warc_docs *d)
{
	warc_reader_release(&d->reader);
	buf_release(&d->block);
	buf_release(&d->name);
	*d = (struct warc_docs){ 0 };
}

bool warc_docs_between_members(const struct warc_docs *d)
{
	const struct warc_reader *r = &d->reader;

	return r->block_left == 0 && decoder_member_ended(&r->decoder) &&
	       str_trim(r->view).n == 0;
}

uint64_t warc_docs_place(const struct warc_docs *d)
{
	const struct decoder *in = &d->reader.decoder;

	return d->base + (warc_docs_between_members(d) ? in->next : in->member_start);
}

static bool may_be_document(const struct warc_record *rec, struct str type)
{
	return rec->type == WARC_RESPONSE ||
	       ((rec->type == WARC_RESOURCE || rec->type == WARC_CONVERSION) &&
		(is_html(type) || is_text(type)));
}

/* `*ret_may_be` is false for what is certainly no document. */
static enum status read_record(struct warc_docs *d, const struct warc_record *rec,
			       struct corpus_raw *ret, bool *ret_may_be, struct diag *why)
{
	struct str type = warc_field(rec, STR("Content-Type"));

	*ret_may_be = may_be_document(rec, type);
	if (!*ret_may_be)
		return ST_OK;
	TRY(warc_block_whole(&d->reader, BLOCK_MAX_BYTES, &d->block, &ret->bytes, why));
	ret->place = d->base + rec->offset;
	buf_reset(&d->name);
	buf_add(&d->name, warc_bare_uri(warc_field(rec, STR("WARC-Target-URI"))));
	if (d->name.n == 0)
		buf_addf(&d->name, STR_FMT "@%llu", STR_ARG(d->file),
			 (unsigned long long)ret->place);
	ret->name = buf_str(&d->name);
	ret->type = rec->type == WARC_RESPONSE ? STR("") : type;
	return ST_OK;
}

enum status warc_docs_next(struct warc_docs *d, struct corpus_raw *ret, struct diag *why)
{
	struct warc_record *rec;
	struct diag cause;
	bool may_be = false;

	*ret = (struct corpus_raw){ .format = CORPUS_WARC,
				    .file = d->file,
				    .offset = CORPUS_NO_OFFSET };
	while (!may_be) {
		enum status st = warc_next(&d->reader, &rec, &cause);

		if (st == ST_OK)
			st = read_record(d, rec, ret, &may_be, &cause);
		if (st == ST_AGAIN)
			return st;
		if (st != ST_OK) {
			uint64_t at = d->base + warc_error_offset(&d->reader);

			if (st != ST_TOO_LARGE)
				(void)warc_resync(&d->reader);
			return diag_fail(why, st, STR_FMT "@%llu: %.160s",
					 STR_ARG(d->file), (unsigned long long)at,
					 cause.text);
		}
	}
	return ST_OK;
}
