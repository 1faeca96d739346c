#include "warc/stored_head.h"

/* One line with its end in `ret_whole`, without it in `ret_line`. */
static bool take_line(struct str *in, struct str *ret_whole, struct str *ret_line)
{
	size_t end = str_find_char(*in, '\n');

	if (in->n == 0)
		return false;
	size_t n = end == STR_NONE ? in->n : end + 1;
	*ret_whole = str_slice(*in, 0, n);
	*in = str_skip(*in, n);
	struct str line = *ret_whole;
	if (line.n && line.p[line.n - 1] == '\n')
		line.n--;
	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	*ret_line = line;
	return true;
}

/* 200 of "HTTP/1.1 200 OK", or 0. */
static int parse_status(struct str line)
{
	size_t space = str_find_char(line, ' ');
	uint64_t status;

	if (!str_starts_nocase(line, STR("HTTP/")) || space == STR_NONE)
		return 0;
	line = str_trim(str_skip(line, space));
	return str_take_uint(&line, 999, &status) ? (int)status : 0;
}

bool stored_head_parse(struct str bytes, struct stored_head *ret)
{
	struct str rest = bytes, whole, line;
	struct stored_head h = { 0 };
	bool ended = false;

	if (take_line(&rest, &whole, &h.first))
		h.status = parse_status(h.first);
	h.fields = rest;
	while (!ended && take_line(&rest, &whole, &line))
		ended = line.n == 0 && whole.n > 0;
	h.fields.n = (size_t)(rest.p - h.fields.p);
	h.all = str_slice(bytes, 0, bytes.n - rest.n);
	*ret = h;
	return ended;
}

bool stored_field_next(struct str *fields, struct str *ret_name, struct str *ret_value)
{
	struct str whole, line;

	while (take_line(fields, &whole, &line)) {
		size_t colon = str_find_char(line, ':');

		if (line.n == 0)
			return false;
		if (colon == STR_NONE || ascii_is_space(line.p[0]))
			continue;
		*ret_name = str_trim(str_slice(line, 0, colon));
		*ret_value = str_trim(str_skip(line, colon + 1));
		return true;
	}
	return false;
}

struct str stored_head_field(const struct stored_head *h, struct str name)
{
	struct str rest = h->fields, whole, line;

	/* Asked of every answer several times: most lines are told by their first letter.
	 */
	while (take_line(&rest, &whole, &line) && line.n > 0) {
		struct str at = line, n, value;

		if (str_starts_nocase(line, name) && stored_field_next(&at, &n, &value) &&
		    str_eq_nocase(n, name))
			return value;
	}
	return STR("");
}

struct str http_reason(int status)
{
	static const struct {
		int status;
		const char *words;
	} reasons[] = {
		{ 200, "OK" },
		{ 201, "Created" },
		{ 202, "Accepted" },
		{ 203, "Non-Authoritative Information" },
		{ 204, "No Content" },
		{ 206, "Partial Content" },
		{ 300, "Multiple Choices" },
		{ 301, "Moved Permanently" },
		{ 302, "Found" },
		{ 303, "See Other" },
		{ 304, "Not Modified" },
		{ 307, "Temporary Redirect" },
		{ 308, "Permanent Redirect" },
		{ 400, "Bad Request" },
		{ 401, "Unauthorized" },
		{ 402, "Payment Required" },
		{ 403, "Forbidden" },
		{ 404, "Not Found" },
		{ 405, "Method Not Allowed" },
		{ 406, "Not Acceptable" },
		{ 407, "Proxy Authentication Required" },
		{ 408, "Request Timeout" },
		{ 409, "Conflict" },
		{ 410, "Gone" },
		{ 411, "Length Required" },
		{ 412, "Precondition Failed" },
		{ 413, "Content Too Large" },
		{ 414, "URI Too Long" },
		{ 415, "Unsupported Media Type" },
		{ 416, "Range Not Satisfiable" },
		{ 421, "Misdirected Request" },
		{ 422, "Unprocessable Content" },
		{ 425, "Too Early" },
		{ 429, "Too Many Requests" },
		{ 451, "Unavailable For Legal Reasons" },
		{ 500, "Internal Server Error" },
		{ 501, "Not Implemented" },
		{ 502, "Bad Gateway" },
		{ 503, "Service Unavailable" },
		{ 504, "Gateway Timeout" },
		{ 505, "HTTP Version Not Supported" },
	};

	for (size_t i = 0; i < COUNT(reasons); i++)
		if (reasons[i].status == status)
			return str_from(reasons[i].words);
	return STR("");
}

static bool is_field(struct str line, struct str name)
{
	return str_starts_nocase(line, name) && line.n > name.n && line.p[name.n] == ':';
}

/* What has to change in a head before it can be stored. */
struct changes {
	bool version, chunked, length, no_end;
};

/* True for a Content-Length line that does not say `bytes`. */
static bool is_wrong_length(struct str line, uint64_t bytes)
{
	uint64_t given;

	return is_field(line, STR("content-length")) && bytes != HTTP_ANY_BODY &&
	       !(str_to_uint(str_trim(str_skip(line, 15)), UINT64_MAX, &given) &&
		 given == bytes);
}

static struct changes find_changes(struct str head, uint64_t body_bytes)
{
	struct changes c = { .version = str_starts_nocase(head, STR("HTTP/")) &&
					!str_starts(head, STR("HTTP/1.")),
			     .no_end = !str_ends(head, STR("\r\n\r\n")) };
	struct str whole, line;

	while (take_line(&head, &whole, &line)) {
		char first = line.n ? ascii_lower(line.p[0]) : ' ';

		c.chunked |= first == 't' && is_field(line, STR("transfer-encoding"));
		c.length |= first == 'c' && is_wrong_length(line, body_bytes);
	}
	return c;
}

static void add_first_line(struct str line, struct buf *to)
{
	int status = parse_status(line);
	size_t space = str_find_char(line, ' ');
	struct str rest = space == STR_NONE ? STR("") : str_trim(str_skip(line, space));
	uint64_t ignored;

	(void)str_take_uint(&rest, 999, &ignored);
	rest = str_trim(rest);
	buf_addf(to, "HTTP/1.1 %03d ", status);
	buf_add(to, rest.n ? rest : http_reason(status));
	buf_add(to, STR("\r\n"));
}

/* The line as it is to be stored; false when it goes, and its folded lines with it. */
static bool add_line(struct buf *to, struct str line, const struct changes *c,
		     uint64_t body_bytes)
{
	bool length = is_field(line, STR("content-length"));

	if (c->chunked && (length || is_field(line, STR("transfer-encoding"))))
		return false;
	/* What the server claimed stays readable. */
	if (c->length && is_wrong_length(line, body_bytes))
		buf_add(to, STR("X-Archive-Orig-"));
	buf_add(to, line);
	buf_add(to, STR("\r\n"));
	return true;
}

struct str stored_head_make(struct str head, uint64_t body_bytes, struct buf *scratch)
{
	struct changes c = find_changes(head, body_bytes);
	struct str whole, line;
	bool first = true, kept = true;

	if (!c.version && !c.chunked && !c.length && !c.no_end)
		return head;
	buf_reset(scratch);
	for (; take_line(&head, &whole, &line) && line.n > 0; first = false) {
		if (first && c.version)
			add_first_line(line, scratch);
		else if (!ascii_is_space(line.p[0]))
			kept = add_line(scratch, line, &c, body_bytes);
		else if (kept) {
			buf_add(scratch, line);
			buf_add(scratch, STR("\r\n"));
		}
	}
	if ((c.chunked || c.length) && body_bytes != HTTP_ANY_BODY) {
		buf_add(scratch, STR("Content-Length: "));
		buf_add_uint(scratch, body_bytes);
		buf_add(scratch, STR("\r\n"));
	}
	buf_add(scratch, STR("\r\n"));
	return buf_str(scratch);
}
