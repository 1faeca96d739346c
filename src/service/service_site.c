/* The part of the description's reader that is for crawls of the site itself. */
#include <string.h>

#include "service/service.h"

static void *zeroed(struct service_reading *r, size_t n, size_t size)
{
	return memset(arena_alloc(r->a, n * size + 1), 0, n * size);
}

static void parse_into(struct service_reading *r, const struct json *v,
		       const struct doc_place *at, struct template *ret)
{
	struct diag why;

	if (json_kind(v) != JSON_STRING || json_str(v).n == 0)
		doc_blame(r->d, at, "a template is wanted here, as \"{url}\"");
	else if (template_parse(json_str(v), r->a, ret, &why) != ST_OK)
		doc_blame(r->d, at, "%s", why.text);
}

static void read_urls(struct service_reading *r, const struct json *object,
		      const struct doc_place *p, struct api_page *ret)
{
	const struct json *v = json_get(object, "url");
	struct doc_place at = place_in(p, STR("url"));

	if (json_kind(v) != JSON_ARRAY) {
		parse_into(r, v, &at, &ret->urls[ret->n_urls++]);
		return;
	}
	for (v = json_first(v); v; v = json_next(v)) {
		if (ret->n_urls == API_PAGE_URLS) {
			doc_blame(r->d, &at, "at most %d", API_PAGE_URLS);
			return;
		}
		parse_into(r, v, &at, &ret->urls[ret->n_urls++]);
	}
}

void read_page(struct service_reading *r, const struct json *object,
	       const struct doc_place *p, struct api_interaction *i)
{
	static const char *const known[] = { "url",    "html",     "text",
					     "unless", "complete", NULL };
	const struct json *v = doc_member(r->d, object, p, "page", JSON_OBJECT);
	struct doc_place at = place_in(p, STR("page")), in = place_in(&at, STR("unless"));
	struct api_page *page = &i->page;

	if (!v)
		return;
	doc_only(r->d, v, &at, known);
	read_urls(r, v, &at, page);
	read_template(r, v, &at, "html", &page->html);
	read_template(r, v, &at, "text", &page->text);
	read_path(r, v, &at, "complete", &page->complete);
	const struct json *list = doc_member(r->d, v, &at, "unless", JSON_ARRAY);
	page->unless = zeroed(r, json_count(list), sizeof(*page->unless));
	for (const struct json *e = json_first(list); e; e = json_next(e))
		parse_into(r, e, &in, &page->unless[page->n_unless++]);
	if (page->html.is_set == page->text.is_set)
		doc_blame(r->d, &at, "one of 'html' and 'text' is wanted");
}

static void read_list_params(struct service_reading *r, const struct json *object,
			     struct api_site_list *ret)
{
	ret->params = zeroed(r, json_count(object), sizeof(*ret->params));
	for (const struct json *m = json_first(object); m; m = json_next(m)) {
		cleanup(buf_release) struct buf text = { 0 };

		value_add_text(m, &text);
		ret->params[ret->n_params++] =
			(struct var){ arena_copy(r->a, json_name(m)),
				      arena_copy(r->a, buf_str(&text)) };
	}
}

/* "posts", or {"pages": {"gapnamespace": 1}}. */
static void read_list(struct service_reading *r, const struct json *v,
		      const struct doc_place *at, struct api_service *s)
{
	struct api_site_list *l = &s->site.lists[s->site.n_lists++];
	const struct json *params = json_kind(v) == JSON_OBJECT ? json_first(v) : NULL;

	l->call = arena_copy(r->a, params ? json_name(params) : json_str(v));
	l->interaction = api_service_find(s, l->call);
	if (params)
		read_list_params(r, params, l);
	if (l->interaction == s->n)
		doc_blame(r->d, at, "there is no interaction '" STR_FMT "'",
			  STR_ARG(l->call));
	else if (s->interactions[l->interaction].page.n_urls == 0)
		doc_blame(r->d, at, "'" STR_FMT "' has no 'page'", STR_ARG(l->call));
	else if (s->interactions[l->interaction].is_post)
		doc_blame(r->d, at, "a crawl sends no POST");
}

void read_site(struct service_reading *r, const struct json *root,
	       const struct doc_place *p, struct api_service *s)
{
	static const char *const known[] = { "application", "find", "lists", NULL };
	const struct json *v = doc_member(r->d, root, p, "site", JSON_OBJECT);
	struct doc_place at = place_in(p, STR("site")), in = place_in(&at, STR("lists"));

	if (!v)
		return;
	doc_only(r->d, v, &at, known);
	s->site.application = read_text(r, v, &at, "application");
	const struct json *find = doc_member(r->d, v, &at, "find", JSON_ARRAY);
	s->site.find = zeroed(r, json_count(find), sizeof(*s->site.find));
	for (const struct json *e = json_first(find); e; e = json_next(e))
		if (json_str(e).n > 0)
			s->site.find[s->site.n_find++] = arena_copy(r->a, json_str(e));
	const struct json *lists = doc_member(r->d, v, &at, "lists", JSON_ARRAY);
	s->site.lists = zeroed(r, json_count(lists), sizeof(*s->site.lists));
	for (const struct json *e = json_first(lists); e; e = json_next(e)) {
		struct doc_place here = place_at(&in, s->site.n_lists);

		read_list(r, e, &here, s);
	}
	if (s->site.application.n == 0 || s->site.n_lists == 0)
		doc_blame(r->d, &at, "'application' and 'lists' are wanted");
	/* A crawl takes the instance out of a request's URL again: siteapi/ */
	if (s->base_url.n == 0 || !s->base_url.v[0].has_hole ||
	    s->base_url.v[0].literal.n > 0 ||
	    !str_eq(s->base_url.v[0].name, STR("instance")) || s->base_url.n > 2 ||
	    (s->base_url.n == 2 && s->base_url.v[1].has_hole))
		doc_blame(r->d, &at, "wants a 'base_url' that begins with {instance}");
}
