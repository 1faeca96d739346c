#include "testweb/access_log.h"

#define FLUSH_AT ((size_t)1 << 16)

enum status access_log_open(struct access_log *l, const char *path, struct diag *why)
{
	*l = (struct access_log){ 0 };
	TRY(file_open(&l->file, path, FILE_CREATE, why));
	buf_add(&l->pending, STR(ACCESS_LOG_MAGIC "\n"));
	return ST_OK;
}

/* A target may hold anything but spaces; tabs would break the line. */
static void add_clean(struct buf *to, struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		buf_add_char(to,
			     text.p[i] == '\t' || text.p[i] == '\n' ? ' ' : text.p[i]);
}

void access_log_add(struct access_log *l, const struct access *a)
{
	struct buf *b = &l->pending;
	struct diag why;

	if (!l->file.path)
		return;
	buf_add_int(b, a->start_us);
	buf_add_char(b, '\t');
	buf_add_int(b, a->end_us);
	buf_addf(b, "\t%u\t%u.%u.%u.%u\t", a->client_port, a->address >> 24,
		 a->address >> 16 & 255, a->address >> 8 & 255, a->address & 255);
	add_clean(b, a->host);
	buf_addf(b, "\t%u\t%llu\t%d\t%d\t", a->status, (unsigned long long)a->bytes,
		 a->retry_ms, a->https);
	add_clean(b, a->method);
	buf_add_char(b, '\t');
	add_clean(b, a->target);
	buf_add_char(b, '\n');
	if (b->n > FLUSH_AT)
		(void)!access_log_flush(l, &why);
}

enum status access_log_flush(struct access_log *l, struct diag *why)
{
	if (!l->file.path || l->pending.n == 0)
		return ST_OK;
	enum status st = file_write(&l->file, buf_str(&l->pending), why);
	buf_reset(&l->pending);
	return st;
}

void access_log_close(struct access_log *l)
{
	struct diag why;

	(void)!access_log_flush(l, &why);
	file_close(&l->file);
	buf_release(&l->pending);
}

static bool take_number(struct str *line, uint64_t *ret)
{
	struct str one;

	return str_take_until(line, '\t', &one) && str_to_uint(one, INT64_MAX, ret);
}

static bool parse_address(struct str text, uint32_t *ret)
{
	uint32_t v = 0;

	for (unsigned i = 0; i < 4; i++) {
		uint64_t part;

		if (!str_take_uint(&text, 255, &part) ||
		    (i < 3 && !str_take_char(&text, '.')))
			return false;
		v = v << 8 | (uint32_t)part;
	}
	*ret = v;
	return text.n == 0;
}

enum status access_parse(struct str line, struct access *ret)
{
	uint64_t start, end, port, status, bytes, retry = 0, https;
	struct str address, retry_text;
	struct access a = { 0 };

	if (!take_number(&line, &start) || !take_number(&line, &end) ||
	    !take_number(&line, &port) || !str_take_until(&line, '\t', &address) ||
	    !parse_address(address, &a.address) ||
	    !str_take_until(&line, '\t', &a.host) || !take_number(&line, &status) ||
	    !take_number(&line, &bytes) || !str_take_until(&line, '\t', &retry_text) ||
	    !take_number(&line, &https) || !str_take_until(&line, '\t', &a.method))
		return ST_SYNTAX;
	bool none = str_eq(retry_text, STR("-1"));
	if (!none && !str_to_uint(retry_text, INT32_MAX, &retry))
		return ST_SYNTAX;
	a.start_us = (int64_t)start;
	a.end_us = (int64_t)end;
	a.client_port = (uint32_t)port;
	a.status = (unsigned)status;
	a.bytes = bytes;
	a.retry_ms = none ? -1 : (int32_t)retry;
	a.https = https;
	a.target = line;
	*ret = a;
	return ST_OK;
}
