#include "html/html_token.h"

#include "html/scan.h"

/* What a byte means in a tag; a table, because tags are read a byte at a time. */
enum {
	SPACE = 1,
	ENDS_TAG_NAME = 2,
	ENDS_ATTR_NAME = 4,
	ENDS_VALUE = 8,
	OPENS_MARKUP = 16, /* after '<' */
};

/* HTML's white space; the form feed is in, the vertical tab is not. */
#define BLANK (SPACE | ENDS_TAG_NAME | ENDS_ATTR_NAME | ENDS_VALUE)

static const uint8_t classes[256] = {
	[' '] = BLANK,
	['\n'] = BLANK,
	['\t'] = BLANK,
	['\r'] = BLANK,
	['\f'] = BLANK,
	['/'] = ENDS_TAG_NAME | ENDS_ATTR_NAME | OPENS_MARKUP,
	['!'] = OPENS_MARKUP,
	['?'] = OPENS_MARKUP,
	['a' ... 'z'] = OPENS_MARKUP,
	['A' ... 'Z'] = OPENS_MARKUP,
	['>'] = ENDS_TAG_NAME | ENDS_ATTR_NAME | ENDS_VALUE,
	['='] = ENDS_ATTR_NAME,
};

static inline bool is_a(char c, unsigned class)
{
	return classes[(uint8_t)c] & class;
}

static inline bool ends_tag_name(char c)
{
	return is_a(c, ENDS_TAG_NAME);
}

/* The first byte of that class, or `end`. */
static inline const char *skip_until(const char *p, const char *end, unsigned class)
{
	while (p < end && !is_a(*p, class))
		p++;
	return p;
}

/*
 * Where the name at `p` ends.  Names are short and of many lengths: one look at
 * sixteen bytes costs less than the loop's wrongly guessed last turn.
 */
static inline const char *find_name_end(const char *p, const char *end, unsigned class)
{
#ifdef __SSE2__
	if (end - p >= 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)p);
		__m128i hit = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(' ')), v);

		hit = _mm_or_si128(hit, _mm_cmpeq_epi8(v, _mm_set1_epi8('>')));
		hit = _mm_or_si128(hit, _mm_cmpeq_epi8(v, _mm_set1_epi8('/')));
		if (class == ENDS_ATTR_NAME)
			hit = _mm_or_si128(hit, _mm_cmpeq_epi8(v, _mm_set1_epi8('=')));
		unsigned mask = (unsigned)_mm_movemask_epi8(hit);
		const char *q = p + __builtin_ctz(mask | 0x10000);

		/* A control character that is no white space belongs to the name. */
		if (mask && is_a(*q, class))
			return q;
	}
#endif
	return skip_until(p, end, class);
}

/* The bytes of a key that a name of so many bytes has. */
const uint64_t html_key_masks[9] = {
	0,
	0xff,
	0xffff,
	0xffffff,
	0xffffffff,
	0xffffffffff,
	0xffffffffffff,
	0xffffffffffffff,
	0xffffffffffffffff,
};

/*
 * The first eight bytes, each | 0x20.  That lowers letters; that it also makes
 * a control character a digit is harmless, for both are foreign to names.
 */
static inline uint64_t name_key(struct str s, const char *end)
{
	uint64_t key = 0;

	if (end - s.p >= 8)
		memcpy(&key, s.p, 8);
	else
		for (size_t i = 0; i < s.n && i < 8; i++)
			key |= (uint64_t)(uint8_t)s.p[i] << (8 * i);
	return (key | 0x2020202020202020u) & html_key_masks[MIN(s.n, 8)];
}

static inline unsigned find_name(struct str s, const char *end, uint64_t multiplier,
				 const uint8_t *slots, const struct html_name *names)
{
	uint64_t key = name_key(s, end);
	unsigned id = slots[((key + s.n) * multiplier) >> (64 - HTML_NAME_BITS)];
	const struct html_name *name = &names[id];

	if (name->key != key || name->n != s.n)
		return 0;
	if (s.n > 8 && !str_eq_nocase(s, (struct str){ name->text, name->n }))
		return 0;
	return id;
}

static inline enum html_tag find_tag(struct str s, const char *end)
{
	return find_name(s, end, HTML_TAG_MULTIPLIER, html_tag_slots, html_tag_names);
}

static inline enum html_attr_id find_attr(struct str s, const char *end)
{
	return find_name(s, end, HTML_ATTR_MULTIPLIER, html_attr_slots, html_attr_names);
}

enum html_tag html_tag_of(struct str name)
{
	return find_tag(name, name.p + name.n);
}

enum html_attr_id html_attr_of(struct str name)
{
	return find_attr(name, name.p + name.n);
}

const struct html_attr *html_find_attr(const struct html_token *t, enum html_attr_id id)
{
	if (!(t->attr_set & HTML_ATTR(id)))
		return NULL;
	for (size_t i = 0; i < t->n_attrs; i++)
		if (t->attrs[i].id == id)
			return &t->attrs[i];
	return NULL;
}

void html_start(struct html_tokenizer *t, struct str page)
{
	t->p = page.n ? page.p : "";
	t->end = t->p + page.n;
	t->mode = HTML_DATA;
	t->mode_fixed = t->is_xml = false;
	t->raw_name = (struct str){ 0 };
	t->foreign.n = t->foreign.over = 0;
}

void html_start_xml(struct html_tokenizer *t, struct str document)
{
	html_start(t, document);
	t->mode_fixed = t->is_xml = true;
}

/* ---- What follows a tag ---- */

/* What text follows a start tag; HTML_DATA for most. */
static const uint8_t mode_after[TAG_COUNT] = {
	[TAG_TITLE] = HTML_RCDATA,
	[TAG_TEXTAREA] = HTML_RCDATA,
	[TAG_STYLE] = HTML_RAWTEXT,
	[TAG_XMP] = HTML_RAWTEXT,
	[TAG_IFRAME] = HTML_RAWTEXT,
	[TAG_NOEMBED] = HTML_RAWTEXT,
	[TAG_NOFRAMES] = HTML_RAWTEXT,
	[TAG_SCRIPT] = HTML_SCRIPT,
	[TAG_PLAINTEXT] = HTML_PLAINTEXT,
	[TAG_SVG] = HTML_CDATA, /* until its end tag, <![CDATA[ means something */
	[TAG_MATH] = HTML_CDATA,
};

/* The rare tags after which the next characters mean something else. */
static __attribute__((noinline)) void follow_tag(struct html_tokenizer *t,
						 struct html_token *k)
{
	k->in_foreign = html_in_foreign(&t->foreign);
	k->in_svg = html_in_svg(&t->foreign);
	if (t->mode_fixed)
		return;
	if (k->kind == HTML_END_TAG) {
		html_foreign_end(&t->foreign, k->tag);
	} else if (k->in_foreign || mode_after[k->tag] == HTML_CDATA) {
		html_foreign_start(&t->foreign, k);
	} else if (mode_after[k->tag] != HTML_DATA) {
		t->mode = mode_after[k->tag];
		t->raw_name = k->name;
	}
}

/* ---- Tags ---- */

static inline const char *skip_space(const char *p, const char *end)
{
	while (p < end && is_a(*p, SPACE))
		p++;
	return p;
}

/* The value in the quotes that begin at `p`; NULL when the page ends inside it. */
static inline const char *take_quoted(const char *p, const char *end, struct str *ret)
{
	const char *q = scan_for(p + 1, end, *p);

	*ret = (struct str){ p + 1, (size_t)(q - p - 1) };
	return q == end ? NULL : q + 1;
}

/* The value after '='; NULL when the page ends inside it. */
static inline const char *take_value(const char *p, const char *end, struct str *ret)
{
	p = skip_space(p, end);
	if (p == end)
		return NULL;
	if (*p == '"' || *p == '\'')
		return take_quoted(p, end, ret);
	const char *q = skip_until(p, end, ENDS_VALUE);
	*ret = (struct str){ p, (size_t)(q - p) };
	return q;
}

/* One attribute at `p`, which is neither space, '/' nor '>'. */
static inline const char *take_attr(const char *p, const char *end, struct html_attr *ret)
{
	const char *start = p;

	p = find_name_end(p + 1, end, ENDS_ATTR_NAME); /* a leading '=' belongs to it */
	ret->name = (struct str){ start, (size_t)(p - start) };
	ret->id = (uint8_t)find_attr(ret->name, end);
	if (end - p > 2 && p[0] == '=' && p[1] == '"')
		return take_quoted(p + 1, end, &ret->value);
	ret->value = (struct str){ p, 0 };
	p = skip_space(p, end);
	if (p == end || *p != '=')
		return p;
	return take_value(p + 1, end, &ret->value);
}

/*
 * What follows the name of a tag, up to and including '>'.  NULL when the page
 * ends first: then there is no tag.
 */
static __attribute__((noinline)) const char *
take_attrs(struct html_tokenizer *t, const char *p, struct html_token *k)
{
	const char *end = t->end;
	struct html_attr *a = t->attrs, *last = &t->attrs[HTML_ATTRS_MAX];
	uint64_t set = 0;

	for (;;) {
		p = skip_space(p, end);
		if (p == end)
			return NULL;
		if (*p == '>')
			break;
		if (*p == '/') {
			if (++p < end && *p == '>') {
				k->self_closing = true;
				break;
			}
			continue;
		}
		p = take_attr(p, end, a);
		if (!p)
			return NULL;
		if (a == last) {
			k->attrs_cut = true;
		} else {
			set |= HTML_ATTR(a->id);
			a++;
		}
	}
	k->n_attrs = (size_t)(a - t->attrs);
	k->attr_set = set;
	return p + 1;
}

/* A tag whose name starts at `name`.  False when the page ends inside it. */
static bool take_tag(struct html_tokenizer *t, const char *name, enum html_kind kind,
		     struct html_token *k)
{
	const char *p = find_name_end(name + 1, t->end, ENDS_TAG_NAME);

	k->kind = kind;
	k->name = (struct str){ name, (size_t)(p - name) };
	k->tag = (uint8_t)find_tag(k->name, t->end);
	k->self_closing = k->attrs_cut = false;
	k->n_attrs = k->attr_set = 0;
	k->attrs = t->attrs;
	k->text = (struct str){ name, 0 };
	k->in_foreign = k->in_svg = false;
	p = p < t->end && *p == '>' ? p + 1 : take_attrs(t, p, k);
	if (!p) {
		t->p = t->end;
		k->kind = HTML_END_OF_PAGE;
		return false;
	}
	t->p = p;
	if (t->foreign.n || mode_after[k->tag])
		follow_tag(t, k);
	return true;
}

/* ---- Comments, doctypes, CDATA: what "<!" and "<?" begin ---- */

static inline bool set_text(struct html_tokenizer *t, struct html_token *k,
			    enum html_kind kind, const char *from, const char *to)
{
	k->kind = kind;
	k->mode = t->mode;
	k->text = (struct str){ from, (size_t)(to - from) };
	k->n_attrs = k->attr_set = 0;
	k->in_foreign = k->in_svg = false;
	if (t->foreign.n) {
		k->in_foreign = html_in_foreign(&t->foreign);
		k->in_svg = html_text_in_svg(&t->foreign);
	}
	return true;
}

/* Everything up to '>' or the end of the page. */
static bool take_bogus(struct html_tokenizer *t, const char *from, enum html_kind kind,
		       struct html_token *k)
{
	const char *q = scan_for(from, t->end, '>');

	t->p = q + (q < t->end);
	return set_text(t, k, kind, from, q);
}

/* Where the text of a comment ends whose '>' is at `q`; NULL when it goes on. */
static const char *comment_end(const char *from, const char *q)
{
	size_t n = (size_t)(q - from);

	if (n == 0 || (n == 1 && from[0] == '-'))
		return from;
	if (n >= 2 && q[-1] == '-' && q[-2] == '-')
		return q - 2;
	if (n >= 3 && q[-1] == '!' && q[-2] == '-' && q[-3] == '-')
		return q - 3;
	return NULL;
}

static bool take_comment(struct html_tokenizer *t, const char *from, struct html_token *k)
{
	const char *q = from;

	for (; (q = scan_for(q, t->end, '>')) < t->end; q++) {
		const char *to = comment_end(from, q);

		if (to) {
			t->p = q + 1;
			return set_text(t, k, HTML_COMMENT, from, to);
		}
	}
	t->p = q;
	/* At the end of the page, what could have begun the end is no text. */
	struct str s = { from, (size_t)(q - from) };
	if (str_ends(s, STR("--!")))
		s.n -= 3;
	else if (str_ends(s, STR("--")))
		s.n -= 2;
	else if (str_ends(s, STR("-")))
		s.n -= 1;
	return set_text(t, k, HTML_COMMENT, from, from + s.n);
}

static bool take_cdata(struct html_tokenizer *t, const char *from, struct html_token *k)
{
	const char *q = from;

	for (; (q = scan_for(q, t->end, '>')) < t->end; q++)
		if (q - from >= 2 && q[-1] == ']' && q[-2] == ']')
			break;
	t->p = q < t->end ? q + 1 : q;
	set_text(t, k, HTML_TEXT, from, q < t->end ? q - 2 : q);
	k->mode = HTML_CDATA;
	return k->text.n > 0;
}

static bool take_declaration(struct html_tokenizer *t, const char *p,
			     struct html_token *k)
{
	struct str rest = { p, (size_t)(t->end - p) };

	if (str_starts(rest, STR("--")))
		return take_comment(t, p + 2, k);
	if (str_starts_nocase(rest, STR("doctype")))
		return take_bogus(t, p + 7, HTML_DOCTYPE, k);
	if ((t->is_xml || html_in_foreign(&t->foreign)) &&
	    str_starts(rest, STR("[CDATA[")))
		return take_cdata(t, p + 7, k);
	return take_bogus(t, p, HTML_COMMENT, k);
}

/* ---- Raw text ---- */

/* Is `p` the '<' of the end tag that ends the raw text? */
static bool is_raw_end(const struct html_tokenizer *t, const char *p)
{
	struct str name = { p + 2, t->raw_name.n };

	return name.n && t->end - p > (ptrdiff_t)name.n + 2 && p[1] == '/' &&
	       str_eq_nocase(name, t->raw_name) && ends_tag_name(p[2 + name.n]);
}

static bool starts_word(const char *p, const char *end, struct str word)
{
	struct str rest = { p, (size_t)(end - p) };

	return rest.n > word.n && str_starts_nocase(rest, word) &&
	       ends_tag_name(p[word.n]);
}

/*
 * The '<' of the end tag of a script.  Inside <!-- --> a nested <script> hides
 * the next </script> (13.2.5.17 and on: "double escaped").
 */
static const char *find_script_end(const struct html_tokenizer *t)
{
	enum { PLAIN, ESCAPED, DOUBLE } state = PLAIN;
	const char *p = t->p, *end = t->end;

	for (;; p++) {
		p = state == PLAIN ? scan_for(p, end, '<')
				   : scan_for_either(p, end, '<', '>');
		if (p == end)
			return end;
		if (*p == '>') {
			if (p - t->p >= 2 && p[-1] == '-' && p[-2] == '-')
				state = PLAIN;
		} else if (state != DOUBLE && is_raw_end(t, p)) {
			return p;
		} else if (state == PLAIN) {
			if (end - p >= 4 && memcmp(p, "<!--", 4) == 0) {
				state = ESCAPED;
				p += 3; /* its dashes may be those of "-->" too */
			}
		} else if (state == ESCAPED) {
			if (starts_word(p + 1, end, STR("script")))
				state = DOUBLE;
		} else if (starts_word(p + 1, end, STR("/script"))) {
			state = ESCAPED;
		}
	}
}

static const char *find_raw_end(const struct html_tokenizer *t)
{
	const char *p = t->p;

	if (t->mode == HTML_PLAINTEXT)
		return t->end;
	if (t->mode == HTML_SCRIPT)
		return find_script_end(t);
	while ((p = scan_for(p, t->end, '<')) < t->end && !is_raw_end(t, p))
		p++;
	return p;
}

static bool next_raw(struct html_tokenizer *t, struct html_token *k)
{
	const char *q = find_raw_end(t);

	if (q > t->p) {
		set_text(t, k, HTML_TEXT, t->p, q);
		t->p = q;
		return true;
	}
	if (q == t->end)
		return false;
	t->mode = HTML_DATA;
	return take_tag(t, q + 2, HTML_END_TAG, k);
}

/* ---- The ordinary text of a page ---- */

/* Does the '<' at `p` begin anything? */
static inline bool begins_markup(const char *p, const char *end)
{
	if (end - p < 3)
		return end - p == 2 && is_a(p[1], OPENS_MARKUP) && p[1] != '/';
	return is_a(p[1], OPENS_MARKUP);
}

static bool take_end_tag(struct html_tokenizer *t, const char *p, struct html_token *k)
{
	if (ascii_is_alpha(p[2]))
		return take_tag(t, p + 2, HTML_END_TAG, k);
	if (p[2] == '>') { /* "</>" is nothing at all */
		t->p = p + 3;
		return false;
	}
	return take_bogus(t, p + 2, HTML_COMMENT, k);
}

static bool take_markup(struct html_tokenizer *t, const char *p, struct html_token *k)
{
	switch (p[1]) {
	case '/':
		return take_end_tag(t, p, k);
	case '!':
		return take_declaration(t, p + 2, k);
	case '?':
		return take_bogus(t, p + 1, HTML_COMMENT, k);
	default:
		return take_tag(t, p + 1, HTML_START_TAG, k);
	}
}

/* False also for markup that gives no token: ask again unless at the end. */
static bool next_data(struct html_tokenizer *t, struct html_token *k)
{
	const char *p = t->p;

	if (*p == '<' && begins_markup(p, t->end))
		return take_markup(t, p, k);
	do
		p = scan_for(p + 1, t->end, '<');
	while (p < t->end && !begins_markup(p, t->end));
	set_text(t, k, HTML_TEXT, t->p, p);
	t->p = p;
	return true;
}

/* Whatever stands there. */
static __attribute__((noinline)) bool next_any(struct html_tokenizer *t,
					       struct html_token *k)
{
	while (t->p < t->end)
		if (t->mode == HTML_DATA ? next_data(t, k) : next_raw(t, k))
			return true;
	k->kind = HTML_END_OF_PAGE;
	return false;
}

static __attribute__((noinline)) bool next_text(struct html_tokenizer *t,
						struct html_token *k)
{
	const char *p = t->p, *q = scan_for(p + 1, t->end, '<');

	if (q < t->end && !begins_markup(q, t->end))
		return next_any(t, k);
	t->p = q;
	return set_text(t, k, HTML_TEXT, p, q);
}

/* The common cases, each ending in one call; the rest is next_any()'s. */
bool html_next(struct html_tokenizer *t, struct html_token *ret)
{
	const char *p = t->p;

	if (t->mode != HTML_DATA || t->end - p < 3)
		return next_any(t, ret);
	if (*p != '<')
		return next_text(t, ret);
	if (ascii_is_alpha(p[1]))
		return take_tag(t, p + 1, HTML_START_TAG, ret);
	if (p[1] == '/' && ascii_is_alpha(p[2]))
		return take_tag(t, p + 2, HTML_END_TAG, ret);
	return next_any(t, ret);
}
