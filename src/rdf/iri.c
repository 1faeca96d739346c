#include "rdf/iri.h"

struct iri_parts {
	struct str scheme, authority, path, query, fragment;
	bool has_authority, has_query, has_fragment;
};

static size_t scheme_length(struct str s)
{
	if (s.n == 0 || !ascii_is_alpha(s.p[0]))
		return 0;
	for (size_t i = 1; i < s.n; i++) {
		char c = s.p[i];

		if (c == ':')
			return i;
		if (!ascii_is_alpha(c) && !ascii_is_digit(c) && c != '+' && c != '-' &&
		    c != '.')
			return 0;
	}
	return 0;
}

bool iri_is_absolute(struct str iri)
{
	return scheme_length(iri) > 0;
}

static size_t find_any(struct str s, const char *chars)
{
	for (size_t i = 0; i < s.n; i++)
		for (const char *c = chars; *c; c++)
			if (s.p[i] == *c)
				return i;
	return s.n;
}

static struct iri_parts split(struct str s)
{
	struct iri_parts r = { 0 };
	size_t n = scheme_length(s);

	if (n) {
		r.scheme = str_slice(s, 0, n);
		s = str_skip(s, n + 1);
	}
	if (str_take_prefix(&s, STR("//"))) {
		n = find_any(s, "/?#");
		r.has_authority = true;
		r.authority = str_slice(s, 0, n);
		s = str_skip(s, n);
	}
	n = find_any(s, "?#");
	r.path = str_slice(s, 0, n);
	s = str_skip(s, n);
	if (str_take_char(&s, '?')) {
		n = find_any(s, "#");
		r.has_query = true;
		r.query = str_slice(s, 0, n);
		s = str_skip(s, n);
	}
	if (str_take_char(&s, '#')) {
		r.has_fragment = true;
		r.fragment = s;
	}
	return r;
}

/* Cut the last segment, its slash included, from what was added after `from`. */
static void drop_segment(struct buf *to, size_t from)
{
	while (to->n > from && to->p[to->n - 1] != '/')
		to->n--;
	if (to->n > from)
		to->n--;
}

/* RFC 3986 5.2.4. */
static void add_without_dots(struct str in, struct buf *to)
{
	size_t from = to->n;

	while (in.n) {
		if (str_take_prefix(&in, STR("../")) || str_take_prefix(&in, STR("./")))
			continue;
		if (str_starts(in, STR("/./"))) {
			in = str_skip(in, 2);
		} else if (str_eq(in, STR("/."))) {
			in = STR("/");
		} else if (str_starts(in, STR("/../")) || str_eq(in, STR("/.."))) {
			in = in.n == 3 ? STR("/") : str_skip(in, 3);
			drop_segment(to, from);
		} else if (str_eq(in, STR(".")) || str_eq(in, STR(".."))) {
			return;
		} else {
			size_t n = str_find_char(str_skip(in, 1), '/');

			n = n == STR_NONE ? in.n : n + 1;
			buf_add(to, str_slice(in, 0, n));
			in = str_skip(in, n);
		}
	}
}

static void add_merged_path(const struct iri_parts *base, struct str path, struct buf *to)
{
	cleanup(buf_release) struct buf merged = { 0 };
	size_t slash = str_rfind_char(base->path, '/');

	if (base->has_authority && base->path.n == 0)
		buf_add_char(&merged, '/');
	else if (slash != STR_NONE)
		buf_add(&merged, str_slice(base->path, 0, slash + 1));
	buf_add(&merged, path);
	add_without_dots(buf_str(&merged), to);
}

static void add_query(const struct iri_parts *r, struct buf *to)
{
	if (r->has_query) {
		buf_add_char(to, '?');
		buf_add(to, r->query);
	}
}

void iri_resolve(struct str base, struct str reference, struct buf *to)
{
	struct iri_parts b = split(base), r = split(reference);

	if (r.scheme.n || base.n == 0) {
		buf_add(to, reference);
		return;
	}
	buf_add(to, b.scheme);
	buf_add_char(to, ':');
	if (r.has_authority || b.has_authority) {
		buf_add(to, STR("//"));
		buf_add(to, r.has_authority ? r.authority : b.authority);
	}
	if (r.has_authority || (r.path.n && r.path.p[0] == '/')) {
		add_without_dots(r.path, to);
		add_query(&r, to);
	} else if (r.path.n == 0) {
		buf_add(to, b.path);
		add_query(r.has_query ? &r : &b, to);
	} else {
		add_merged_path(&b, r.path, to);
		add_query(&r, to);
	}
	if (r.has_fragment) {
		buf_add_char(to, '#');
		buf_add(to, r.fragment);
	}
}
