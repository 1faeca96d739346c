/*
 * html_token.h - HTML as a sequence of tags and texts; no tree.
 *
 * The tokenizer of the HTML standard (13.2.5) over a whole page in memory.
 * Tokens are slices of the input: nothing is copied, decoded or allocated, and
 * an attribute's value is looked at only by whoever wants it.  Where the
 * standard's tokenizer depends on the tree (which elements hold raw text, and
 * CDATA inside SVG and MathML) a small stack of foreign elements stands in for
 * it.  Scripting counts as off: the contents of <noscript> are markup.
 *
 * The input is UTF-8.  Every byte is passed over once, so time is linear
 * whatever the page does; HTML_ATTRS_MAX and HTML_FOREIGN_MAX bound the memory.
 * A tokenizer belongs to one thread, and is reused by html_start().
 */
#ifndef HTML_HTML_TOKEN_H
#define HTML_HTML_TOKEN_H

#include "html/html_foreign.h"
#include "html/html_names.h"
#include "html/scan.h"

#define HTML_ATTRS_MAX 128 /* of one tag; those after are passed over */

enum html_kind {
	HTML_END_OF_PAGE,
	HTML_TEXT,
	HTML_START_TAG,
	HTML_END_TAG,
	HTML_COMMENT,
	HTML_DOCTYPE, /* `text` is what stands between "<!doctype" and ">" */
};

/* What `text` may contain, and so what the next characters mean. */
enum html_mode {
	HTML_DATA,      /* character references */
	HTML_RCDATA,    /* title, textarea: character references, no tags */
	HTML_RAWTEXT,   /* style, iframe, noframes ...: nothing but text */
	HTML_SCRIPT,    /* raw text with escapes of its own */
	HTML_PLAINTEXT, /* raw text until the end of the page */
	HTML_CDATA,     /* raw text between <![CDATA[ and ]]> */
};

struct html_attr {
	struct str name;  /* as written, in any case */
	struct str value; /* as written: see entity_decode_all() */
	uint8_t id;       /* enum html_attr_id */
};

struct html_token {
	enum html_kind kind;
	enum html_mode mode; /* of HTML_TEXT */
	struct str text;     /* of HTML_TEXT, _COMMENT and _DOCTYPE, as written */
	struct str name;     /* of tags, as written */
	uint8_t tag;         /* enum html_tag; TAG_OTHER for names we do not know */
	bool self_closing;
	bool attrs_cut;    /* there were more than HTML_ATTRS_MAX */
	bool in_foreign;   /* the tag or text stands in SVG or MathML */
	bool in_svg;       /* ... in SVG; of a text also in its <title> and <desc> */
	uint64_t attr_set; /* the ids of its attributes, a bit each: see HTML_ATTR() */
	size_t n_attrs;
	const struct html_attr *attrs; /* lives until the next token */
};

#define HTML_ATTR(id) ((uint64_t)1 << (id))
_Static_assert(ATTR_COUNT <= 64, "attr_set has a bit for each");

struct html_tokenizer {
	const char *p, *end;
	enum html_mode mode;
	bool mode_fixed;     /* start tags do not change the mode: XML, and tests */
	bool is_xml;         /* CDATA may stand anywhere */
	struct str raw_name; /* whose end tag ends the raw text */
	struct html_foreign foreign;
	struct html_attr attrs[HTML_ATTRS_MAX + 1]; /* the last for those passed over */
};

extern const uint64_t html_key_masks[9];

void html_start(struct html_tokenizer *t, struct str page);
/*
 * The same for XML: no element holds raw text, and CDATA may stand anywhere.
 * Names and namespaces are as written, entities those of HTML, and what is not
 * well-formed is read as HTML would be: feeds are rarely better than pages.
 */
void html_start_xml(struct html_tokenizer *t, struct str document);
/* False at the end of the page, and then `ret->kind` is HTML_END_OF_PAGE. */
bool html_next(struct html_tokenizer *t, struct html_token *ret);

/*
 * The text that stands next, if it is plain text before a tag, outside SVG and
 * MathML: half of all tokens, without the cost of a token.  False for all else,
 * which html_next() gives.
 */
static inline bool html_take_text(struct html_tokenizer *t, struct str *ret)
{
	const char *p = t->p;

	if (t->mode != HTML_DATA || t->foreign.n || p == t->end || *p == '<')
		return false;
	const char *q = scan_for(p, t->end, '<');

	if (t->end - q < 2 ||
	    !ascii_is_alpha(q[1] == '/' && t->end - q > 2 ? q[2] : q[1]))
		return false;
	*ret = (struct str){ p, (size_t)(q - p) };
	t->p = q;
	return true;
}

/*
 * Pass over "</name>" if just this stands next, outside SVG and MathML: nine end
 * tags of ten are those of the element opened last, and to compare with one name
 * costs less than to find out which it is.  False for all else.
 */
static inline bool html_take_end(struct html_tokenizer *t, enum html_tag tag)
{
	const struct html_name *name = &html_tag_names[tag];
	const char *p = t->p;
	uint64_t key;

	if (t->end - p < 2 + 8 + 1 || p[0] != '<' || p[1] != '/' || name->n > 8)
		return false;
	memcpy(&key, p + 2, 8);
	if (((key | 0x2020202020202020u) & html_key_masks[name->n]) != name->key ||
	    p[2 + name->n] != '>' || !name->n || t->mode != HTML_DATA || t->foreign.n)
		return false;
	t->p = p + 3 + name->n;
	return true;
}

/* The first attribute of that name, or NULL: later ones do not count. */
const struct html_attr *html_find_attr(const struct html_token *t, enum html_attr_id id);

enum html_tag html_tag_of(struct str name);
enum html_attr_id html_attr_of(struct str name);
#endif
