#include "rdf/ntriples.h"

#include <string.h>

#include "base/utf8.h"
#include "rdf/iri.h"
#include "rdf/scan_bytes.h"

/*
 * Where a statement is being read; `end` is that of the input, and the end of the
 * line stops everything before it.  `error` is set by whoever first sees the fault.
 */
struct cursor {
	const char *p, *end, *start;
	struct nt_reader *reader;
	const char *error;
};

const bool scan_iri_plain[256] = {
	['!'] = 1, ['#' ... ';'] = 1, ['='] = 1, ['?' ... '['] = 1,   [']'] = 1,
	['_'] = 1, ['a' ... 'z'] = 1, ['~'] = 1, [0x7f ... 0xff] = 1,
};

void nt_reader_release(struct nt_reader *r)
{
	arena_release(&r->undone);
}

static bool fail(struct cursor *c, const char *what)
{
	c->error = what;
	return false;
}

static bool is_line_end(const struct cursor *c)
{
	return c->p == c->end || *c->p == '\n' || *c->p == '\r';
}

static void skip_blanks(struct cursor *c)
{
	while (c->p < c->end && (*c->p == ' ' || *c->p == '\t'))
		c->p++;
}

static struct str since(const struct cursor *c, const char *from)
{
	return (struct str){ from, (size_t)(c->p - from) };
}

/* The digits after \u or \U. */
static bool take_code_point(struct str *s, size_t digits, uint32_t *ret)
{
	uint32_t v = 0;

	if (s->n < digits)
		return false;
	for (size_t i = 0; i < digits; i++) {
		int h = ascii_hex_value(s->p[i]);

		if (h < 0)
			return false;
		v = v << 4 | (uint32_t)h;
	}
	*s = str_skip(*s, digits);
	*ret = v;
	return v <= 0x10ffff && (v < 0xd800 || v > 0xdfff);
}

static char escaped_char(char c)
{
	static const char from[] = "tbnrf\"'\\", to[] = "\t\b\n\r\f\"'\\";
	const char *at = c ? strchr(from, c) : NULL;

	return at ? to[at - from] : '\0';
}

/* `raw` without its escapes; in an IRI only \u and \U, and no character it forbids. */
static bool undo_escapes(struct cursor *c, struct str raw, bool in_iri, struct str *ret)
{
	cleanup(buf_release) struct buf b = { 0 };

	while (raw.n) {
		size_t n = str_find_char(raw, '\\');
		uint32_t cp;

		buf_add(&b, str_slice(raw, 0, n));
		if (n == STR_NONE)
			break;
		char kind = n + 1 < raw.n ? raw.p[n + 1] : '\0';
		raw = str_skip(raw, n + 2);
		if (kind == 'u' || kind == 'U') {
			if (!take_code_point(&raw, kind == 'u' ? 4 : 8, &cp))
				return fail(c, "bad \\u escape");
			if (in_iri && cp < 0x80 && !scan_iri_plain[cp])
				return fail(c, "an IRI may not hold this character");
			buf_add_utf8(&b, cp);
		} else if (!in_iri && escaped_char(kind)) {
			buf_add_char(&b, escaped_char(kind));
		} else {
			return fail(c, "unknown escape");
		}
	}
	c->reader->undone_used = true;
	*ret = arena_copy(&c->reader->undone, buf_str(&b));
	return true;
}

static bool has_high_byte(struct str s)
{
	size_t i = 0;
	uint64_t word, any = 0;

	for (; i + 8 <= s.n; i += 8) {
		memcpy(&word, s.p + i, 8);
		any |= word;
	}
	for (; i < s.n; i++)
		any |= (uint64_t)(uint8_t)s.p[i];
	return any & 0x8080808080808080u;
}

static bool take_iri(struct cursor *c, struct str *ret)
{
	const char *from = ++c->p;
	bool escaped = false;

	while ((c->p = scan_iri(c->p, c->end)) < c->end && *c->p == '\\') {
		escaped = true;
		c->p++;
	}
	if (is_line_end(c))
		return fail(c, "IRI without '>'");
	if (*c->p != '>')
		return fail(c, "an IRI may not hold this character");
	*ret = since(c, from);
	c->p++;
	if (has_high_byte(*ret) && !utf8_valid(*ret))
		return fail(c, "IRI is not UTF-8");
	if (escaped && !undo_escapes(c, *ret, true, ret))
		return false;
	return iri_is_absolute(*ret) || fail(c, "IRI is not absolute");
}

/* PN_CHARS_U and PN_CHARS of the grammar, ASCII part by hand. */
static bool is_label_start(uint32_t cp)
{
	if (cp < 0x80)
		return cp == '_' || ascii_is_alpha((char)cp);
	return cp >= 0xc0 && cp != 0xd7 && cp != 0xf7 && !(cp >= 0x300 && cp <= 0x36f) &&
	       cp != 0x37e && !(cp >= 0x2000 && cp <= 0x200b) &&
	       !(cp >= 0x200e && cp <= 0x206f) && !(cp >= 0x2190 && cp <= 0x2bff) &&
	       !(cp >= 0x2ff0 && cp <= 0x3000) && !(cp >= 0xd800 && cp <= 0xf8ff) &&
	       !(cp >= 0xfdd0 && cp <= 0xfdef) && cp != 0xfffe && cp != 0xffff &&
	       cp <= 0xeffff;
}

static bool is_label_char(uint32_t cp)
{
	if (cp < 0x80 && (cp == '-' || ascii_is_digit((char)cp)))
		return true;
	return is_label_start(cp) || cp == 0xb7 || (cp >= 0x300 && cp <= 0x36f) ||
	       cp == 0x203f || cp == 0x2040;
}

static bool take_label(struct cursor *c, struct str *ret)
{
	struct str rest = { c->p, (size_t)(c->end - c->p) };
	const char *from, *last;

	if (!str_take_prefix(&rest, STR("_:")))
		return fail(c, "want '_:' and a label");
	from = last = rest.p;
	while (rest.n) {
		uint32_t cp = utf8_take(&rest);
		bool first = last == from;

		if (cp == '.' && !first)
			continue; /* not at the end: `last` stays behind */
		if (first ? !is_label_start(cp) &&
				    !(cp < 0x80 && ascii_is_digit((char)cp))
			  : !is_label_char(cp))
			break;
		last = rest.p;
	}
	if (last == from)
		return fail(c, "empty blank node label");
	c->p = last;
	*ret = since(c, from);
	return true;
}

static bool take_lang(struct cursor *c, struct str *ret)
{
	const char *from = ++c->p;
	bool first_part = true, empty = true;

	for (; c->p < c->end; c->p++) {
		if (ascii_is_alpha(*c->p) || (!first_part && ascii_is_digit(*c->p)))
			empty = false;
		else if (*c->p == '-' && !empty)
			empty = !(first_part = false);
		else
			break;
	}
	*ret = since(c, from);
	return !empty || fail(c, "bad language tag");
}

static bool take_literal(struct cursor *c, struct term *ret)
{
	const char *from = ++c->p;
	bool escaped = false;
	struct str text, datatype;

	while ((c->p = scan_literal(c->p, c->end)) < c->end && *c->p == '\\') {
		escaped = true;
		c->p++;
		c->p += !is_line_end(c); /* what is escaped does not end the literal */
	}
	if (is_line_end(c))
		return fail(c, "literal without closing quote");
	text = since(c, from);
	c->p++;
	if (has_high_byte(text) && !utf8_valid(text))
		return fail(c, "literal is not UTF-8");
	if (escaped && !undo_escapes(c, text, false, &text))
		return false;
	*ret = term_string(text);
	if (c->p < c->end && *c->p == '@')
		return take_lang(c, &ret->lang);
	if (c->end - c->p >= 2 && c->p[0] == '^' && c->p[1] == '^') {
		c->p += 2;
		if (c->p == c->end || *c->p != '<')
			return fail(c, "want '<' after '^^'");
		if (!take_iri(c, &datatype))
			return false;
		*ret = term_typed(text, datatype);
	}
	return true;
}

enum { MAY_BE_IRI = 1, MAY_BE_BLANK = 2, MAY_BE_LITERAL = 4 };

static bool take_term(struct cursor *c, unsigned allowed, struct term *ret)
{
	char first = c->p < c->end ? *c->p : '\0';

	*ret = (struct term){ 0 };
	if (first == '<' && (allowed & MAY_BE_IRI)) {
		ret->kind = TERM_IRI;
		return take_iri(c, &ret->text);
	}
	if (first == '_' && (allowed & MAY_BE_BLANK)) {
		ret->kind = TERM_BLANK;
		return take_label(c, &ret->text);
	}
	if (first == '"' && (allowed & MAY_BE_LITERAL))
		return take_literal(c, ret);
	return fail(c, allowed == MAY_BE_IRI      ? "want a predicate IRI"
		       : allowed & MAY_BE_LITERAL ? "want an object: IRI, '_:' or '\"'"
						  : "want an IRI or a blank node");
}

static bool take_statement(struct cursor *c, struct statement *ret)
{
	if (!take_term(c, MAY_BE_IRI | MAY_BE_BLANK, &ret->subject))
		return false;
	skip_blanks(c);
	if (!take_term(c, MAY_BE_IRI, &ret->predicate))
		return false;
	skip_blanks(c);
	if (!take_term(c, MAY_BE_IRI | MAY_BE_BLANK | MAY_BE_LITERAL, &ret->object))
		return false;
	skip_blanks(c);
	ret->graph = (struct term){ 0 };
	if (c->reader->quads && c->p < c->end && *c->p != '.') {
		if (!take_term(c, MAY_BE_IRI | MAY_BE_BLANK, &ret->graph))
			return false;
		skip_blanks(c);
	}
	if (c->p == c->end || *c->p != '.')
		return fail(c, "want '.' at the end");
	c->p++;
	skip_blanks(c);
	if (!is_line_end(c) && *c->p != '#')
		return fail(c, "something follows the '.'");
	return true;
}

/* Go behind the end of this line; CR, LF or both end it. */
static void end_line(struct cursor *c)
{
	struct nt_reader *r = c->reader;

	if (!is_line_end(c)) {
		const char *lf = memchr(c->p, '\n', (size_t)(c->end - c->p));
		const char *last = lf ? lf : c->end;
		const char *cr = memchr(c->p, '\r', (size_t)(last - c->p));

		c->p = cr ? cr : last;
	}
	if (c->end - c->p >= 2 && c->p[0] == '\r' && c->p[1] == '\n')
		c->p++;
	c->p += c->p < c->end;
	r->in = (struct str){ c->p, (size_t)(c->end - c->p) };
	r->line++;
}

static enum status report(const struct cursor *c, struct diag *why)
{
	return diag_fail(why, ST_SYNTAX, "column %zu: %s", (size_t)(c->p - c->start) + 1,
			 c->error);
}

enum status nt_next(struct nt_reader *r, struct statement *ret, struct diag *why)
{
	if (r->undone_used) {
		arena_reset(&r->undone);
		r->undone_used = false;
	}
	while (r->in.n) {
		struct cursor c = { r->in.p, r->in.p + r->in.n, r->in.p, r, NULL };
		enum status st = ST_NOT_FOUND; /* nothing but a comment */

		skip_blanks(&c);
		if (!is_line_end(&c) && *c.p != '#')
			st = take_statement(&c, ret) ? ST_OK : report(&c, why);
		end_line(&c);
		if (st != ST_NOT_FOUND)
			return st;
	}
	return ST_NOT_FOUND;
}
