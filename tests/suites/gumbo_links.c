#include "gumbo_links.h"

#include <gumbo.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "page/css.h"
#include "page/links.h"

struct walk {
	struct links links;
	struct buf text;
};

static const struct link_place nowhere;

/* Element and attribute; "*" stands for every element. */
static const char *const places[][2] = {
	{ "a", "href" },      { "area", "href" },    { "link", "href" },
	{ "frame", "src" },   { "iframe", "src" },   { "img", "src" },
	{ "input", "src" },   { "script", "src" },   { "video", "src" },
	{ "audio", "src" },   { "source", "src" },   { "track", "src" },
	{ "bgsound", "src" }, { "embed", "src" },    { "object", "data" },
	{ "*", "poster" },    { "*", "background" }, { "*", "lowsrc" },
	{ "*", "dynsrc" },    { "*", "cite" },       { "*", "longdesc" },
	{ "*", "manifest" },
};

static struct str attr_of(const GumboElement *e, const char *name)
{
	const GumboAttribute *a = gumbo_get_attribute(&e->attributes, name);

	return a ? str_from(a->value) : (struct str){ "", 0 };
}

static struct str tag_name(const GumboElement *e, char *lower, size_t size)
{
	const char *known = gumbo_normalized_tagname(e->tag);
	GumboStringPiece raw = e->original_tag;
	size_t n = 0;

	if (known[0])
		return str_from(known);
	gumbo_tag_from_original_text(&raw);
	for (; n < raw.length && n < size; n++)
		lower[n] = ascii_lower(raw.data[n]);
	return (struct str){ lower, n };
}

static void add_listed(struct walk *w, const GumboElement *e, struct str tag)
{
	for (size_t i = 0; i < COUNT(places); i++)
		if (places[i][0][0] == '*' || str_eq(tag, str_from(places[i][0])))
			links_add(&w->links, LINK_ANCHOR, attr_of(e, places[i][1]),
				  &nowhere);
	if (e->tag_namespace == GUMBO_NAMESPACE_SVG && !str_eq(tag, STR("a")))
		links_add(&w->links, LINK_ANCHOR, attr_of(e, "href"), &nowhere);
	if (e->tag_namespace == GUMBO_NAMESPACE_SVG)
		links_add(&w->links, LINK_ANCHOR, attr_of(e, "xlink:href"), &nowhere);
}

static bool is_post(struct str method)
{
	method = str_trim(method);
	return str_eq_nocase(method, STR("post")) || str_eq_nocase(method, STR("dialog"));
}

static void add_grammars(struct walk *w, const GumboElement *e, struct str tag)
{
	struct str url, set = attr_of(e, "srcset"), image_set = attr_of(e, "imagesrcset");
	uint32_t seconds;

	while (links_take_srcset(&set, &url) || links_take_srcset(&image_set, &url))
		links_add(&w->links, LINK_ANCHOR, url, &nowhere);
	links_add_css(&w->links, attr_of(e, "style"), &nowhere);
	if (str_eq(tag, STR("form")) && !is_post(attr_of(e, "method")))
		links_add(&w->links, LINK_ANCHOR, attr_of(e, "action"), &nowhere);
	if (!is_post(attr_of(e, "formmethod")))
		links_add(&w->links, LINK_ANCHOR, attr_of(e, "formaction"), &nowhere);
	if (str_eq(tag, STR("meta")) &&
	    str_eq_nocase(str_trim(attr_of(e, "http-equiv")), STR("refresh")) &&
	    links_parse_refresh(attr_of(e, "content"), &seconds, &url))
		links_add(&w->links, LINK_ANCHOR, url, &nowhere);
}

static void add_text(struct walk *w, const GumboNode *n, const char *text)
{
	const GumboNode *up = n->parent;

	if (up->type == GUMBO_NODE_ELEMENT && up->v.element.tag == GUMBO_TAG_STYLE &&
	    up->v.element.tag_namespace == GUMBO_NAMESPACE_HTML)
		links_add_css(&w->links, str_from(text), &nowhere);
	for (; up && up->type != GUMBO_NODE_DOCUMENT; up = up->parent) {
		GumboTag tag = up->v.element.tag;

		if (tag == GUMBO_TAG_FOREIGNOBJECT)
			continue;
		if (up->v.element.tag_namespace == GUMBO_NAMESPACE_SVG ||
		    up->type == GUMBO_NODE_TEMPLATE || tag == GUMBO_TAG_STYLE ||
		    tag == GUMBO_TAG_SCRIPT || tag == GUMBO_TAG_TITLE ||
		    tag == GUMBO_TAG_NOSCRIPT || tag == GUMBO_TAG_IFRAME ||
		    tag == GUMBO_TAG_NOEMBED || tag == GUMBO_TAG_NOFRAMES)
			return;
	}
	buf_add(&w->text, str_from(text));
}

static void visit(struct walk *w, const GumboNode *n)
{
	char lower[32];

	if (n->type == GUMBO_NODE_ELEMENT || n->type == GUMBO_NODE_TEMPLATE) {
		struct str tag = tag_name(&n->v.element, lower, sizeof(lower));

		add_listed(w, &n->v.element, tag);
		add_grammars(w, &n->v.element, tag);
	} else if (n->type == GUMBO_NODE_TEXT || n->type == GUMBO_NODE_WHITESPACE ||
		   n->type == GUMBO_NODE_CDATA) {
		add_text(w, n, n->v.text.text);
	}
}

static const GumboVector *children_of(const GumboNode *n)
{
	if (n->type == GUMBO_NODE_ELEMENT || n->type == GUMBO_NODE_TEMPLATE)
		return &n->v.element.children;
	return n->type == GUMBO_NODE_DOCUMENT ? &n->v.document.children : NULL;
}

/* Depth first, without recursion: deep pages are the point. */
static void walk_tree(struct walk *w, const GumboNode *root)
{
	const GumboNode *n = root;

	for (;;) {
		const GumboVector *c = children_of(n);

		visit(w, n);
		if (c && c->length) {
			n = c->data[0];
			continue;
		}
		while (n != root) {
			const GumboVector *siblings = children_of(n->parent);

			if (n->index_within_parent + 1 < siblings->length) {
				n = siblings->data[n->index_within_parent + 1];
				break;
			}
			n = n->parent;
		}
		if (n == root)
			return;
	}
}

static int by_text(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static void finish(const struct link *links, size_t n, struct str text, struct arena *a,
		   struct oracle *ret)
{
	char *to = arena_alloc(a, text.n + 1), *q = to;
	size_t kept = 0;

	*ret = (struct oracle){ .urls = arena_alloc(a, (n + 1) * sizeof(struct str)) };
	for (size_t i = 0; i < n; i++)
		if (links[i].kind != LINK_GUESS && links[i].kind != LINK_LAZY)
			ret->urls[ret->n_urls++] = arena_copy(a, links[i].url);
	qsort(ret->urls, ret->n_urls, sizeof(struct str), by_text);
	for (size_t i = 0; i < ret->n_urls; i++)
		if (i == 0 || !str_eq(ret->urls[i], ret->urls[kept - 1]))
			ret->urls[kept++] = ret->urls[i];
	ret->n_urls = kept;
	for (size_t i = 0; i < text.n; i++) {
		if (i + 1 < text.n && memcmp(text.p + i, "\xc2\xa0", 2) == 0)
			i++;
		else if (!ascii_is_space(text.p[i]) && text.p[i])
			*q++ = text.p[i];
	}
	ret->text = (struct str){ to, (size_t)(q - to) };
}

void oracle_read(struct str html, struct arena *a, struct oracle *ret)
{
	GumboOutput *out =
		gumbo_parse_with_options(&kGumboDefaultOptions, html.p, html.n);
	struct walk w = { .links = { 0 } };

	links_start(&w.links, SIZE_MAX, a);
	walk_tree(&w, out->document);
	finish(w.links.v, w.links.n, buf_str(&w.text), a, ret);
	gumbo_destroy_output(&kGumboDefaultOptions, out);
	buf_release(&w.text);
}

void oracle_from_page(const struct page *p, struct arena *a, struct oracle *ret)
{
	finish(p->links, p->n_links, p->text, a, ret);
}

size_t oracle_missing(const struct oracle *a, const struct oracle *b,
		      struct str *ret_first)
{
	size_t missing = 0;

	for (size_t i = 0; i < a->n_urls; i++) {
		if (b->n_urls &&
		    bsearch(&a->urls[i], b->urls, b->n_urls, sizeof(struct str), by_text))
			continue;
		if (!missing++)
			*ret_first = a->urls[i];
	}
	return missing;
}
