#include "pipeline/site_harvest.h"

#include <string.h>

#include "base/json.h"
#include "page/page.h"

#define TEXT_MAX 20000 /* bytes of an object's text that are kept in objects.jsonl */

struct gathering {
	struct harvest *h;
	struct crawl_item *item;
	const struct url *own; /* of the request */
	struct text_sample *said;
	struct buf lines;
};

/* "wordpress posts 17": what `why` and the ledger name. */
static struct str object_words(struct gathering *g, const struct site_object *o)
{
	const struct site_answer *api = g->item->api;
	cleanup(buf_release) struct buf b = { 0 };

	buf_addf(&b, STR_FMT " " STR_FMT " " STR_FMT, STR_ARG(api->service),
		 STR_ARG(api->list), STR_ARG(o->id));
	return arena_copy(&g->item->arena, buf_str(&b));
}

/* Before the links within objects, which may lead to the same pages. */
static void add_pages(struct gathering *g, const struct site_object *o)
{
	struct harvest *h = g->h;

	for (size_t k = 0; k < o->n_pages; k++) {
		size_t nr = harvest_add_link(h, g->item, o->pages[k], g->own, HOP_LINK);

		if (nr == STR_NONE)
			continue;
		if (!o->is_whole) {
			h->links[nr].veto = VETO_NONE; /* another object's page, too */
		} else if (h->links[nr].veto_by.n == 0) {
			h->links[nr].veto = VETO_API;
			h->links[nr].veto_by = object_words(g, o);
		}
	}
}

static void add_html_links(struct gathering *g, const struct site_object *o,
			   const struct page *p)
{
	struct url page = *g->own;

	if (o->n_pages > 0 &&
	    url_parse(o->pages[0], NULL, &g->h->scratch[3], &page, NULL) != ST_OK)
		page = *g->own;
	for (size_t k = 0; k < p->n_links; k++) {
		const struct link *l = &p->links[k];
		size_t nr =
			harvest_add_link(g->h, g->item, l->url, &page, hop_of_link(l));

		if (nr != STR_NONE && (l->rel & REL_NOFOLLOW) &&
		    g->h->links[nr].veto == VETO_NONE)
			g->h->links[nr].nofollow = true;
	}
}

/* The text of an object, its links on the way. */
static struct str read_content(struct gathering *g, const struct site_object *o)
{
	struct page page = { 0 };

	for (size_t k = 0; k < o->n_links; k++)
		harvest_add_link(g->h, g->item, o->links[k], g->own, HOP_LINK);
	if (o->html.n == 0)
		return o->text;
	page_parse(&(struct page_input){ .body = o->html,
					 .content_type = STR("text/html; charset=utf-8"),
					 .url = g->item->step.task.url },
		   &(struct page_options){ .no_guesses = true, .no_language = true },
		   &g->item->arena, &page);
	add_html_links(g, o, &page);
	return page.text;
}

/* One line of objects.jsonl, with the members that objects of pages have. */
static void add_line(struct gathering *g, const struct site_object *o, struct str text)
{
	struct json_out out = { .to = &g->lines };
	const struct site_answer *api = g->item->api;

	json_open(&out, '{');
	json_put_str(&out, "object", o->kind);
	json_put_str(&out, "id", o->id);
	if (o->n_pages > 0) {
		json_put_str(&out, "page_url", o->pages[o->n_pages - 1]);
		json_put_bool(&out, "stands_for_page", o->is_whole);
	}
	json_put_str(&out, "service", api->service);
	json_put_str(&out, "list", api->list);
	json_put_str(&out, "title", o->name);
	json_put_str(&out, "author", o->author);
	json_put_str(&out, "date", o->date);
	json_put_str(&out, "text", str_slice(text, 0, MIN(text.n, (size_t)TEXT_MAX)));
	json_close(&out, '}');
	buf_add_char(&g->lines, '\n');
}

static void join_said(struct gathering *g, size_t n)
{
	struct crawl_item *i = g->item;
	size_t all = 0;

	for (size_t k = 0; k < n; k++)
		all += g->said[k].n;
	uint64_t *v = arena_alloc(&i->arena, (all + 1) * sizeof(*v));
	i->said = (struct text_sample){ v, all };
	for (size_t k = 0; k < n; k++) {
		if (g->said[k].n > 0)
			memcpy(v, g->said[k].v, g->said[k].n * sizeof(*v));
		v += g->said[k].n;
	}
}

void harvest_site_answer(struct harvest *h, struct crawl_item *i, struct str body,
			 const struct url *own)
{
	struct gathering g = { .h = h, .item = i, .own = own };
	struct site_answer *api = arena_alloc(&i->arena, sizeof(*api));
	struct site_response response = { .code = i->result.code,
					  .is_truncated = i->result.truncated != 0,
					  .url = i->step.task.url,
					  .head = i->result.header,
					  .body = body };

	if (!h->sites || site_read(h->sites, &response, &i->arena, api) != ST_OK)
		return;
	i->api = api;
	i->follow = true;
	for (size_t k = 0; k < api->n; k++)
		add_pages(&g, &api->v[k]);
	g.said = arena_alloc(&i->arena, (api->n + 1) * sizeof(*g.said));
	for (size_t k = 0; k < api->n; k++) {
		struct str text = read_content(&g, &api->v[k]);

		g.said[k] = seen_text_sample(text, &i->arena);
		add_line(&g, &api->v[k], text);
	}
	join_said(&g, api->n);
	i->objects = arena_copy(&i->arena, buf_str(&g.lines));
	buf_release(&g.lines);
}
