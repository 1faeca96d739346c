#include "kb/multipart.h"

#define BOUNDARY_MAX 70 /* RFC 2046 5.1.1 */

/* The value of `; name=value` or `; name="value"`. */
static struct str parameter(struct str field, struct str name)
{
	struct str piece;

	while (str_take_until(&field, ';', &piece)) {
		piece = str_trim(piece);
		if (!str_starts_nocase(piece, name) || piece.n == name.n ||
		    piece.p[name.n] != '=')
			continue;
		piece = str_skip(piece, name.n + 1);
		if (piece.n >= 2 && piece.p[0] == '"' && piece.p[piece.n - 1] == '"')
			piece = str_slice(piece, 1, piece.n - 1);
		return piece;
	}
	return (struct str){ 0 };
}

bool multipart_start(struct multipart *m, struct str content_type, struct str body)
{
	*m = (struct multipart){ .rest = body };
	if (!str_starts_nocase(content_type, STR("multipart/")))
		return false;
	m->boundary = parameter(content_type, STR("boundary"));
	return m->boundary.n > 0 && m->boundary.n <= BOUNDARY_MAX;
}

static bool at_delimiter(const struct multipart *m, struct str s)
{
	return str_take_prefix(&s, STR("--")) && str_starts(s, m->boundary);
}

/* Where the next delimiter stands at the beginning of a line; STR_NONE: nowhere. */
static size_t find_delimiter(const struct multipart *m, struct str s)
{
	for (size_t at = 0; at < s.n;) {
		size_t line = str_find_char(str_skip(s, at), '\n');

		if (at_delimiter(m, str_skip(s, at)))
			return at;
		if (line == STR_NONE)
			break;
		at += line + 1;
	}
	return STR_NONE;
}

static struct str without_line_end(struct str s)
{
	if (s.n && s.p[s.n - 1] == '\n')
		s.n--;
	if (s.n && s.p[s.n - 1] == '\r')
		s.n--;
	return s;
}

static void read_field(struct str line, struct part *to)
{
	struct str value = line;

	if (str_starts_nocase(line, STR("Content-Type:"))) {
		to->content_type = str_trim(str_skip(line, 13));
	} else if (str_starts_nocase(line, STR("Content-Disposition:"))) {
		to->name = parameter(value, STR("name"));
		to->filename = parameter(value, STR("filename"));
	}
}

bool multipart_next(struct multipart *m, struct part *ret)
{
	struct str rest = m->rest, line;
	size_t at = find_delimiter(m, rest), end;
	struct part part = { 0 };

	m->rest = (struct str){ 0 };
	m->bad = true;
	if (at == STR_NONE)
		return false;
	rest = str_skip(rest, at + 2 + m->boundary.n);
	if (str_starts(rest, STR("--"))) {
		m->bad = false;
		return false;
	}
	if (!str_take_until(&rest, '\n', &line) || str_trim(line).n)
		return false;
	for (;;) {
		if (!str_take_until(&rest, '\n', &line))
			return false;
		if (str_trim(line).n == 0)
			break;
		read_field(str_trim(line), &part);
	}
	end = find_delimiter(m, rest);
	if (end == STR_NONE)
		return false;
	part.body = without_line_end(str_slice(rest, 0, end));
	m->rest = str_skip(rest, end);
	m->bad = false;
	*ret = part;
	return true;
}
