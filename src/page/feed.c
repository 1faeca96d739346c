#include "page/feed.h"

#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "html/xml.h"
#include "page/html_page.h"
#include "page/links.h"
#include "page/text.h"

#define SUMMARY_MAX 1024

/* What one <item> or <entry> has said so far. */
struct entry {
	struct str url, guid, title, summary, content, date;
};

struct feed {
	struct html_reader *reader;
	struct html_tokenizer *tokens; /* for titles and summaries */
	struct links *links;
	struct arena *arena;
	struct page *page;
	struct entry entry;
	bool in_entry;
};

static void start(struct feed *f, size_t bytes, const struct page_options *options,
		  struct arena *a, struct page *ret)
{
	*f = (struct feed){ .arena = a, .page = ret };
	f->reader = html_reader_start(bytes, options, a, ret);
	f->links = html_reader_links(f->reader);
	f->tokens = arena_alloc(a, sizeof(*f->tokens));
	ret->kind = PAGE_FEED;
}

static struct link *add_link(struct feed *f, enum link_kind kind, struct str url)
{
	const struct text *t = html_reader_text(f->reader);
	struct link_place at = { .block = (uint32_t)t->n_blocks, .at = (uint32_t)t->n };

	return links_add(f->links, kind, url, &at);
}

/* The words of a piece of HTML, without its markup: at most `max` bytes. */
static struct str words_of(struct feed *f, struct str html, size_t max)
{
	struct buf words = BUF(2 * max + 64);
	struct html_token k;

	if (html.n == 0 || !memchr(html.p, '<', html.n))
		return text_cut(text_clean(html, TEXT_DECODE, f->arena), max);
	html_start(f->tokens, html);
	while (words.n < max && html_next(f->tokens, &k)) {
		if (k.kind == HTML_TEXT && k.mode == HTML_DATA)
			buf_add(&words, text_cut(k.text, max - words.n));
		else if (k.kind == HTML_START_TAG)
			buf_add_char(&words, ' ');
	}
	struct str s = text_cut(text_clean(buf_str(&words), TEXT_DECODE, f->arena), max);
	buf_release(&words);
	return s;
}

static void end_entry(struct feed *f)
{
	struct entry *e = &f->entry;
	struct link *link = add_link(f, LINK_FEED, e->url.n ? e->url : e->guid);

	if (link) {
		link->text = words_of(f, e->title, LINK_TEXT_MAX);
		link->around =
			words_of(f, e->summary.n ? e->summary : e->content, SUMMARY_MAX);
		link->date = e->date;
	}
	html_reader_add(f->reader, e->title);
	html_reader_add(f->reader, e->content.n ? e->content : e->summary);
	*e = (struct entry){ 0 };
	f->in_entry = false;
}

/* ---- XML ---- */

static bool is_any(struct str name, const char *const *names)
{
	for (; *names; names++)
		if (str_eq_nocase(name, str_from(*names)))
			return true;
	return false;
}

/* <link rel href> of Atom, <link>text</link> of RSS. */
static void read_link(struct feed *f, struct xml_cursor *c)
{
	struct str href = xml_attr(c, STR("href")), rel = xml_attr(c, STR("rel"));
	struct str type = xml_attr(c, STR("type"));

	if (!href.n) {
		struct str url = xml_text(c);

		if (f->in_entry && url.n)
			f->entry.url = url;
		else if (!f->in_entry)
			add_link(f, LINK_HEAD, url);
		return;
	}
	if (f->in_entry && (!rel.n || str_eq(rel, STR("alternate")))) {
		if (!f->entry.url.n)
			f->entry.url = href;
		return;
	}
	bool is_media = str_eq(rel, STR("enclosure"));
	struct link *link = add_link(f, is_media ? LINK_MEDIA : LINK_HEAD, href);
	if (link) {
		link->rel = links_parse_rel(rel);
		link->type = type;
	}
}

/* <enclosure url>, <media:content url>, <media:thumbnail url> */
static bool read_media(struct feed *f, struct xml_cursor *c, const struct xml_element *e)
{
	struct str url = xml_attr(c, STR("url"));
	bool is_image = str_eq(e->name, STR("thumbnail"));
	struct link *link;

	if (!url.n || !(is_image || str_eq(e->name, STR("enclosure")) ||
			str_eq(e->name, STR("content"))))
		return false;
	link = add_link(f, is_image ? LINK_IMAGE : LINK_MEDIA, url);
	if (link)
		link->type = xml_attr(c, STR("type"));
	return true;
}

/* Text, or the markup itself where it stands unescaped (Atom's type="xhtml"). */
static struct str read_markup(struct xml_cursor *c, const struct xml_element *e)
{
	bool inline_markup = str_eq(xml_attr(c, STR("type")), STR("xhtml"));

	return inline_markup ? xml_inner(c, e->name) : xml_text(c);
}

static void read_in_entry(struct feed *f, struct xml_cursor *c,
			  const struct xml_element *e)
{
	static const char *const contents[] = { "encoded", "content", "body", NULL };
	static const char *const summaries[] = { "description", "summary", NULL };
	static const char *const dates[] = { "pubdate", "published", "date", "issued",
					     NULL };
	static const char *const changes[] = { "updated", "modified", NULL };
	struct entry *n = &f->entry;

	if (str_eq(e->name, STR("title"))) {
		if (!n->title.n)
			n->title = read_markup(c, e);
	} else if (is_any(e->name, contents)) {
		n->content = read_markup(c, e);
	} else if (is_any(e->name, summaries)) {
		n->summary = read_markup(c, e);
	} else if (is_any(e->name, dates)) {
		n->date = xml_text(c);
	} else if (is_any(e->name, changes)) {
		n->date = n->date.n ? n->date : xml_text(c);
	} else if (str_eq(e->name, STR("guid"))) {
		if (!str_eq_nocase(xml_attr(c, STR("isPermaLink")), STR("false")))
			n->guid = xml_text(c);
	} else if (str_eq(e->name, STR("origLink"))) {
		n->url = xml_text(c);
	} else if (str_eq(e->name, STR("comments"))) {
		struct str url = xml_text(c);

		if (str_starts_nocase(url, STR("http"))) /* slash:comments is a number */
			add_link(f, LINK_ANCHOR, url);
	} else if (str_eq(e->name, STR("commentRss"))) {
		add_link(f, LINK_HEAD, xml_text(c));
	}
}

static void read_in_feed(struct feed *f, struct xml_cursor *c,
			 const struct xml_element *e)
{
	struct page *p = f->page;

	if (str_eq(e->name, STR("title")) && !p->title.n)
		p->title = words_of(f, read_markup(c, e), LINK_TEXT_MAX);
	else if ((str_eq(e->name, STR("description")) ||
		  str_eq(e->name, STR("subtitle"))) &&
		 !p->description.n)
		p->description = words_of(f, read_markup(c, e), SUMMARY_MAX);
	else if (str_eq(e->name, STR("language")) && !p->lang.n)
		p->lang = xml_text(c);
	else if (str_eq(e->name, STR("generator")) && !p->generator.n)
		p->generator = xml_text(c);
	else if (str_eq(e->name, STR("url")) || str_eq(e->name, STR("icon")) ||
		 str_eq(e->name, STR("logo")))
		add_link(f, LINK_IMAGE, xml_text(c));
}

static void read_element(struct feed *f, struct xml_cursor *c,
			 const struct xml_element *e)
{
	bool is_entry = str_eq(e->name, STR("item")) || str_eq(e->name, STR("entry"));

	if (is_entry && f->in_entry) /* its end, or the next without it */
		end_entry(f);
	if (is_entry && !e->is_end)
		f->in_entry = true;
	if (is_entry || e->is_end)
		return;
	if (str_eq(e->name, STR("link")))
		read_link(f, c);
	else if (read_media(f, c, e))
		return;
	else if (f->in_entry)
		read_in_entry(f, c, e);
	else
		read_in_feed(f, c, e);
}

void feed_read_xml(struct str xml, const struct page_options *options, struct arena *a,
		   struct page *ret)
{
	struct xml_cursor *c = xml_start(xml, a);
	struct xml_element e;
	struct feed f;

	start(&f, xml.n, options, a, ret);
	while (!f.links->cut && xml_next(c, &e))
		read_element(&f, c, &e);
	if (f.in_entry)
		end_entry(&f);
	html_reader_finish(f.reader);
}

/* ---- JSON ---- */

static struct str text_at(struct feed *f, const struct json *object, const char *name)
{
	return arena_copy(f->arena, json_str(json_get(object, name)));
}

/* Plain text as HTML, so that both go one way. */
static struct str escaped(struct str s, struct arena *a)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add_markup(&b, s);
	return arena_copy(a, buf_str(&b));
}

static void read_item(struct feed *f, const struct json *item)
{
	const struct json *media = json_first(json_get(item, "attachments"));
	struct entry *e = &f->entry;

	e->url = text_at(f, item, "url");
	e->title = escaped(text_at(f, item, "title"), f->arena);
	e->summary = escaped(text_at(f, item, "summary"), f->arena);
	e->content = text_at(f, item, "content_html");
	if (!e->content.n)
		e->content = escaped(text_at(f, item, "content_text"), f->arena);
	e->date = text_at(f, item, "date_published");
	end_entry(f);
	add_link(f, LINK_ANCHOR, text_at(f, item, "external_url"));
	add_link(f, LINK_IMAGE, text_at(f, item, "image"));
	add_link(f, LINK_IMAGE, text_at(f, item, "banner_image"));
	for (; media; media = json_next(media))
		add_link(f, LINK_MEDIA, text_at(f, media, "url"));
}

enum status feed_read_json(struct str json, const struct page_options *options,
			   struct arena *a, struct page *ret)
{
	struct json *root = NULL;
	struct feed f;

	TRY(json_parse(json, &root, NULL));
	if (json_kind(json_get(root, "items")) != JSON_ARRAY ||
	    str_find(json_str(json_get(root, "version")), STR("jsonfeed.org")) ==
		    STR_NONE) {
		json_release(&root);
		return ST_UNSUPPORTED;
	}
	start(&f, json.n, options, a, ret);
	ret->title = text_clean(text_at(&f, root, "title"), TEXT_AS_IS, a);
	ret->description = text_clean(text_at(&f, root, "description"), TEXT_AS_IS, a);
	ret->lang = text_at(&f, root, "language");
	add_link(&f, LINK_HEAD, text_at(&f, root, "home_page_url"));
	struct link *next = add_link(&f, LINK_HEAD, text_at(&f, root, "next_url"));
	if (next)
		next->rel = REL_NEXT;
	for (const struct json *i = json_first(json_get(root, "items"));
	     i && !f.links->cut; i = json_next(i))
		read_item(&f, i);
	html_reader_finish(f.reader);
	json_release(&root);
	return ST_OK;
}
