/* The half of the description's reader that says what requests and answers mean. */
#include <string.h>

#include "service/service.h"
#include "service/vocabulary.h"

/* Shorter than the time after which servers give up clients that answer no ping. */
#define STREAM_SLICE_MS      10000
#define STREAM_SLICE_MOST_MS 60000

static void *zeroed(struct service_reading *r, size_t n, size_t size)
{
	return memset(arena_alloc(r->a, n * size + 1), 0, n * size);
}

static void read_request(struct service_reading *r, const struct json *object,
			 const struct doc_place *p, struct api_interaction *i)
{
	static const char *const known[] = { "method", "path", "params",
					     "fields", "body", NULL };
	static const char *const methods[] = { "GET", "POST", NULL };
	const struct json *v = doc_member(r->d, object, p, "request", JSON_OBJECT);
	struct doc_place at = place_in(p, STR("request"));

	if (!v) {
		doc_blame(r->d, p, "'request' is missing");
		return;
	}
	doc_only(r->d, v, &at, known);
	i->is_post = read_choice(r, v, &at, "method", methods, 0) == 1;
	read_template(r, v, &at, "path", &i->path);
	read_params(r, v, &at, "params", &i->params);
	read_params(r, v, &at, "fields", &i->fields);
	read_template(r, v, &at, "body", &i->body);
}

static void read_total(struct service_reading *r, const struct json *v,
		       const struct doc_place *at, struct api_paginate *p)
{
	struct str total = doc_text(r->d, v, at, "total");

	if (str_take_prefix(&total, STR("header:")))
		p->total_header = arena_copy(r->a, total);
	else
		read_path(r, v, at, "total", &p->total);
}

static void read_paginate(struct service_reading *r, const struct json *object,
			  const struct doc_place *p, struct api_paginate *ret)
{
	static const char *const known[] = { "type",  "param", "next", "more",
					     "total", "first", "size", "max_pages",
					     "slice", NULL };
	static const char *const kinds[] = { "none", "cursor",   "page",   "offset",
					     "link", "continue", "stream", NULL };
	const struct json *v = doc_member(r->d, object, p, "paginate", JSON_OBJECT);
	struct doc_place at = place_in(p, STR("paginate"));

	if (!v)
		return;
	doc_only(r->d, v, &at, known);
	ret->kind = (enum page_kind)read_choice(r, v, &at, "type", kinds, PAGE_SINGLE);
	ret->param = read_text(r, v, &at, "param");
	read_path(r, v, &at, "next", &ret->next);
	read_path(r, v, &at, "more", &ret->more);
	read_total(r, v, &at, ret);
	ret->first = doc_uint(r->d, v, &at, "first", UINT32_MAX,
			      ret->kind == PAGE_NUMBER ? 1 : 0);
	ret->size = doc_uint(r->d, v, &at, "size", UINT32_MAX, 0);
	ret->max_pages = doc_uint(r->d, v, &at, "max_pages", UINT32_MAX, 0);
	ret->slice_ms = doc_time(r->d, v, &at, "slice",
				 ret->kind == PAGE_STREAM ? STREAM_SLICE_MS : 0);
	if (ret->slice_ms > STREAM_SLICE_MOST_MS)
		doc_blame(r->d, &at, "'slice' is a minute at most");
	bool wants_param = ret->kind == PAGE_CURSOR || ret->kind == PAGE_NUMBER ||
			   ret->kind == PAGE_OFFSET || ret->kind == PAGE_STREAM;
	if (wants_param && ret->param.n == 0)
		doc_blame(r->d, &at, "'param' is missing");
	if ((ret->kind == PAGE_CURSOR || ret->kind == PAGE_CONTINUE) && !ret->next.is_set)
		doc_blame(r->d, &at, "'next' is missing");
}

/* "<{url}>" is an IRI, "{n}^^xsd:integer" has a datatype, all others are strings. */
static void read_object(struct service_reading *r, const struct json *v,
			const struct doc_place *at, struct api_object *ret)
{
	struct str text = json_str(v);
	size_t type = str_find(text, STR("^^"));
	struct diag why;

	if (json_kind(v) != JSON_STRING || text.n == 0) {
		doc_blame(r->d, at, "a template is wanted here, as \"{title}\"");
		return;
	}
	if (str_starts(text, STR("<")) && str_ends(text, STR(">"))) {
		ret->is_iri = true;
		text = str_slice(text, 1, text.n - 1);
	} else if (type != STR_NONE) {
		ret->datatype = vocabulary_expand(str_skip(text, type + 2), r->a);
		if (ret->datatype.n == 0)
			doc_blame(r->d, at, "unknown datatype " STR_FMT,
				  STR_ARG(str_skip(text, type + 2)));
		text = str_slice(text, 0, type);
	}
	if (template_parse(text, r->a, &ret->value, &why) != ST_OK)
		doc_blame(r->d, at, "%s", why.text);
}

static void add_object(struct service_reading *r, const struct json *v, struct str name,
		       const struct doc_place *at, struct api_map *map)
{
	struct api_object *o = &map->v[map->n++];
	struct diag why;

	o->predicate =
		str_eq(name, STR("a")) ? vocabulary_type : vocabulary_expand(name, r->a);
	if (o->predicate.n == 0)
		doc_blame(r->d, at, "unknown prefix; known are %s", vocabulary_prefixes);
	if (!str_eq(name, STR("a"))) {
		read_object(r, v, at, o);
		return;
	}
	struct str type = vocabulary_expand(json_str(v), r->a);
	if (type.n == 0)
		doc_blame(r->d, at, "a class is wanted here, as sioc:Post");
	o->is_iri = true;
	if (type.n > 0 && template_parse(type, r->a, &o->value, &why) != ST_OK)
		doc_blame(r->d, at, "%s", why.text);
}

static void read_map(struct service_reading *r, const struct json *v,
		     const struct doc_place *at, struct api_map *ret)
{
	size_t n = 0;

	read_template(r, v, at, "subject", &ret->subject);
	read_template(r, v, at, "when", &ret->when);
	if (!ret->subject.is_set)
		doc_blame(r->d, at, "'subject' is missing");
	for (const struct json *m = json_first(v); m; m = json_next(m))
		n += MAX(json_count(m), (size_t)1);
	ret->v = zeroed(r, n, sizeof(*ret->v));
	for (const struct json *m = json_first(v); m; m = json_next(m)) {
		struct doc_place here = place_in(at, json_name(m));

		if (str_eq(json_name(m), STR("subject")) ||
		    str_eq(json_name(m), STR("when")))
			continue;
		if (json_kind(m) != JSON_ARRAY) {
			add_object(r, m, json_name(m), &here, ret);
			continue;
		}
		for (const struct json *e = json_first(m); e; e = json_next(e))
			add_object(r, e, json_name(m), &here, ret);
	}
}

static void read_maps(struct service_reading *r, const struct json *object,
		      const struct doc_place *p, struct api_interaction *i)
{
	const struct json *list = doc_member(r->d, object, p, "map", JSON_ARRAY);
	struct doc_place in = place_in(p, STR("map"));

	i->maps = zeroed(r, json_count(list), sizeof(*i->maps));
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		struct doc_place at = place_at(&in, i->n_maps);

		read_map(r, v, &at, &i->maps[i->n_maps++]);
	}
}

static void read_links(struct service_reading *r, const struct json *object,
		       const struct doc_place *p, struct api_interaction *i)
{
	static const char *const known[] = { "url", "score", NULL };
	const struct json *list = doc_member(r->d, object, p, "links", JSON_ARRAY);
	struct doc_place in = place_in(p, STR("links"));

	i->links = zeroed(r, json_count(list), sizeof(*i->links));
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		struct doc_place at = place_at(&in, i->n_links);
		struct api_links *l = &i->links[i->n_links++];

		doc_only(r->d, v, &at, known);
		read_template(r, v, &at, "url", &l->url);
		l->score =
			json_number(doc_member(r->d, v, &at, "score", JSON_NUMBER), 0.5);
		if (!l->url.is_set)
			doc_blame(r->d, &at, "'url' is missing");
		if (l->score < 0 || l->score > 1)
			doc_blame(r->d, &at, "'score' is 0 to 1");
	}
}

static void read_chain_params(struct service_reading *r, const struct json *v,
			      const struct doc_place *at, struct api_chain *c)
{
	const struct json *list = doc_member(r->d, v, at, "params", JSON_OBJECT);
	struct doc_place in = place_in(at, STR("params"));

	c->params = zeroed(r, json_count(list), sizeof(*c->params));
	for (const struct json *m = json_first(list); m; m = json_next(m)) {
		struct var_template *t = &c->params[c->n_params++];
		struct doc_place here = place_in(&in, json_name(m));
		struct diag why;

		t->name = arena_copy(r->a, json_name(m));
		if (template_parse(json_str(m), r->a, &t->value, &why) != ST_OK)
			doc_blame(r->d, &here, "%s", why.text);
	}
}

static void read_chains(struct service_reading *r, const struct json *object,
			const struct doc_place *p, struct api_interaction *i)
{
	static const char *const known[] = { "call",   "when",   "for_each",
					     "params", "always", NULL };
	const struct json *list = doc_member(r->d, object, p, "chain", JSON_ARRAY);
	struct doc_place in = place_in(p, STR("chain"));

	i->chains = zeroed(r, json_count(list), sizeof(*i->chains));
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		struct doc_place at = place_at(&in, i->n_chains);
		struct api_chain *c = &i->chains[i->n_chains++];

		doc_only(r->d, v, &at, known);
		c->call = read_text(r, v, &at, "call");
		read_template(r, v, &at, "when", &c->when);
		read_path(r, v, &at, "for_each", &c->for_each);
		c->always =
			json_bool(doc_member(r->d, v, &at, "always", JSON_BOOL), false);
		read_chain_params(r, v, &at, c);
	}
}

static void read_incremental(struct service_reading *r, const struct json *object,
			     const struct doc_place *p, struct api_incremental *ret)
{
	static const char *const known[] = { "value", "set", "until", NULL };
	static const char *const untils[] = { "known", NULL };
	const struct json *v = doc_member(r->d, object, p, "incremental", JSON_OBJECT);
	struct doc_place at = place_in(p, STR("incremental"));

	if (!v)
		return;
	doc_only(r->d, v, &at, known);
	ret->until_known = read_choice(r, v, &at, "until", untils, 1) == 0;
	read_template(r, v, &at, "value", &ret->value);
	read_params(r, v, &at, "set", &ret->set);
	if (ret->set.n > 0 && !ret->value.is_set)
		doc_blame(r->d, &at, "'set' wants 'value', which {since} is made of");
}

static void read_ignore(struct service_reading *r, const struct json *object,
			const struct doc_place *p, struct api_interaction *i)
{
	const struct json *list = doc_member(r->d, object, p, "ignore", JSON_ARRAY);

	i->ignore = zeroed(r, json_count(list), sizeof(*i->ignore));
	for (const struct json *v = json_first(list); v; v = json_next(v))
		i->ignore[i->n_ignore++] = arena_copy(r->a, json_str(v));
}

static bool uses(const struct template *t, struct str name)
{
	for (size_t i = 0; i < t->n; i++)
		if (str_eq(t->v[i].name, name))
			return true;
	return false;
}

static bool request_uses(const struct api_interaction *i, struct str name)
{
	for (size_t k = 0; k < i->params.n; k++)
		if (uses(&i->params.v[k].value, name))
			return true;
	return uses(&i->path, name) || uses(&i->body, name);
}

void read_meaning(struct service_reading *r, const struct json *v,
		  const struct doc_place *p, struct api_interaction *i)
{
	static const char *const known[] = {
		"about",          "kind",   "request",    "paginate",    "items",
		"items_optional", "id",     "map",        "incremental", "links",
		"chain",          "format", "expect",     "ignore",      "when",
		"match",          "page",   "only_named", NULL
	};
	static const char *const formats[] = { "json", "feed", "jsonl", "websocket",
					       NULL };

	doc_only(r->d, v, p, known);
	i->about = read_text(r, v, p, "about");
	i->kind = read_text(r, v, p, "kind");
	if (i->kind.n == 0)
		i->kind = i->name;
	read_request(r, v, p, i);
	read_paginate(r, v, p, &i->paginate);
	i->format = (enum api_format)read_choice(r, v, p, "format", formats, FORMAT_JSON);
	read_path(r, v, p, "items", &i->items);
	i->items_optional =
		json_bool(doc_member(r->d, v, p, "items_optional", JSON_BOOL), false);
	read_template(r, v, p, "id", &i->id);
	read_template(r, v, p, "when", &i->when);
	read_template(r, v, p, "match", &i->match);
	i->expect = doc_uint(r->d, v, p, "expect", 1000000, 1);
	read_incremental(r, v, p, &i->incremental);
	read_ignore(r, v, p, i);
	read_maps(r, v, p, i);
	read_links(r, v, p, i);
	read_chains(r, v, p, i);
	read_page(r, v, p, i);
	i->is_called = json_bool(doc_member(r->d, v, p, "only_named", JSON_BOOL), false);
	if (!i->items.is_set)
		doc_blame(r->d, p, "'items', the path to them, is missing");
	if (!i->id.is_set)
		doc_blame(r->d, p, "'id', of an item, is missing");
	if ((i->format == FORMAT_WEBSOCKET) != (i->paginate.kind == PAGE_STREAM))
		doc_blame(r->d, p,
			  "the format 'websocket' and 'paginate' of type "
			  "'stream' go together");
	if (i->paginate.kind == PAGE_STREAM && !i->incremental.value.is_set)
		doc_blame(r->d, p, "a stream wants 'incremental.value', its cursor");
	i->by_keyword = request_uses(i, STR("keyword"));
	i->by_entity = request_uses(i, STR("entity"));
}
