#include "dust/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define SPECIAL "\\*(){}|?^$"

struct parser {
	struct str text;
	size_t at;
	struct text_place place;
	struct arena *in;
	struct diag *why;
	struct url_pattern made;
	size_t items_cap, alts_cap, atoms_cap;
	struct tokens tokens;
	struct buf bytes;
};

static void parser_release(struct parser *p)
{
	free(p->made.items);
	free(p->made.alts);
	free(p->made.atoms);
	tokens_release(&p->tokens);
	buf_release(&p->bytes);
}

static enum status fail(const struct parser *p, enum status st, const char *says)
{
	return diag_fail(p->why, st, "line %u, column %zu: %s", p->place.line,
			 p->place.column + p->at, says);
}

static bool at_end(const struct parser *p)
{
	return p->at >= p->text.n;
}

static char peek(const struct parser *p)
{
	return at_end(p) ? '\0' : p->text.p[p->at];
}

static bool take(struct parser *p, char c)
{
	if (at_end(p) || p->text.p[p->at] != c)
		return false;
	p->at++;
	return true;
}

static bool is_special(char c)
{
	return c != '\0' && strchr(SPECIAL, c);
}

/* After a backslash: xHH, or a byte that would be special. */
static enum status take_escaped(struct parser *p, char *ret)
{
	struct str rest = str_skip(p->text, p->at + 1);

	if (rest.n >= 3 && rest.p[0] == 'x' && ascii_hex_value(rest.p[1]) >= 0 &&
	    ascii_hex_value(rest.p[2]) >= 0) {
		*ret = (char)(ascii_hex_value(rest.p[1]) << 4 |
			      ascii_hex_value(rest.p[2]));
		p->at += 4;
		return ST_OK;
	}
	if (rest.n == 0 || !is_special(rest.p[0]))
		return fail(p, ST_SYNTAX,
			    "a backslash stands before a special character or xHH");
	*ret = rest.p[0];
	p->at += 2;
	return ST_OK;
}

static enum status take_byte(struct parser *p, char *ret)
{
	unsigned char c = (unsigned char)peek(p);

	if (c == '\\')
		return take_escaped(p, ret);
	if (c <= ' ' || c >= 0x7f)
		return fail(p, ST_SYNTAX, "write this byte as \\xHH");
	*ret = (char)c;
	p->at++;
	return ST_OK;
}

static bool is_literal(const struct parser *p)
{
	return !at_end(p) && (peek(p) == '\\' || !is_special(peek(p)));
}

static void add_atom(struct parser *p, struct atom atom)
{
	VEC_ADD(p->made.atoms, p->made.n_atoms, p->atoms_cap, atom);
}

/* A run of literal bytes becomes the tokens a URL with these bytes would have. */
static enum status take_literal(struct parser *p)
{
	char c;

	buf_reset(&p->bytes);
	while (is_literal(p)) {
		TRY(take_byte(p, &c));
		buf_add_char(&p->bytes, c);
	}
	if (tokens_split(&p->tokens, arena_copy(p->in, buf_str(&p->bytes))) != ST_OK)
		return fail(p, ST_TOO_LARGE, "too many tokens");
	for (size_t i = 0; i < p->tokens.n; i++)
		add_atom(p, (struct atom){ ATOM_TOKEN, p->tokens.v[i] });
	return ST_OK;
}

/* One of * {s} {a} {n}; false when there is none of them. */
static bool take_class(struct parser *p, enum atom_kind *ret)
{
	static const struct {
		char text[4];
		enum atom_kind kind;
	} classes[] = {
		{ "*", ATOM_STAR },
		{ "{s}", ATOM_SEGMENT },
		{ "{a}", ATOM_ALPHA },
		{ "{n}", ATOM_NUMBER },
	};

	for (size_t i = 0; i < COUNT(classes); i++) {
		struct str text = str_from(classes[i].text);

		if (str_starts(str_skip(p->text, p->at), text)) {
			p->at += text.n;
			*ret = classes[i].kind;
			return true;
		}
	}
	return false;
}

/* From atom `first` to the last one made, as one alternative of the item being made. */
static void add_alternative(struct parser *p, uint32_t first)
{
	VEC_ADD(p->made.alts, p->made.n_alts, p->alts_cap,
		(struct alternative){ first, p->made.n_atoms - first });
}

static enum status add_item(struct parser *p, struct item item)
{
	if (p->made.n == PATTERN_ITEMS_MAX)
		return fail(p, ST_TOO_LARGE, "the pattern is too long");
	VEC_ADD(p->made.items, p->made.n, p->items_cap, item);
	return ST_OK;
}

static enum status take_alternative(struct parser *p)
{
	uint32_t first = p->made.n_atoms;
	enum atom_kind kind;

	while (!at_end(p) && peek(p) != '|' && peek(p) != ')') {
		if (take_class(p, &kind))
			add_atom(p, (struct atom){ .kind = kind });
		else if (is_literal(p))
			TRY(take_literal(p));
		else
			return fail(p, ST_SYNTAX,
				    "only tokens and classes in a group; "
				    "put a backslash before this");
	}
	if (p->made.n_atoms == first)
		return fail(p, ST_SYNTAX, "an alternative cannot be empty");
	add_alternative(p, first);
	return ST_OK;
}

static enum status take_group(struct parser *p)
{
	uint32_t first = p->made.n_alts;

	do
		TRY(take_alternative(p));
	while (take(p, '|'));
	if (!take(p, ')'))
		return fail(p, ST_SYNTAX, "want ')'");
	if (p->made.n_alts - first > UINT16_MAX)
		return fail(p, ST_TOO_LARGE, "too many alternatives");
	bool optional = take(p, '?');
	return add_item(p, (struct item){ .first = first,
					  .n = (uint16_t)(p->made.n_alts - first),
					  .optional = optional });
}

static enum status take_captured(struct parser *p, enum atom_kind kind)
{
	if (p->made.n_captures == PATTERN_CAPTURES_MAX)
		return fail(p, ST_TOO_LARGE, "too many captured parts");
	add_atom(p, (struct atom){ .kind = kind });
	add_alternative(p, p->made.n_atoms - 1);
	return add_item(p, (struct item){ .first = p->made.n_alts - 1,
					  .n = 1,
					  .capture = (uint8_t)++p->made.n_captures });
}

/* Each literal token is an item of its own. */
static enum status take_tokens(struct parser *p)
{
	uint32_t first = p->made.n_atoms;

	TRY(take_literal(p));
	for (uint32_t i = first; i < p->made.n_atoms; i++) {
		VEC_ADD(p->made.alts, p->made.n_alts, p->alts_cap,
			(struct alternative){ i, 1 });
		TRY(add_item(p, (struct item){ .first = p->made.n_alts - 1, .n = 1 }));
	}
	return ST_OK;
}

static enum status take_items(struct parser *p)
{
	enum atom_kind kind;

	if (!take(p, '^'))
		return fail(p, ST_SYNTAX, "a context starts with '^'");
	while (!at_end(p) && peek(p) != '$') {
		if (take_class(p, &kind))
			TRY(take_captured(p, kind));
		else if (take(p, '('))
			TRY(take_group(p));
		else if (is_literal(p))
			TRY(take_tokens(p));
		else
			return fail(p, ST_SYNTAX,
				    "put a backslash before this character");
	}
	if (!take(p, '$') || !at_end(p))
		return fail(p, ST_SYNTAX, "a context ends with '$'");
	if (p->made.n == 0)
		return fail(p, ST_SYNTAX, "an empty context matches nothing");
	return ST_OK;
}

/* A run before a delimiter of its own kind, or at the end, never gives anything back. */
static bool is_greedy(const struct url_pattern *p, uint32_t i)
{
	const struct item *next = &p->items[i + 1];
	uint8_t stop = p->items[i].atom.kind == ATOM_STAR ? TOKEN_DELIM : TOKEN_COARSE;

	if (i + 1 == p->n)
		return true;
	const struct atom *atom = &p->atoms[p->alts[next->first].first];
	return next->n == 1 && p->alts[next->first].n == 1 && !next->optional &&
	       atom->kind == ATOM_TOKEN && atom->token.delim & stop;
}

static void finish_items(struct url_pattern *p)
{
	for (uint32_t i = 0; i < p->n; i++) {
		struct item *item = &p->items[i];
		const struct alternative *alt = &p->alts[item->first];

		item->single = item->n == 1 && alt->n == 1 && !item->optional;
		item->atom = p->atoms[alt->first];
	}
	for (uint32_t i = 0; i < p->n; i++)
		p->items[i].greedy = is_greedy(p, i);
}

static void *keep(struct arena *in, const void *v, size_t bytes)
{
	return memcpy(arena_alloc(in, bytes), v, bytes);
}

enum status pattern_parse(struct str text, struct text_place at, struct arena *in,
			  struct url_pattern *ret, struct diag *why)
{
	cleanup(parser_release) struct parser p = {
		.text = text, .place = at, .in = in, .why = why
	};

	if (text.n > PATTERN_BYTES_MAX)
		return fail(&p, ST_TOO_LARGE, "the context is too long");
	TRY(take_items(&p));
	finish_items(&p.made);
	pattern_frame(&p.made);
	*ret = p.made;
	ret->items = keep(in, p.made.items, p.made.n * sizeof(*ret->items));
	ret->alts = keep(in, p.made.alts, p.made.n_alts * sizeof(*ret->alts));
	ret->atoms = keep(in, p.made.atoms, p.made.n_atoms * sizeof(*ret->atoms));
	return ST_OK;
}

/* After '$': digits, or digits in braces. */
static enum status take_reference(struct parser *p, unsigned captures, uint16_t *ret)
{
	bool braces = take(p, '{');
	struct str rest = str_skip(p->text, p->at);
	uint64_t nr;

	if (!str_take_uint(&rest, captures, &nr) || nr == 0)
		return fail(p, ST_SYNTAX, "the context does not capture that many parts");
	p->at = p->text.n - rest.n;
	if (braces && !take(p, '}'))
		return fail(p, ST_SYNTAX, "want '}'");
	*ret = (uint16_t)nr;
	return ST_OK;
}

enum status transformation_parse(struct str text, struct text_place at, unsigned captures,
				 struct arena *in, struct transformation *ret,
				 struct diag *why)
{
	cleanup(parser_release) struct parser p = {
		.text = text, .place = at, .in = in, .why = why
	};
	struct piece pieces[2 * PATTERN_CAPTURES_MAX];
	uint16_t n = 0;
	char c;

	if (text.n > PATTERN_BYTES_MAX)
		return fail(&p, ST_TOO_LARGE, "the transformation is too long");
	while (!at_end(&p)) {
		uint16_t capture = 0;

		if (n == COUNT(pieces))
			return fail(&p, ST_TOO_LARGE, "too many references");
		buf_reset(&p.bytes);
		while (!at_end(&p) && peek(&p) != '$') {
			TRY(take_byte(&p, &c));
			buf_add_char(&p.bytes, c);
		}
		if (take(&p, '$'))
			TRY(take_reference(&p, captures, &capture));
		pieces[n++] = (struct piece){ arena_copy(in, buf_str(&p.bytes)), capture,
					      capture };
	}
	if (n == 0)
		return fail(&p, ST_SYNTAX, "the transformation is empty");
	*ret = (struct transformation){ keep(in, pieces, n * sizeof(*pieces)), n };
	return ST_OK;
}

/* Bytes of literal text that are escaped: 1 in a context, 2 in a transformation, 4
 * everywhere, as a number. */
static const uint8_t escaped[256] = {
	[0 ... ' '] = 4, [0x7f ... 0xff] = 4, ['\\'] = 3, ['$'] = 3, ['*'] = 1, ['('] = 1,
	[')'] = 1,       ['{'] = 1,           ['}'] = 1,  ['|'] = 1, ['?'] = 1, ['^'] = 1,
};

static void add_literal(struct buf *to, struct str s, uint8_t where)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (escaped[c] & 4)
			buf_addf(to, "\\x%02X", c);
		else if (escaped[c] & where)
			buf_add(to, (struct str){ (char[]){ '\\', (char)c }, 2 });
		else
			buf_add_char(to, (char)c);
	}
}

void pattern_add_literal(struct buf *to, struct str s)
{
	add_literal(to, s, 1);
}

void transformation_add_literal(struct buf *to, struct str s)
{
	add_literal(to, s, 2);
}
