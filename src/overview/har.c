#include "overview/har.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/utf8.h"
#include "os/file.h"
#include "warc/warc_read.h"

#define HEAD_FIELDS_MAX 200

/* What a request or a response begins with. */
struct head {
	struct str first[3]; /* words of the first line; the third is the rest of it */
	struct str fields;   /* lines */
	struct str body;
};

static struct head split_head(struct str block)
{
	struct head h = { 0 };
	struct str line, end = STR("\r\n\r\n");
	size_t at = str_find(block, end);

	h.body = at == STR_NONE ? STR("") : str_skip(block, at + end.n);
	h.fields = str_slice(block, 0, at);
	if (!str_take_line(&h.fields, &line))
		return h;
	for (int i = 0; i < 2; i++) {
		size_t space = str_find_char(line, ' ');

		h.first[i] = str_slice(line, 0, space);
		line = space == STR_NONE ? STR("") : str_skip(line, space + 1);
	}
	h.first[2] = str_trim(line);
	return h;
}

static struct str find_field(struct str lines, struct str name)
{
	struct str line;

	while (str_take_line(&lines, &line)) {
		size_t colon = str_find_char(line, ':');

		if (colon != STR_NONE && str_eq_nocase(str_slice(line, 0, colon), name))
			return str_trim(str_skip(line, colon + 1));
	}
	return STR("");
}

/* What a server sends need not be UTF-8, but JSON is. */
static void put_text(struct json_out *o, const char *key, struct str s)
{
	cleanup(buf_release) struct buf b = { 0 };

	if (utf8_valid(s)) {
		json_put_str(o, key, s);
		return;
	}
	while (s.n)
		buf_add_utf8(&b, utf8_take(&s));
	json_put_str(o, key, buf_str(&b));
}

static void put_pair(struct json_out *o, struct str name, struct str value)
{
	json_open(o, '{');
	put_text(o, "name", name);
	put_text(o, "value", value);
	json_close(o, '}');
}

static void add_fields(struct json_out *o, struct str lines)
{
	struct str line;

	json_key(o, STR("headers"));
	json_open(o, '[');
	for (int n = 0; n < HEAD_FIELDS_MAX && str_take_line(&lines, &line); n++) {
		size_t colon = str_find_char(line, ':');

		if (colon != STR_NONE)
			put_pair(o, str_slice(line, 0, colon),
				 str_trim(str_skip(line, colon + 1)));
	}
	json_close(o, ']');
}

static void add_query(struct json_out *o, struct str url)
{
	size_t at = str_find_char(url, '?');
	struct str query = at == STR_NONE ? STR("") : str_skip(url, at + 1), field;

	query = str_slice(query, 0, str_find_char(query, '#'));
	json_key(o, STR("queryString"));
	json_open(o, '[');
	for (int n = 0; n < HEAD_FIELDS_MAX && str_take_until(&query, '&', &field); n++) {
		size_t equals = str_find_char(field, '=');

		put_pair(o, str_slice(field, 0, equals),
			 equals == STR_NONE ? STR("") : str_skip(field, equals + 1));
	}
	json_close(o, ']');
}

static void add_no_cookies(struct json_out *o)
{
	json_key(o, STR("cookies"));
	json_open(o, '[');
	json_close(o, ']');
}

static void add_request(struct json_out *o, struct str url, struct str block)
{
	struct head h = split_head(block);

	json_key(o, STR("request"));
	json_open(o, '{');
	put_text(o, "method", h.first[0].n ? h.first[0] : STR("GET"));
	put_text(o, "url", url);
	put_text(o, "httpVersion", h.first[2]);
	add_no_cookies(o);
	add_fields(o, h.fields);
	add_query(o, url);
	if (h.body.n) {
		json_key(o, STR("postData"));
		json_open(o, '{');
		put_text(o, "mimeType", find_field(h.fields, STR("content-type")));
		put_text(o, "text", str_slice(h.body, 0, HAR_BODY_MAX));
		json_close(o, '}');
	}
	json_put_int(o, "headersSize", (int64_t)(block.n - h.body.n));
	json_put_int(o, "bodySize", (int64_t)h.body.n);
	json_close(o, '}');
}

static void add_content(struct json_out *o, const struct head *h, bool revisit)
{
	cleanup(buf_release) struct buf b = { 0 };

	json_key(o, STR("content"));
	json_open(o, '{');
	json_put_uint(o, "size", h->body.n);
	put_text(o, "mimeType", find_field(h->fields, STR("content-type")));
	if (revisit) {
		json_put_str(o, "comment", STR("as answered before at this address"));
	} else if (h->body.n > HAR_BODY_MAX) {
		json_put_str(o, "comment", STR("too large: see the WARC"));
	} else if (utf8_valid(h->body)) {
		json_put_str(o, "text", h->body);
	} else {
		buf_add_base64(&b, h->body);
		json_put_str(o, "text", buf_str(&b));
		json_put_str(o, "encoding", STR("base64"));
	}
	json_close(o, '}');
}

static void add_response(struct json_out *o, struct str block, bool revisit)
{
	struct head h = split_head(block);
	uint64_t status = 0;

	if (!str_to_uint(h.first[1], 999, &status))
		status = 0;
	json_key(o, STR("response"));
	json_open(o, '{');
	json_put_uint(o, "status", status);
	put_text(o, "statusText", h.first[2]);
	put_text(o, "httpVersion", h.first[0]);
	add_no_cookies(o);
	add_fields(o, h.fields);
	add_content(o, &h, revisit);
	put_text(o, "redirectURL", find_field(h.fields, STR("location")));
	json_put_int(o, "headersSize", (int64_t)(block.n - h.body.n));
	json_put_int(o, "bodySize", revisit ? 0 : (int64_t)h.body.n);
	json_close(o, '}');
}

/* A capture: the answer, then what is concurrent to it. */
struct entry {
	struct buf url, date, ip, response, request;
	uint64_t ms;
	bool open, revisit;
};

static void release_entry(struct entry *e)
{
	buf_release(&e->url);
	buf_release(&e->date);
	buf_release(&e->ip);
	buf_release(&e->response);
	buf_release(&e->request);
}

static void add_timings(struct json_out *o, uint64_t ms)
{
	json_key(o, STR("cache"));
	json_open(o, '{');
	json_close(o, '}');
	json_key(o, STR("timings"));
	json_open(o, '{');
	json_put_uint(o, "send", 0);
	json_put_uint(o, "wait", ms);
	json_put_uint(o, "receive", 0);
	json_close(o, '}');
}

static void end_entry(struct entry *e, struct buf *to)
{
	struct json_out o = { .to = to };

	if (!e->open)
		return;
	if (to->n && to->p[to->n - 1] == '}')
		buf_add(to, STR(",\n"));
	json_open(&o, '{');
	put_text(&o, "startedDateTime", buf_str(&e->date));
	json_put_uint(&o, "time", e->ms);
	add_request(&o, buf_str(&e->url), buf_str(&e->request));
	add_response(&o, buf_str(&e->response), e->revisit);
	add_timings(&o, e->ms);
	if (e->ip.n)
		put_text(&o, "serverIPAddress", buf_str(&e->ip));
	json_close(&o, '}');
	e->open = false;
}

static void begin_entry(struct entry *e, const struct warc_record *r, struct str block)
{
	buf_reset(&e->url);
	buf_add(&e->url, warc_bare_uri(warc_field(r, STR("WARC-Target-URI"))));
	buf_reset(&e->date);
	buf_add(&e->date, warc_field(r, STR("WARC-Date")));
	buf_reset(&e->ip);
	buf_add(&e->ip, warc_field(r, STR("WARC-IP-Address")));
	buf_reset(&e->response);
	buf_add(&e->response, block);
	buf_reset(&e->request);
	e->ms = 0;
	e->open = true;
	e->revisit = r->type == WARC_REVISIT;
}

static enum status read_records(struct warc_reader *r, struct buf *to, struct diag *why)
{
	cleanup(release_entry) struct entry e = { 0 };
	cleanup(buf_release) struct buf spare = { 0 };
	struct warc_record *rec;
	enum status st;

	while ((st = warc_next(r, &rec, why)) == ST_OK) {
		struct str block = { 0 };

		if (rec->type != WARC_RESPONSE && rec->type != WARC_REVISIT &&
		    rec->type != WARC_REQUEST && rec->type != WARC_METADATA)
			continue;
		st = warc_block_whole(r, (size_t)64 << 20, &spare, &block, why);
		if (st != ST_OK)
			return st;
		if (rec->type == WARC_REQUEST) {
			buf_reset(&e.request);
			buf_add(&e.request, block);
		} else if (rec->type == WARC_METADATA) {
			if (!str_to_uint(find_field(block, STR("fetchTimeMs")),
					 UINT32_MAX, &e.ms))
				e.ms = 0;
		} else {
			end_entry(&e, to);
			begin_entry(&e, rec, block);
		}
		TRY(buf_status(to));
	}
	end_entry(&e, to);
	return st == ST_AGAIN ? buf_status(to) : st;
}

enum status har_add_warc(struct str warc, struct buf *to, struct diag *why)
{
	struct warc_reader r = { 0 };

	warc_reader_init(&r, warc);
	enum status st = read_records(&r, to, why);
	warc_reader_release(&r);
	return st;
}

static enum status add_file(const char *path, struct buf *to, struct diag *why)
{
	struct warc_reader r = { 0 };

	TRY(warc_reader_open(&r, path, why));
	enum status st = read_records(&r, to, why);
	warc_reader_release(&r);
	return st;
}

#define HAR_MAX ((size_t)1 << 30)

enum status har_write(const char *dir, struct diag *why)
{
	cleanup(buf_release) struct buf b = BUF(HAR_MAX), entries = BUF(HAR_MAX);
	cleanup(arena_release) struct arena a = { 0 };
	struct str_list files = { 0 };
	enum status st = ST_OK;
	char path[4096];

	snprintf(path, sizeof(path), "%s/archive", dir);
	if (dir_exists(path))
		st = dir_list(path, STR(".warc.gz"), &a, &files, why);
	for (size_t i = 0; i < files.n && st == ST_OK; i++) {
		snprintf(path, sizeof(path), "%s/archive/" STR_FMT, dir,
			 STR_ARG(files.v[i]));
		st = add_file(path, &entries, why);
	}
	str_list_release(&files);
	TRY(st);
	buf_add(&b, STR("{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"thresh\","
			"\"version\":\"" THRESH_VERSION "\"},\"entries\":[\n"));
	buf_add(&b, buf_str(&entries));
	buf_add(&b, STR("\n]}}\n"));
	TRY(buf_status(&b));
	snprintf(path, sizeof(path), "%s/overview/traffic.har", dir);
	return file_save(path, buf_str(&b), why);
}
