#include "rdf/term.h"

#include <string.h>

struct term term_typed(struct str text, struct str datatype)
{
	if (str_eq(datatype, STR(XSD "string")))
		datatype = (struct str){ 0 };
	return (struct term){ .kind = TERM_LITERAL, .text = text, .datatype = datatype };
}

bool term_eq(struct term a, struct term b)
{
	return a.kind == b.kind && str_eq(a.text, b.text) &&
	       str_eq(a.datatype, b.datatype) && str_eq_nocase(a.lang, b.lang);
}

struct term term_copy(struct arena *a, struct term t)
{
	t.text = arena_copy(a, t.text);
	t.datatype = t.datatype.n ? arena_copy(a, t.datatype) : (struct str){ 0 };
	t.lang = t.lang.n ? arena_copy(a, t.lang) : (struct str){ 0 };
	return t;
}

struct str term_datatype(struct term t)
{
	if (t.kind != TERM_LITERAL)
		return (struct str){ 0 };
	if (t.lang.n)
		return STR(RDF "langString");
	return t.datatype.n ? t.datatype : STR(XSD "string");
}

/* The characters that canonical N-Triples escapes in a literal. */
static const char *literal_escape(char c)
{
	switch (c) {
	case '"':
		return "\\\"";
	case '\\':
		return "\\\\";
	case '\n':
		return "\\n";
	case '\r':
		return "\\r";
	case '\t':
		return "\\t";
	case '\b':
		return "\\b";
	case '\f':
		return "\\f";
	default:
		return NULL;
	}
}

static bool is_control(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f;
}

void term_format_text(struct str text, struct buf *to)
{
	size_t from = 0;

	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];

		if (!is_control(c) && c != '"' && c != '\\')
			continue;
		buf_add(to, str_slice(text, from, i));
		if (literal_escape(c))
			buf_add(to, str_from(literal_escape(c)));
		else
			buf_addf(to, "\\u%04X", (unsigned char)c);
		from = i + 1;
	}
	buf_add(to, str_skip(text, from));
}

static bool iri_needs_escape(char c)
{
	return (unsigned char)c <= 0x20 || (c && strchr("<>\"{}|^`\\", c));
}

static void format_iri(struct str iri, struct buf *to)
{
	size_t from = 0;

	buf_add_char(to, '<');
	for (size_t i = 0; i < iri.n; i++) {
		if (!iri_needs_escape(iri.p[i]))
			continue;
		buf_add(to, str_slice(iri, from, i));
		buf_addf(to, "\\u%04X", (unsigned char)iri.p[i]);
		from = i + 1;
	}
	buf_add(to, str_skip(iri, from));
	buf_add_char(to, '>');
}

static void format_literal(struct term t, struct buf *to)
{
	buf_add_char(to, '"');
	term_format_text(t.text, to);
	buf_add_char(to, '"');
	if (t.lang.n) {
		buf_add_char(to, '@');
		buf_add(to, t.lang);
	} else if (t.datatype.n) {
		buf_add(to, STR("^^"));
		format_iri(t.datatype, to);
	}
}

void term_format(struct term t, struct buf *to)
{
	switch (t.kind) {
	case TERM_IRI:
		format_iri(t.text, to);
		break;
	case TERM_BLANK:
		buf_add(to, STR("_:"));
		buf_add(to, t.text);
		break;
	case TERM_LITERAL:
		format_literal(t, to);
		break;
	case TERM_NONE:
		break;
	}
}

void statement_format(const struct statement *s, struct buf *to)
{
	term_format(s->subject, to);
	buf_add_char(to, ' ');
	term_format(s->predicate, to);
	buf_add_char(to, ' ');
	term_format(s->object, to);
	if (s->graph.kind != TERM_NONE) {
		buf_add_char(to, ' ');
		term_format(s->graph, to);
	}
	buf_add(to, STR(" .\n"));
}

/* Language tags are one value whatever their case (RDF 1.1 3.3): kept in lower case. */
static void add_lower(struct buf *to, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		buf_add_char(to, ascii_lower(s.p[i]));
}

void term_to_key(struct term t, struct buf *to)
{
	if (t.kind == TERM_IRI) {
		buf_add_char(to, 'I');
	} else if (t.kind == TERM_BLANK) {
		buf_add_char(to, 'B');
	} else if (t.lang.n) {
		buf_add_char(to, 'L');
		add_lower(to, t.lang);
		buf_add_char(to, '\0');
	} else if (t.datatype.n) {
		buf_add_char(to, 'T');
		buf_add(to, t.datatype);
		buf_add_char(to, '\0');
	} else {
		buf_add_char(to, 'S');
	}
	buf_add(to, t.text);
}

bool term_from_key(struct str key, struct term *ret)
{
	struct str rest = str_skip(key, 1);
	size_t nul = str_find_char(rest, '\0');

	if (key.n == 0)
		return false;
	switch (key.p[0]) {
	case 'I':
		*ret = term_iri(rest);
		return true;
	case 'B':
		*ret = term_blank(rest);
		return true;
	case 'S':
		*ret = term_string(rest);
		return true;
	case 'L':
	case 'T':
		if (nul == STR_NONE)
			return false;
		*ret = term_string(str_skip(rest, nul + 1));
		*(key.p[0] == 'L' ? &ret->lang : &ret->datatype) =
			str_slice(rest, 0, nul);
		return true;
	default:
		return false;
	}
}
