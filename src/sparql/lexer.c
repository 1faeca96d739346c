#include "sparql/lexer.h"

#include <string.h>

#include "base/utf8.h"

void lexer_start(struct lexer *l, struct str in, struct arena *arena)
{
	*l = (struct lexer){ .in = in, .arena = arena };
	lexer_next(l);
}

void lexer_position(const struct lexer *l, size_t at, unsigned *ret_line,
		    unsigned *ret_column)
{
	unsigned line = 1, column = 1;

	for (size_t i = 0; i < at && i < l->in.n; i++) {
		if (l->in.p[i] == '\n') {
			line++;
			column = 1;
		} else if (((uint8_t)l->in.p[i] & 0xc0) != 0x80) {
			column++;
		}
	}
	*ret_line = line;
	*ret_column = column;
}

static bool take_hex(struct str s, size_t digits, uint32_t *ret)
{
	uint32_t v = 0;

	if (s.n < digits)
		return false;
	for (size_t i = 0; i < digits; i++) {
		int h = ascii_hex_value(s.p[i]);

		if (h < 0)
			return false;
		v = v << 4 | (uint32_t)h;
	}
	*ret = v;
	return v <= 0x10ffff && (v < 0xd800 || v > 0xdfff);
}

enum status sparql_undo_codepoints(struct str text, struct arena *a, struct str *ret,
				   struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	size_t from = 0;

	for (size_t i = 0; i + 1 < text.n; i++) {
		char kind = text.p[i + 1];
		size_t digits = kind == 'u' ? 4 : 8;
		uint32_t cp;

		if (text.p[i] != '\\')
			continue;
		if (kind != 'u' && kind != 'U') {
			i++; /* "\\u" is a backslash and a letter */
			continue;
		}
		if (!take_hex(str_skip(text, i + 2), digits, &cp))
			return diag_fail(
				why, ST_SYNTAX,
				"byte %zu: \\%c wants %zu hex digits of a character",
				i + 1, kind, digits);
		buf_add(&b, str_slice(text, from, i));
		buf_add_utf8(&b, cp);
		from = i + 2 + digits;
		i = from - 1;
	}
	if (from == 0) {
		*ret = text;
		return ST_OK;
	}
	buf_add(&b, str_skip(text, from));
	*ret = arena_copy(a, buf_str(&b));
	return ST_OK;
}

static bool in_ranges(uint32_t cp)
{
	static const uint32_t ranges[][2] = {
		{ 0xc0, 0xd6 },     { 0xd8, 0xf6 },     { 0xf8, 0x2ff },
		{ 0x370, 0x37d },   { 0x37f, 0x1fff },  { 0x200c, 0x200d },
		{ 0x2070, 0x218f }, { 0x2c00, 0x2fef }, { 0x3001, 0xd7ff },
		{ 0xf900, 0xfdcf }, { 0xfdf0, 0xfffd }, { 0x10000, 0xeffff },
	};

	for (size_t i = 0; i < COUNT(ranges); i++)
		if (cp >= ranges[i][0] && cp <= ranges[i][1])
			return true;
	return false;
}

/* PN_CHARS_BASE, PN_CHARS_U and PN_CHARS. */
static bool is_base_char(uint32_t cp)
{
	return cp < 0x80 ? ascii_is_alpha((char)cp) : in_ranges(cp);
}

static bool is_word_start(uint32_t cp)
{
	return cp == '_' || is_base_char(cp);
}

static bool is_digit(uint32_t cp)
{
	return cp < 0x80 && ascii_is_digit((char)cp);
}

static bool is_name_char(uint32_t cp)
{
	return is_word_start(cp) || cp == '-' || is_digit(cp) || cp == 0xb7 ||
	       (cp >= 0x300 && cp <= 0x36f) || cp == 0x203f || cp == 0x2040;
}

/* VARNAME has no '-'. */
static bool is_var_char(uint32_t cp)
{
	return cp != '-' && is_name_char(cp);
}

static struct str rest_of(const struct lexer *l)
{
	return str_skip(l->in, l->at);
}

static uint32_t peek_char(struct str s)
{
	return s.n ? utf8_take(&s) : 0;
}

/* How many bytes at the front satisfy `wanted`. */
static size_t span(struct str s, bool (*wanted)(uint32_t))
{
	size_t all = s.n;

	while (s.n) {
		struct str after = s;

		if (!wanted(utf8_take(&after)))
			break;
		s = after;
	}
	return all - s.n;
}

static void skip_space(struct lexer *l)
{
	while (l->at < l->in.n) {
		char c = l->in.p[l->at];

		if (c == '#') {
			while (l->at < l->in.n && l->in.p[l->at] != '\n' &&
			       l->in.p[l->at] != '\r')
				l->at++;
		} else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
			l->at++;
		} else {
			return;
		}
	}
}

static void set(struct lexer *l, enum token_kind kind, struct str text, size_t length)
{
	l->token.kind = kind;
	l->token.text = text;
	l->at += length;
}

static void bad(struct lexer *l, const char *what)
{
	set(l, TOKEN_BAD, str_from(what), 0);
}

/* <...> when it is an IRI; else the operator < or <=. */
static bool lex_iri(struct lexer *l)
{
	struct str s = rest_of(l);

	for (size_t i = 1; i < s.n; i++) {
		if (s.p[i] == '>') {
			set(l, TOKEN_IRI, str_slice(s, 1, i), i + 1);
			return true;
		}
		if ((uint8_t)s.p[i] <= 0x20 || strchr("<\"{}|^`\\", s.p[i]))
			return false;
	}
	return false;
}

static char string_escape(char c)
{
	static const char from[] = "tbnrf\"'\\", to[] = "\t\b\n\r\f\"'\\";
	const char *at = c ? strchr(from, c) : NULL;

	return at ? to[at - from] : '\0';
}

static void lex_string(struct lexer *l)
{
	struct str s = rest_of(l);
	cleanup(buf_release) struct buf b = { 0 };
	char quote = s.p[0];
	char three[] = { quote, quote, quote };
	bool is_long = str_starts(s, (struct str){ three, 3 });
	size_t i = is_long ? 3 : 1;

	for (; i < s.n; i++) {
		char c = s.p[i];

		if (is_long ? str_starts(str_skip(s, i), (struct str){ three, 3 })
			    : c == quote) {
			i += is_long ? 3 : 1;
			set(l, TOKEN_STRING, arena_copy(l->arena, buf_str(&b)), i);
			return;
		}
		if (!is_long && (c == '\n' || c == '\r'))
			break;
		if (c == '\\') {
			c = i + 1 < s.n ? string_escape(s.p[++i]) : '\0';
			if (!c) {
				l->at += i;
				bad(l, "unknown escape in a string");
				return;
			}
		}
		buf_add_char(&b, c);
	}
	bad(l, "string without closing quote");
}

static void lex_number(struct lexer *l)
{
	struct str s = rest_of(l);
	size_t n = span(s, is_digit), frac = 0, i;
	enum token_kind kind = TOKEN_INTEGER;

	if (n < s.n && s.p[n] == '.') {
		frac = span(str_skip(s, n + 1), is_digit);
		if (frac) {
			kind = TOKEN_DECIMAL;
			n += 1 + frac;
		}
	}
	/* "1.e5" is a double too: digits, point, exponent (rule 148). */
	i = n + (kind == TOKEN_INTEGER && n > 0 && n < s.n && s.p[n] == '.');
	if (i < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
		size_t sign = i + 1 < s.n && (s.p[i + 1] == '+' || s.p[i + 1] == '-');
		size_t digits = span(str_skip(s, i + 1 + sign), is_digit);

		if (digits) {
			kind = TOKEN_DOUBLE;
			n = i + 1 + sign + digits;
		}
	}
	set(l, kind, str_slice(s, 0, n), n);
}

/* The local part of a prefixed name; -1 for a bad escape, else its length. */
static ptrdiff_t span_local(struct str s, struct buf *undone)
{
	size_t i = 0, end = 0, kept = undone->n;

	while (i < s.n) {
		struct str rest = str_skip(s, i), after = rest;
		uint32_t cp = utf8_take(&after);
		size_t n = rest.n - after.n;

		if (cp == '\\') {
			if (rest.n < 2 || !strchr("_~.-!$&'()*+,;=/?#@%", rest.p[1]))
				return -1;
			buf_add_char(undone, rest.p[1]);
			i += 2;
		} else if (cp == '%') {
			if (rest.n < 3 || ascii_hex_value(rest.p[1]) < 0 ||
			    ascii_hex_value(rest.p[2]) < 0)
				return -1;
			buf_add(undone, str_slice(rest, 0, 3));
			i += 3;
		} else if (is_name_char(cp) ? i > 0 || cp == '_' || is_digit(cp) ||
						      is_base_char(cp)
					    : cp == ':' || (cp == '.' && i > 0)) {
			buf_add(undone, str_slice(rest, 0, n));
			i += n;
			if (cp == '.')
				continue; /* counts only when something follows */
		} else {
			break;
		}
		end = i;
		kept = undone->n;
	}
	undone->n = kept; /* a trailing dot ends the sentence, not the name */
	return (ptrdiff_t)end;
}

/* What follows `prefix` and its colon. */
static void lex_pname(struct lexer *l, struct str prefix)
{
	cleanup(buf_release) struct buf b = { 0 };
	ptrdiff_t n = span_local(str_skip(rest_of(l), prefix.n + 1), &b);

	if (n < 0) {
		bad(l, "bad escape in a prefixed name");
		return;
	}
	l->token.local = arena_copy(l->arena, buf_str(&b));
	set(l, TOKEN_PNAME, prefix, prefix.n + 1 + (size_t)n);
}

/* A word, or the prefix of a name: the prefix may hold '-' and inner dots. */
static void lex_word(struct lexer *l)
{
	struct str s = rest_of(l);
	size_t i = 0, word = span(s, is_var_char);

	while (i < s.n) {
		size_t n = span(str_skip(s, i), is_name_char);

		i += n;
		if (i >= s.n || s.p[i] != '.')
			break;
		i++;
	}
	if (i < s.n && s.p[i] == ':' && is_base_char(peek_char(s)) && s.p[i - 1] != '.')
		lex_pname(l, str_slice(s, 0, i));
	else
		set(l, TOKEN_WORD, str_slice(s, 0, word), word);
}

static void lex_blank(struct lexer *l)
{
	struct str s = str_skip(rest_of(l), 2);
	size_t i = 0, end = 0;

	while (i < s.n) {
		struct str after = str_skip(s, i);
		uint32_t cp = utf8_take(&after);

		if (i == 0 ? !is_word_start(cp) && !is_digit(cp)
			   : !is_name_char(cp) && cp != '.')
			break;
		i = s.n - after.n;
		if (cp != '.')
			end = i;
	}
	if (end == 0)
		bad(l, "blank node without a label");
	else
		set(l, TOKEN_BLANK, str_slice(s, 0, end), end + 2);
}

static bool is_var_start(uint32_t cp)
{
	return is_word_start(cp) || is_digit(cp);
}

static void lex_lang(struct lexer *l)
{
	struct str s = str_skip(rest_of(l), 1);
	size_t i = 0, part = 0;

	for (; i < s.n; i++) {
		bool first = i == part && part == 0;

		if (s.p[i] == '-' && i > part)
			part = i + 1;
		else if (!ascii_is_alpha(s.p[i]) &&
			 (first || part == 0 || !ascii_is_digit(s.p[i])))
			break;
	}
	if (i == part)
		bad(l, "bad language tag");
	else
		set(l, TOKEN_LANG, str_slice(s, 0, i), i + 1);
}

static void lex_punct(struct lexer *l)
{
	static const char *const two[] = { "&&", "||", "!=", "<=", ">=", "^^" };
	struct str s = rest_of(l);

	for (size_t i = 0; i < COUNT(two); i++)
		if (str_starts(s, str_from(two[i]))) {
			set(l, TOKEN_PUNCT, str_slice(s, 0, 2), 2);
			return;
		}
	if (strchr("{}()[].,;*/+-=<>!|^?", s.p[0]) && s.p[0])
		set(l, TOKEN_PUNCT, str_slice(s, 0, 1), 1);
	else
		bad(l, "a character that is not of SPARQL");
}

void lexer_next(struct lexer *l)
{
	skip_space(l);
	l->token = (struct token){ .at = l->at };

	struct str s = rest_of(l);
	char c = s.n ? s.p[0] : '\0', next = s.n > 1 ? s.p[1] : '\0';

	if (s.n == 0)
		l->token.kind = TOKEN_END;
	else if (c == '<' && lex_iri(l))
		;
	else if (c == '"' || c == '\'')
		lex_string(l);
	else if (ascii_is_digit(c) || (c == '.' && ascii_is_digit(next)))
		lex_number(l);
	else if ((c == '?' || c == '$') && is_var_start(peek_char(str_skip(s, 1)))) {
		size_t n = span(str_skip(s, 1), is_var_char);

		set(l, TOKEN_VAR, str_slice(s, 1, n + 1), n + 1);
	} else if (c == '_' && next == ':')
		lex_blank(l);
	else if (c == '@')
		lex_lang(l);
	else if (c == ':')
		lex_pname(l, str_slice(s, 0, 0));
	else if (is_word_start(peek_char(s)))
		lex_word(l);
	else
		lex_punct(l);
	l->token.end = l->at;
}

struct token lexer_peek(struct lexer *l)
{
	struct lexer ahead = *l;

	lexer_next(&ahead);
	return ahead.token;
}
