#include "service/feed.h"

#include "base/arena.h"
#include "html/xml.h"

#define FEED_ITEMS_MAX 100000

struct entry {
	struct str id, url, title, content, summary, published, modified, author,
		attachment;
	struct buf tags; /* JSON strings with commas between */
};

static void put(struct json_out *o, const char *name, struct str value)
{
	if (value.n > 0)
		json_put_str(o, name, value);
}

static void add_entry(struct json_out *o, const struct entry *e)
{
	json_open(o, '{');
	json_put_str(o, "id", e->id.n ? e->id : e->url.n ? e->url : e->title);
	put(o, "url", e->url.n ? e->url : e->id);
	put(o, "title", e->title);
	put(o, "content_html", e->content.n ? e->content : e->summary);
	put(o, "summary", e->summary);
	put(o, "date_published", e->published.n ? e->published : e->modified);
	put(o, "date_modified", e->modified.n ? e->modified : e->published);
	put(o, "author", e->author);
	put(o, "attachment", e->attachment);
	json_key(o, STR("tags"));
	json_open(o, '[');
	json_add_raw(o, buf_str(&e->tags));
	json_close(o, ']');
	json_close(o, '}');
}

static void set_once(struct str *to, struct str value)
{
	if (to->n == 0)
		*to = value;
}

static void read_link(struct xml_cursor *c, struct entry *e)
{
	struct str href = xml_attr(c, STR("href")), rel = xml_attr(c, STR("rel"));

	if (href.n == 0)
		set_once(&e->url, xml_text(c)); /* RSS */
	else if (rel.n == 0 || str_eq(rel, STR("alternate")))
		set_once(&e->url, href);
	else if (str_eq(rel, STR("enclosure")))
		set_once(&e->attachment, href);
}

static void read_tag(struct xml_cursor *c, struct entry *e)
{
	struct json_out o = { .to = &e->tags };
	struct str term = xml_attr(c, STR("term"));

	if (term.n == 0)
		term = xml_text(c);
	if (term.n == 0)
		return;
	if (e->tags.n > 0)
		buf_add_char(&e->tags, ',');
	json_add_str(&o, term);
}

static void read_element(struct xml_cursor *c, const struct xml_element *el,
			 struct entry *e)
{
	struct str n = el->name;

	if (str_eq(n, STR("link")))
		read_link(c, e);
	else if (str_eq(n, STR("guid")) || str_eq(n, STR("id")))
		set_once(&e->id, xml_text(c));
	else if (str_eq(n, STR("title")))
		set_once(&e->title, xml_text(c));
	else if (str_eq(n, STR("encoded")) || str_eq(n, STR("content")))
		set_once(&e->content, xml_text(c));
	else if (str_eq(n, STR("description")) || str_eq(n, STR("summary")))
		set_once(&e->summary, xml_text(c));
	else if (str_eq(n, STR("pubDate")) || str_eq(n, STR("published")) ||
		 str_eq(n, STR("date")))
		set_once(&e->published, xml_text(c));
	else if (str_eq(n, STR("updated")))
		set_once(&e->modified, xml_text(c));
	else if (str_eq(n, STR("creator")) || str_eq(n, STR("name")) ||
		 str_eq(n, STR("author")))
		set_once(&e->author, xml_text(c));
	else if (str_eq(n, STR("category")) || str_eq(n, STR("subject")))
		read_tag(c, e);
	else if (str_eq(n, STR("enclosure")))
		set_once(&e->attachment, xml_attr(c, STR("url")));
}

static bool is_item(struct str name)
{
	return str_eq(name, STR("item")) || str_eq(name, STR("entry"));
}

enum status feed_to_json(struct str xml, struct json **ret, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf json = { 0 };
	struct json_out o = { .to = &json };
	struct str root = xml_root(xml, &a);
	struct xml_cursor *c = xml_start(xml, &a);
	struct xml_element el;
	struct entry e = { 0 }, channel = { 0 };
	bool inside = false;
	size_t n = 0;

	if (!str_eq(root, STR("rss")) && !str_eq(root, STR("feed")) &&
	    !str_eq(root, STR("RDF")))
		return diag_fail(why, ST_SYNTAX, "neither RSS, Atom nor JSON Feed");
	json_open(&o, '{');
	json_key(&o, STR("items"));
	json_open(&o, '[');
	while (n < FEED_ITEMS_MAX && xml_next(c, &el)) {
		if (!is_item(el.name)) {
			if (!el.is_end)
				read_element(c, &el, inside ? &e : &channel);
			continue;
		}
		if (inside) {
			add_entry(&o, &e);
			n++;
		}
		inside = !el.is_end;
		buf_reset(&e.tags);
		e = (struct entry){ .tags = e.tags };
	}
	json_close(&o, ']');
	put(&o, "title", channel.title);
	put(&o, "home_page_url", channel.url);
	json_close(&o, '}');
	buf_release(&e.tags);
	buf_release(&channel.tags);
	return json_parse(buf_str(&json), ret, why);
}
