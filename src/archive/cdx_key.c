#include <stdlib.h>
#include <string.h>

#include "archive/cdx.h"
#include "base/alloc.h"
#include "url/host.h"
#include "url/idna.h"
#include "url/surt.h"

/*
 * The Wayback Machine's URL key.  Its rules come from two older canonicalizers run
 * one after the other, with their oddities: percent-encoding is undone until nothing
 * changes and then made again, ".." above the root stays, "www2." goes.
 * All work is done at the end of the output buffer, so nothing is allocated.
 */

static struct str tail_of(const struct buf *b, size_t from)
{
	return (struct str){ b->p + from, b->n - from };
}

static void lower(struct buf *b, size_t from)
{
	for (size_t i = from; i < b->n; i++)
		b->p[i] = ascii_lower(b->p[i]);
}

/* Once over the tail; true when anything changed. */
static bool unescape_once(struct buf *b, size_t from)
{
	size_t out = from, n = b->n;

	for (size_t in = from; in < n; in++, out++) {
		int high, low;

		if (b->p[in] == '%' && n - in > 2 &&
		    (high = ascii_hex_value(b->p[in + 1])) >= 0 &&
		    (low = ascii_hex_value(b->p[in + 2])) >= 0) {
			b->p[out] = (char)(high << 4 | low);
			in += 2;
		} else {
			b->p[out] = b->p[in];
		}
	}
	b->n = out;
	return out != n;
}

static void unescape(struct buf *b, size_t from)
{
	if (b->n > from && memchr(b->p + from, '%', b->n - from))
		while (unescape_once(b, from))
			;
}

static bool must_escape(uint8_t c)
{
	return c <= ' ' || c >= 0x7f || c == '#' || c == '%';
}

static void escape(struct buf *b, size_t from)
{
	static const char digits[] = "0123456789abcdef";
	size_t extra = 0, n = b->n;

	for (size_t i = from; i < n; i++)
		extra += must_escape((uint8_t)b->p[i]) ? 2 : 0;
	if (extra == 0 || !buf_reserve(b, extra))
		return;
	b->n = n + extra;
	for (size_t in = n, out = b->n; in > from;) {
		uint8_t c = (uint8_t)b->p[--in];

		if (!must_escape(c)) {
			b->p[--out] = (char)c;
			continue;
		}
		b->p[--out] = digits[c & 15];
		b->p[--out] = digits[c >> 4];
		b->p[--out] = '%';
	}
}

/* Where the last segment that was kept begins; `from` when there is none. */
static size_t last_segment(const struct buf *b, size_t from)
{
	size_t slash = str_rfind_char(tail_of(b, from), '/');

	return slash == STR_NONE ? from : from + slash;
}

/* "." goes, ".." takes the one before it along, empty segments go but for the last. */
static void resolve_dots(struct buf *b, size_t from)
{
	size_t in = from, end = b->n;

	b->n = from;
	while (in < end) {
		const char *slash = memchr(b->p + in + 1, '/', end - in - 1);
		size_t next = slash ? (size_t)(slash - b->p) : end;
		struct str segment = { b->p + in + 1, next - in - 1 };
		bool is_dot = str_eq(segment, STR("."));
		bool is_up = str_eq(segment, STR("..")) && b->n > from;

		if (is_up)
			b->n = last_segment(b, from);
		else if (!is_dot && (segment.n > 0 || next == end)) {
			memmove(b->p + b->n, b->p + in, next - in);
			b->n += next - in;
		}
		in = next;
	}
	if (b->n == from)
		buf_add_char(b, '/');
}

/* Letters and digits, so many of them. */
static bool is_token(struct str s, size_t n)
{
	if (s.n < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!ascii_is_digit(s.p[i]) && !ascii_is_alpha(s.p[i]))
			return false;
	return true;
}

/* "(a(24 letters or digits))/" or "(24)/" before a page that ends in .aspx. */
static size_t asp_session(struct str s)
{
	size_t n = 0;

	if (!str_take_char(&s, '('))
		return 0;
	if (is_token(s, 24) && str_starts(str_skip(s, 24), STR(")/")))
		return 27;
	while (s.n > 28 && ascii_is_alpha(s.p[0]) && s.p[1] == '(' &&
	       is_token(str_skip(s, 2), 24) && s.p[26] == ')') {
		s = str_skip(s, 27);
		n += 27;
	}
	return n > 0 && str_starts(s, STR(")/")) ? n + 3 : 0;
}

static void drop_path_session(struct buf *b, size_t from)
{
	if (str_find(tail_of(b, from), STR(".aspx")) == STR_NONE)
		return;
	for (size_t i = from + 1; i < b->n; i++) {
		size_t n = b->p[i - 1] == '/' ? asp_session(tail_of(b, i)) : 0;

		if (n == 0)
			continue;
		memmove(b->p + i, b->p + i + n, b->n - i - n);
		b->n -= n;
		return;
	}
}

static void add_path(struct buf *b, struct str path, bool has_host)
{
	size_t from = b->n;

	buf_add(b, path);
	unescape(b, from);
	if (has_host)
		resolve_dots(b, from);
	escape(b, from);
	lower(b, from);
	drop_path_session(b, from);
	if (b->n > from + 1 && b->p[b->n - 1] == '/')
		b->n--;
}

/* How long the session id is that begins here, its '&' not counted; 0 for none. */
static size_t query_session(struct str s)
{
	static const char *const names[] = { "jsessionid=", "phpsessid=", "sid=" };
	size_t at;

	for (size_t i = 0; i < COUNT(names); i++) {
		size_t n = strlen(names[i]);

		if (str_starts(s, str_from(names[i])) && is_token(str_skip(s, n), 32) &&
		    (s.n == n + 32 || s.p[n + 32] == '&'))
			return n + 32;
	}
	if (str_starts(s, STR("aspsessionid")) && is_token(str_skip(s, 12), 8) &&
	    str_starts(str_skip(s, 20), STR("=")) && is_token(str_skip(s, 21), 24) &&
	    (s.n == 45 || s.p[45] == '&'))
		return 45;
	if (!str_starts(s, STR("cfid=")) || (at = str_find_char(s, '&')) == STR_NONE ||
	    at == 5 || !str_starts(str_skip(s, at), STR("&cftoken=")))
		return 0;
	size_t end = str_find_char(str_skip(s, at + 1), '&');
	return end == STR_NONE ? s.n : end > 8 ? at + 1 + end : 0;
}

/* The last one in the query goes, with the '&' behind it. */
static void drop_query_session(struct buf *b, size_t from)
{
	for (size_t i = b->n; i-- > from;) {
		size_t n = query_session(tail_of(b, i));

		if (n == 0)
			continue;
		if (i + n < b->n)
			n++;
		memmove(b->p + i, b->p + i + n, b->n - i - n);
		b->n -= n;
		return;
	}
}

/* By name, then without '=' before with, then by value. */
static int by_parameter(const void *a, const void *b)
{
	struct str x = *(const struct str *)a, y = *(const struct str *)b, x_name, y_name;
	bool x_has = str_find_char(x, '=') != STR_NONE;
	bool y_has = str_find_char(y, '=') != STR_NONE;

	if (!str_take_until(&x, '=', &x_name))
		x_name = STR("");
	if (!str_take_until(&y, '=', &y_name))
		y_name = STR("");
	int order = str_cmp(x_name, y_name);
	if (order || x_has != y_has)
		return order ? order : x_has - y_has;
	return str_cmp(x, y);
}

/* In place: the parameters are written once more behind, then moved down. */
static void sort_query(struct buf *b, size_t from)
{
	struct str few[32], *v = few;
	size_t n = 1, i = 0, old = b->n - from;

	for (size_t k = from; k < b->n; k++)
		n += b->p[k] == '&';
	if (n == 1 || !buf_reserve(b, old))
		return;
	if (n > COUNT(few))
		v = xcalloc(n, sizeof(*v));
	for (size_t start = from, k = from; k <= b->n; k++)
		if (k == b->n || b->p[k] == '&') {
			v[i++] = (struct str){ b->p + start, k - start };
			start = k + 1;
		}
	qsort(v, n, sizeof(*v), by_parameter);
	for (i = 0; i < n; i++) {
		if (i)
			buf_add_char(b, '&');
		buf_add(b, v[i]);
	}
	memmove(b->p + from, b->p + from + old, old);
	b->n = from + old;
	if (v != few)
		free(v);
}

static void add_query(struct buf *b, struct str query)
{
	size_t mark = b->n;

	if (query.n == 0)
		return;
	buf_add_char(b, '?');
	size_t from = b->n;
	buf_add(b, query);
	unescape(b, from);
	escape(b, from);
	lower(b, from);
	drop_query_session(b, from);
	sort_query(b, from);
	if (b->n == from)
		b->n = mark;
}

/* "a.b.c" as "c,b,a". */
static void add_reversed(struct buf *to, struct str host)
{
	while (host.n) {
		size_t dot = str_rfind_char(host, '.');

		buf_add(to, dot == STR_NONE ? host : str_skip(host, dot + 1));
		if (dot == STR_NONE)
			return;
		buf_add_char(to, ',');
		host.n = dot;
	}
}

/* Lower case, ASCII, no dots at the ends; numbers as addresses. */
static void add_plain_host(struct buf *b, struct str host)
{
	size_t from = b->n;
	bool ascii = true, number = true;
	struct ip ip;

	buf_add(b, host);
	unescape(b, from);
	lower(b, from);
	while (b->n > from && b->p[b->n - 1] == '.')
		b->n--;
	struct str plain = tail_of(b, from);
	while (str_take_char(&plain, '.'))
		;
	for (size_t i = 0; i < plain.n; i++) {
		ascii &= (uint8_t)plain.p[i] < 0x80;
		number &= ascii_is_digit(plain.p[i]) || plain.p[i] == '.';
	}
	if (number && plain.n && ipv4_parse(plain, &ip) == ST_OK) {
		b->n = from;
		buf_add_ip(b, &ip);
	} else if (!ascii) {
		cleanup(buf_release) struct buf name = { 0 };

		if (idna_to_ascii(plain, &name, NULL) == ST_OK) {
			b->n = from;
			buf_add(b, buf_str(&name));
		}
	}
}

static void add_host(struct buf *b, struct str host)
{
	size_t from = b->n;

	add_plain_host(b, host);
	size_t old = b->n - from;
	if (!buf_reserve(b, old)) /* the reversed name is written behind the plain one */
		return;
	struct str plain = tail_of(b, from);
	while (str_take_char(&plain, '.'))
		;
	add_reversed(b, surt_without_www(plain));
	size_t n = b->n - from - old;
	memmove(b->p + from, b->p + from + old, n);
	b->n = from + n;
}

static void add_port(struct buf *b, struct str port, struct str scheme)
{
	uint64_t number;

	if (!str_to_uint(port, 65535, &number) ||
	    (number == 80 && str_eq_nocase(scheme, STR("http"))) ||
	    (number == 443 && str_eq_nocase(scheme, STR("https"))) || number == 0)
		return;
	buf_add_char(b, ':');
	buf_add_uint(b, number);
}

/* "user:pw@[::1]:80": what is before the last '@' goes, brackets too. */
static void add_authority(struct buf *b, struct str authority, struct str scheme)
{
	size_t at = str_rfind_char(authority, '@'), end;
	struct str port = STR("");

	if (at != STR_NONE)
		authority = str_skip(authority, at + 1);
	if (str_starts(authority, STR("[")) &&
	    (end = str_find_char(authority, ']')) != STR_NONE) {
		port = str_skip(authority, end + 1);
		(void)str_take_char(&port, ':');
		buf_add(b, str_slice(authority, 1, end));
		add_port(b, port, scheme);
		buf_add_char(b, ')');
		return;
	}
	if ((end = str_rfind_char(authority, ':')) != STR_NONE) {
		port = str_skip(authority, end + 1);
		authority.n = end;
	}
	add_host(b, authority);
	add_port(b, port, scheme);
	buf_add_char(b, ')');
}

/* Consume "scheme:"; false, nothing consumed, when there is none. */
static bool take_scheme(struct str *in, struct str *ret)
{
	size_t colon = str_find_char(*in, ':');

	if (colon == STR_NONE || colon == 0 || !ascii_is_alpha(in->p[0]))
		return false;
	for (size_t i = 0; i < colon; i++) {
		char c = in->p[i];

		if (!ascii_is_alpha(c) && !ascii_is_digit(c) && c != '+' && c != '-' &&
		    c != '.')
			return false;
	}
	*ret = str_slice(*in, 0, colon);
	*in = str_skip(*in, colon + 1);
	return true;
}

void cdx_add_key(struct buf *to, struct str url)
{
	struct str scheme = STR("http"), query = STR(""), authority;
	struct str rest = str_trim(url);
	bool had_scheme = take_scheme(&rest, &scheme);
	size_t end = str_find_char(rest, '#');

	if (rest.n == 0 && !had_scheme) {
		buf_add_char(to, '-');
		return;
	}
	rest = str_slice(rest, 0, end);
	if ((end = str_find_char(rest, '?')) != STR_NONE) {
		query = str_skip(rest, end + 1);
		rest.n = end;
	}
	bool has_host = str_take_prefix(&rest, STR("//")) || !had_scheme;
	if (has_host) {
		for (end = 0; end < rest.n && rest.p[end] != '/'; end++)
			;
		authority = str_slice(rest, 0, end);
		rest = str_skip(rest, end);
		add_authority(to, authority, scheme);
	} else {
		buf_add(to, scheme);
		buf_add_char(to, ':');
	}
	add_path(to, rest, has_host);
	add_query(to, query);
}
