#include "page/html_page.h"

#include <string.h>

#include "base/encode.h"
#include "html/html_traits.h"
#include "html/tagpath.h"
#include "page/jsguess.h"
#include "page/links.h"
#include "page/meta.h"
#include "page/text.h"

#define JSON_LD_MAX  64 /* blocks of one page */
#define DATA_URL_MAX ((size_t)256 << 10)
#define SRCDOC_MAX   16 /* pages in attributes of one page */

struct html_reader {
	struct html_tokenizer tokens;
	struct tagpath path;
	struct text text;
	struct links links;
	struct meta meta;
	struct page *page;
	struct arena *arena;
	bool no_guesses, text_only;
	const bool *noted; /* elements that do more than stand around text, by tag */
	bool had_body;
	bool in_noscript;     /* its markup counts, its text does not */
	unsigned in_template; /* nested */
	unsigned n_srcdoc;
	uint8_t raw_tag; /* the element whose raw text comes next */
	bool raw_is_json_ld, raw_is_script;
	size_t anchor;         /* the open <a>, as an index into links; or SIZE_MAX */
	struct str anchor_alt; /* of the first image in it */
	struct str json_ld[JSON_LD_MAX];
};

static struct link_place place_of(struct html_reader *r, const struct tagpath_entry *e)
{
	return (struct link_place){
		.path = tagpath_classes(&r->path, e),
		.at = (uint32_t)r->text.n,
		.block = (uint32_t)r->text.n_blocks,
		.region = e->region,
	};
}

static void end_block(struct html_reader *r)
{
	const struct tagpath_entry *e = tagpath_top(&r->path);

	if (text_in_block(&r->text))
		text_end_block(&r->text, r->text_only ? 0 : tagpath_classes(&r->path, e),
			       e->region);
	else
		text_newline(&r->text);
}

/* ---- Anchors ---- */

static void open_anchor(struct html_reader *r, size_t link)
{
	r->anchor = link;
	r->anchor_alt = (struct str){ 0 };
	text_open_anchor(&r->text);
}

/* Words inside the anchor win over its image's alternative, that over its title. */
static void close_anchor(struct html_reader *r)
{
	if (r->anchor == SIZE_MAX)
		return;
	struct link *link = r->text_only ? NULL : &r->links.v[r->anchor];
	struct str words = text_close_anchor(&r->text, LINK_TEXT_MAX);

	if (link && words.n) {
		link->text = words;
		link->at = (uint32_t)(words.p - r->text.p);
	} else if (link && r->anchor_alt.n) {
		link->text = text_cut(text_clean(r->anchor_alt, TEXT_DECODE, r->arena),
				      LINK_TEXT_MAX);
	}
	r->anchor = SIZE_MAX;
}

/* ---- Text ---- */

static bool is_silent(const struct html_reader *r)
{
	return r->in_noscript || r->in_template;
}

static void add_guesses(struct html_reader *r, struct str script)
{
	struct link_place at = place_of(r, tagpath_top(&r->path));
	struct str url;

	while (!r->links.cut && jsguess_next(&script, r->arena, &url)) {
		if (r->no_guesses)
			r->page->n_guesses_skipped++;
		else
			links_add(&r->links, LINK_GUESS, url, &at);
	}
}

static void add_script(struct html_reader *r, struct str script)
{
	if (r->raw_is_json_ld) {
		if (r->page->n_json_ld < JSON_LD_MAX)
			r->json_ld[r->page->n_json_ld++] = str_trim(script);
	} else if (r->raw_is_script) {
		add_guesses(r, script);
	}
}

/* Text of title, textarea, style and the like: nothing in it is a tag. */
static void add_raw_text(struct html_reader *r, const struct html_token *k)
{
	struct link_place at;

	if (r->text_only && (r->raw_tag == TAG_STYLE || r->raw_tag == TAG_SCRIPT))
		return;
	switch (r->raw_tag) {
	case TAG_TITLE:
		if (!r->page->title.n && !is_silent(r))
			r->page->title = text_clean(k->text, TEXT_DECODE, r->arena);
		break;
	case TAG_TEXTAREA:
		if (!is_silent(r))
			text_add(&r->text, k->text, TEXT_DECODE);
		break;
	case TAG_STYLE:
		at = place_of(r, tagpath_top(&r->path));
		links_add_css(&r->links, k->text, &at);
		break;
	case TAG_SCRIPT:
		add_script(r, k->text);
		break;
	case TAG_XMP:
	case TAG_PLAINTEXT:
		if (!is_silent(r))
			text_add(&r->text, k->text, TEXT_AS_IS);
		break;
	default:
		break; /* iframe, noframes, noembed: for readers without them */
	}
}

static void add_text(struct html_reader *r, const struct html_token *k)
{
	if (k->mode == HTML_DATA) {
		if (!is_silent(r) && !k->in_svg)
			text_add(&r->text, k->text, TEXT_DECODE);
	} else if (k->mode == HTML_CDATA) {
		if (!is_silent(r) && !k->in_svg)
			text_add(&r->text, k->text, TEXT_AS_IS);
	} else {
		add_raw_text(r, k);
	}
}

/* ---- Tags ---- */

static void note_script_type(struct html_reader *r, const struct html_token *k)
{
	const struct html_attr *a = html_find_attr(k, ATTR_TYPE);
	struct str type = a ? str_trim(a->value) : (struct str){ "", 0 };

	r->raw_is_json_ld = str_eq_nocase(type, STR("application/ld+json"));
	r->raw_is_script = type.n == 0 || str_eq_nocase(type, STR("module")) ||
			   str_eq_nocase(type, STR("application/json")) ||
			   str_starts_nocase(type, STR("text/javascript")) ||
			   str_starts_nocase(type, STR("application/javascript")) ||
			   str_starts_nocase(type, STR("application/x-javascript"));
}

static void note_link(struct html_reader *r, const struct html_token *k)
{
	const struct html_attr *rel = html_find_attr(k, ATTR_REL);

	if (!r->page->canonical.n && rel && (links_parse_rel(rel->value) & REL_CANONICAL))
		r->page->canonical = str_trim(links_attr(&r->links, k, ATTR_HREF));
}

static void note_refresh(struct html_reader *r, struct str value)
{
	struct link_place at = place_of(r, tagpath_top(&r->path));
	uint32_t seconds;
	struct str url;

	if (!links_parse_refresh(value, &seconds, &url))
		return;
	struct link *link = links_add(&r->links, LINK_REFRESH, url, &at);
	if (link && !r->page->refresh.n) {
		r->page->refresh = link->url;
		r->page->refresh_seconds = seconds;
	}
}

/* The page in <iframe srcdoc> or in a comment: its links are this page's, its text is
 * not. */
static void add_inner_page(struct html_reader *r, struct str page,
			   const struct link_place *at)
{
	struct html_tokenizer *t = page.n ? arena_alloc(r->arena, sizeof(*t)) : NULL;
	struct html_token inner;

	if (!t || r->n_srcdoc++ == SRCDOC_MAX)
		return;
	html_start(t, page);
	while (html_next(t, &inner))
		if (inner.kind == HTML_START_TAG)
			links_add_tag(&r->links, &inner, at);
}

/* A picture or a page as a URL of its own: what it leads to. */
static void add_data_url(struct html_reader *r, const struct html_token *k,
			 const struct link_place *at)
{
	cleanup(buf_release) struct buf plain = BUF(DATA_URL_MAX);
	struct str url = str_trim(links_attr(&r->links, k, ATTR_SRC)), head;

	if (!str_starts_nocase(url, STR("data:image/svg")) &&
	    !str_starts_nocase(url, STR("data:text/html")))
		return;
	if (!str_take_until(&url, ',', &head))
		return;
	if (!str_ends(head, STR(";base64"))) {
		for (size_t i = 0; i < url.n; i++) {
			int high = i + 2 < url.n && url.p[i] == '%'
					   ? ascii_hex_value(url.p[i + 1])
					   : -1;
			int low = high < 0 ? -1 : ascii_hex_value(url.p[i + 2]);

			buf_add_char(&plain,
				     low < 0 ? url.p[i] : (char)(high * 16 + low));
			i += low < 0 ? 0 : 2;
		}
	} else if (buf_add_unbase64(&plain, url) != ST_OK) {
		return;
	}
	add_inner_page(r, arena_copy(r->arena, buf_str(&plain)), at);
}

/* "report-uri /x" in a content security policy. */
static struct str report_uri(struct str policy)
{
	size_t at = str_find(policy, STR("report-uri"));
	struct str rest = at == STR_NONE ? STR("") : str_trim(str_skip(policy, at + 10));
	size_t n = 0;

	while (n < rest.n && !ascii_is_space(rest.p[n]) && rest.p[n] != ';')
		n++;
	return str_slice(rest, 0, n);
}

/* What a page says of itself to other programs: og:image, msapplication-config ... */
static void add_meta_links(struct html_reader *r, const struct html_token *k)
{
	struct link_place at = place_of(r, tagpath_top(&r->path));
	struct str name = links_attr(&r->links, k, ATTR_NAME);
	struct str property = links_attr(&r->links, k, ATTR_PROPERTY);
	struct str content = str_trim(links_attr(&r->links, k, ATTR_CONTENT));

	if (r->no_guesses || content.n == 0)
		return;
	if (str_find_char(content, '<') != STR_NONE)
		add_inner_page(r, content, &at);
	if (str_eq_nocase(links_attr(&r->links, k, ATTR_HTTP_EQUIV),
			  STR("content-security-policy")))
		content = report_uri(content);
	else if (!str_starts_nocase(name, STR("msapplication-")) &&
		 !str_starts_nocase(name, STR("twitter:")) &&
		 !str_starts_nocase(property, STR("og:")))
		return;
	if (jsguess_is_url(content))
		links_add(&r->links, LINK_GUESS, content, &at);
}

/* Elements whose tags do more than stand around text: those in the switches below. */
static const bool is_noted[TAG_COUNT] = {
	[TAG_A] = true,      [TAG_BASE] = true,     [TAG_BR] = true,
	[TAG_FORM] = true,   [TAG_HTML] = true,     [TAG_IMG] = true,
	[TAG_LINK] = true,   [TAG_META] = true,     [TAG_NOSCRIPT] = true,
	[TAG_SCRIPT] = true, [TAG_TEMPLATE] = true,
};

/* Those of them that matter to who asks for the text only. */
static const bool is_noted_for_text[TAG_COUNT] = {
	[TAG_A] = true,    [TAG_BR] = true,       [TAG_HTML] = true,
	[TAG_LINK] = true, [TAG_NOSCRIPT] = true, [TAG_TEMPLATE] = true,
};

/* What only some elements have, besides links. */
static void note_element(struct html_reader *r, const struct html_token *k)
{
	struct str refresh;

	switch (k->tag) {
	case TAG_A:
		close_anchor(r);
		break;
	case TAG_META:
		if (meta_add(&r->meta, k, r->page, &refresh))
			note_refresh(r, refresh);
		add_meta_links(r, k);
		break;
	case TAG_BASE:
		if (!r->page->base.n) {
			struct link_place at = place_of(r, tagpath_top(&r->path));

			r->page->base = str_trim(links_attr(&r->links, k, ATTR_HREF));
			links_add(&r->links, LINK_GUESS, r->page->base, &at);
		}
		break;
	case TAG_LINK:
		note_link(r, k);
		break;
	case TAG_HTML:
		if (!r->page->lang.n)
			r->page->lang = str_trim(links_attr(&r->links, k, ATTR_LANG));
		if (!r->page->lang.n)
			r->page->lang = str_trim(links_attr(&r->links, k, ATTR_XML_LANG));
		break;
	case TAG_IMG:
		if (r->anchor != SIZE_MAX && !r->anchor_alt.n) {
			const struct html_attr *alt = html_find_attr(k, ATTR_ALT);

			r->anchor_alt = alt ? alt->value : r->anchor_alt;
		}
		break;
	case TAG_SCRIPT:
		note_script_type(r, k);
		break;
	case TAG_BR:
		text_newline(&r->text);
		break;
	case TAG_NOSCRIPT:
		r->in_noscript = true;
		break;
	case TAG_TEMPLATE:
		r->in_template++;
		r->links.in_template = true;
		break;
	default:
		break;
	}
}

/* Scripts in attributes: what a click does, and javascript: in place of a link. */
static void add_attr_guesses(struct html_reader *r, const struct html_token *k)
{
	const struct html_attr *href = html_find_attr(k, ATTR_HREF);

	if (html_find_attr(k, ATTR_ONCLICK))
		add_guesses(r, links_attr(&r->links, k, ATTR_ONCLICK));
	if (href && str_starts_nocase(str_trim(href->value), STR("javascript:")))
		add_guesses(r, links_attr(&r->links, k, ATTR_HREF));
}

static void add_links(struct html_reader *r, const struct html_token *k,
		      const struct tagpath_entry *e)
{
	struct link_place at = place_of(r, e);
	struct link *link = links_add_tag(&r->links, k, &at);

	if (link && link->kind == LINK_ANCHOR && !is_silent(r))
		open_anchor(r, (size_t)(link - r->links.v));
	if (k->tag == TAG_IFRAME)
		add_inner_page(r, links_attr(&r->links, k, ATTR_SRCDOC), &at);
	if (k->tag == TAG_IMG || k->tag == TAG_IFRAME || k->tag == TAG_EMBED)
		add_data_url(r, k, &at);
	add_attr_guesses(r, k);
}

/* The attributes of a second <body> do not count, nor those of one in a template. */
static bool is_ignored(struct html_reader *r, const struct html_token *k)
{
	if (k->tag != TAG_BODY)
		return false;
	if (r->in_template || r->had_body)
		return true;
	r->had_body = true;
	return false;
}

/* What one browser once read: <!--[if IE]> ... <![endif]-->. */
static void add_comment(struct html_reader *r, struct str text)
{
	struct link_place at = place_of(r, tagpath_top(&r->path));
	size_t begin = str_find_char(text, '>');

	if (str_starts_nocase(str_trim(text), STR("[if")) && begin != STR_NONE)
		add_inner_page(r, str_skip(text, begin + 1), &at);
}

/* <!doctype html SYSTEM "x">: the grammar of this very site, not a standard's. */
static void add_doctype(struct html_reader *r, struct str text)
{
	struct link_place at = place_of(r, tagpath_top(&r->path));
	struct str url;

	if (r->no_guesses)
		return;
	while (!r->links.cut && jsguess_next(&text, r->arena, &url))
		if (str_find(url, STR("www.w3.org/")) == STR_NONE)
			links_add(&r->links, LINK_GUESS, url, &at);
}

/* How much of a block is linked decides what it is, also where links are not wanted. */
static void note_anchor(struct html_reader *r, const struct html_token *k)
{
	if (links_is_anchor(&r->links, k) && !is_silent(r))
		open_anchor(r, 0);
}

static void start_tag(struct html_reader *r, const struct html_token *k)
{
	if ((html_traits[k->tag].is & IS_BLOCK) && !k->in_foreign)
		end_block(r);
	const struct tagpath_entry *e = tagpath_open(&r->path, k);

	r->raw_tag = k->tag;
	if (r->noted[k->tag] && (!k->in_foreign || k->tag == TAG_A))
		note_element(r, k);
	if (r->text_only)
		note_anchor(r, k);
	else if (links_in_tag(k) && !is_ignored(r, k))
		add_links(r, k, e);
	if (k->tag == TAG_FORM && !k->in_foreign && !r->in_template)
		r->links.form_open = true;
	if (k->attrs_cut)
		r->page->cut |= CUT_ATTRS;
}

static void note_end(struct html_reader *r, enum html_tag tag)
{
	switch (tag) {
	case TAG_A:
		close_anchor(r);
		break;
	case TAG_BR:
		text_newline(&r->text);
		break;
	case TAG_FORM:
		if (!r->in_template)
			r->links.form_open = false;
		break;
	case TAG_NOSCRIPT:
		r->in_noscript = false;
		break;
	case TAG_TEMPLATE:
		r->in_template -= r->in_template > 0;
		r->links.in_template = r->in_template > 0;
		break;
	default:
		break;
	}
}

static void end_tag(struct html_reader *r, const struct html_token *k)
{
	if (r->noted[k->tag] && (!k->in_foreign || k->tag == TAG_A))
		note_end(r, k->tag);
	if (html_traits[k->tag].is & IS_BLOCK)
		end_block(r);
	tagpath_close(&r->path, k);
}

/* The end tag of the element opened last, if it stands next. */
static inline bool end_top(struct html_reader *r)
{
	enum html_tag tag = tagpath_top(&r->path)->tag;

	if (r->path.over || !html_take_end(&r->tokens, tag))
		return false;
	if (r->noted[tag])
		note_end(r, tag);
	if (html_traits[tag].is & IS_BLOCK)
		end_block(r);
	tagpath_close_top(&r->path);
	return true;
}

/* ---- The page ---- */

/* Does this kind of link stand in a paragraph, or only in the page's head? */
static bool stands_in_text(uint8_t kind)
{
	switch (kind) {
	case LINK_HEAD:
	case LINK_REFRESH:
	case LINK_SCRIPT:
	case LINK_STYLE:
	case LINK_GUESS:
		return false;
	default:
		return true;
	}
}

static void place_links(struct html_reader *r)
{
	for (size_t i = 0; i < r->links.n; i++) {
		struct link *l = &r->links.v[i];

		if (!stands_in_text(l->kind))
			l->block = UINT32_MAX;
		else if (l->block < r->text.n_blocks && !l->around.n)
			l->around = r->text.blocks[l->block].text;
	}
}

struct html_reader *html_reader_start(size_t input_bytes,
				      const struct page_options *options, struct arena *a,
				      struct page *ret)
{
	struct page_options o = page_options_filled(options);
	/* 40 kB, most of which are never touched. */
	struct html_reader *r = arena_alloc(a, sizeof(*r));

	r->page = ret;
	r->arena = a;
	r->text_only = o.text_only;
	r->no_guesses = o.no_guesses || o.text_only;
	r->noted = o.text_only ? is_noted_for_text : is_noted;
	r->n_srcdoc = 0;
	text_start(&r->text, input_bytes, o.max_text_bytes, a);
	r->text.no_hash = o.text_only;
	links_start(&r->links, o.max_links, a);
	meta_start(&r->meta, a);
	return r;
}

struct links *html_reader_links(struct html_reader *r)
{
	return &r->links;
}

struct text *html_reader_text(struct html_reader *r)
{
	return &r->text;
}

void html_reader_add(struct html_reader *r, struct str html)
{
	struct html_token k;
	struct str text;

	html_start(&r->tokens, html);
	tagpath_start(&r->path);
	r->text.source = html;
	r->in_noscript = r->raw_is_json_ld = r->raw_is_script = false;
	r->in_template = 0;
	r->had_body = false;
	r->raw_tag = TAG_OTHER;
	r->anchor = SIZE_MAX;
	r->links.form_open = r->links.in_template = false;
	for (;;) {
		if (html_take_text(&r->tokens, &text) && !is_silent(r))
			text_add(&r->text, text, TEXT_DECODE);
		if (end_top(r))
			continue;
		if (!html_next(&r->tokens, &k))
			break;
		if (k.kind == HTML_TEXT)
			add_text(r, &k);
		else if (k.kind == HTML_START_TAG)
			start_tag(r, &k);
		else if (k.kind == HTML_END_TAG)
			end_tag(r, &k);
		else if (r->text_only)
			continue;
		else if (k.kind == HTML_COMMENT)
			add_comment(r, k.text);
		else if (k.kind == HTML_DOCTYPE)
			add_doctype(r, k.text);
	}
	close_anchor(r);
	end_block(r);
	r->page->cut |= r->path.cut ? CUT_DEPTH : 0;
}

void html_reader_finish(struct html_reader *r)
{
	struct page *p = r->page;

	p->text = (struct str){ r->text.p, r->text.n };
	if (!r->no_guesses)
		links_add_bare(&r->links, p->text, STR(""),
			       &(struct link_place){ .block = UINT32_MAX });
	place_links(r);
	p->blocks = r->text.blocks;
	p->n_blocks = r->text.n_blocks;
	p->links = r->links.v;
	p->n_links = r->links.n;
	p->meta = r->meta.v;
	p->n_meta = r->meta.n;
	if (p->n_json_ld) {
		p->json_ld = arena_alloc(r->arena, p->n_json_ld * sizeof(*p->json_ld));
		memcpy(p->json_ld, r->json_ld, p->n_json_ld * sizeof(*p->json_ld));
	}
	p->cut |= (r->links.cut ? CUT_LINKS : 0) | (r->links.url_cut ? CUT_URL : 0) |
		  (r->text.cut ? CUT_TEXT : 0) | (r->text.blocks_cut ? CUT_BLOCKS : 0) |
		  (r->meta.cut ? CUT_META : 0);
}

void html_page_read(struct str html, const struct page_options *options, struct arena *a,
		    struct page *ret)
{
	struct html_reader *r = html_reader_start(html.n, options, a, ret);

	ret->kind = PAGE_HTML;
	html_reader_add(r, html);
	html_reader_finish(r);
}
