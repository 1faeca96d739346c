#include "api/campaign.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "os/file.h"
#include "service/filter.h"

#define WORDS_MAX    100000
#define SERVICES_MAX 1000

void campaign_release(struct campaign *c)
{
	str_list_release(&c->keywords);
	str_list_release(&c->entities);
	arena_release(&c->arena);
	*c = (struct campaign){ 0 };
}

struct reading {
	struct api_doc *d;
	struct campaign *c;
	struct catalog *catalog;
	struct diag *why;
};

static struct str text_of(struct reading *r, const struct json *v)
{
	cleanup(buf_release) struct buf b = { 0 };

	value_add_text(v, &b);
	return arena_copy(&r->c->arena, str_trim(buf_str(&b)));
}

static void read_words(struct reading *r, const char *name, struct str_list *to)
{
	struct doc_place root = place_root(), at = place_in(&root, str_from(name));
	const struct json *list = doc_member(r->d, r->d->root, &root, name, JSON_ARRAY);

	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		struct str word = text_of(r, v);

		if (word.n == 0 || to->n >= WORDS_MAX)
			doc_blame(r->d, &at, "a list of words is wanted here");
		else
			VEC_ADD(to->v, to->n, to->cap, word);
	}
}

/* --- keywords of a crawl --- */

/* "NAME|ALIAS=WEIGHT" and "entity:NAME" of doc/focus.md: each name is a keyword, unless
 * its weight speaks against a page. */
static void add_terms(struct reading *r, struct str term)
{
	size_t equals = str_find_char(term, '=');
	struct str name;

	if (equals != STR_NONE && str_starts(str_skip(term, equals + 1), STR("-")))
		return;
	term = str_trim(str_slice(term, 0, equals));
	str_take_prefix(&term, STR("entity:"));
	while (str_take_until(&term, '|', &name))
		if (str_trim(name).n > 0 && r->c->keywords.n < WORDS_MAX)
			VEC_ADD(r->c->keywords.v, r->c->keywords.n, r->c->keywords.cap,
				arena_copy(&r->c->arena, str_trim(name)));
}

static void add_wanted(struct reading *r, const struct json *root)
{
	const struct json *want = json_get(root, "want");

	if (json_kind(want) == JSON_STRING)
		add_terms(r, json_str(want));
	for (const struct json *v = json_first(want); v; v = json_next(v)) {
		bool is_against = json_number(json_get(v, "weight"), 1) < 0;

		add_terms(r, json_kind(v) == JSON_OBJECT ? STR("") : json_str(v));
		if (json_kind(v) != JSON_OBJECT || is_against)
			continue;
		add_terms(r, json_str(json_get(v, "term")));
		for (const struct json *a = json_first(json_get(v, "aliases")); a;
		     a = json_next(a))
			add_terms(r, json_str(a));
	}
}

/* A crawl.yaml, whose `want` is taken wherever its section is, or one term per line. */
static void read_keywords_from(struct reading *r)
{
	struct doc_place root = place_root(), at = place_in(&root, STR("keywords_from"));
	cleanup(buf_release) struct buf path = { 0 }, text = { 0 };
	cleanup(doc_release) struct api_doc crawl = { 0 };
	struct diag why;
	struct str line;

	buf_add(&path, doc_text(r->d, r->d->root, &root, "keywords_from"));
	if (path.n == 0)
		return;
	if (r->catalog->only_names) {
		doc_blame(r->d, &at, "files are not read for others");
		return;
	}
	if (file_load(buf_cstr(&path), DOC_MAX_BYTES, &text, &why) != ST_OK) {
		doc_blame(r->d, &at, "%s", why.text);
		return;
	}
	if (doc_parse(&crawl, buf_str(&path), buf_str(&text), &why) == ST_OK &&
	    json_kind(crawl.root) == JSON_OBJECT) {
		add_wanted(r, crawl.root);
		for (const struct json *v = json_first(crawl.root); v; v = json_next(v))
			if (json_kind(v) == JSON_OBJECT)
				add_wanted(r, v);
		return;
	}
	struct str rest = buf_str(&text);
	while (str_take_line(&rest, &line))
		if (!str_starts(line, STR("#")))
			add_terms(r, line);
}

static int64_t read_date(struct reading *r, const char *name)
{
	struct doc_place root = place_root(), at = place_in(&root, str_from(name));
	struct str text = doc_text(r->d, r->d->root, &root, name);
	int64_t ms = 0;

	if (text.n > 0 && !time_parse_any(text, &ms))
		doc_blame(r->d, &at, "a date is wanted here, as 2026-11-16T20:00:00Z");
	return ms;
}

/* --- services --- */

static bool is_satisfied(const struct api_interaction *i,
			 const struct campaign_service *s, const struct campaign *c)
{
	struct api_scope scope = { s->params, s->n_params, NULL, NULL };

	if (i->by_keyword && c->keywords.n == 0)
		return false;
	if (i->by_entity && c->entities.n == 0)
		return false;
	for (size_t k = 0; k < i->params.n; k++)
		if (i->params.v[k].required && !i->params.v[k].value.is_set &&
		    !scope_find(&scope, i->params.v[k].name).p)
			return false;
	return true;
}

/* Without names: with keywords, all that search; with entities, all that take one;
 * with neither, all that need nothing. */
static void choose_by_default(const struct campaign *c, struct campaign_service *s)
{
	bool words = c->keywords.n > 0 || c->entities.n > 0;

	for (size_t i = 0; i < s->service->n; i++) {
		const struct api_interaction *x = &s->service->interactions[i];
		bool is_search = x->by_keyword || x->by_entity || x->match.is_set;

		s->begins[i] = is_search == words && (is_search || !x->is_called) &&
			       is_satisfied(x, s, c);
	}
}

static void choose_by_name(struct reading *r, const struct json *list,
			   const struct doc_place *at, struct campaign_service *s)
{
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		size_t i = api_service_find(s->service, json_str(v));

		if (i == s->service->n)
			doc_blame(r->d, at, "%.*s has no interaction '" STR_FMT "'",
				  STR_ARG(s->service->name), STR_ARG(json_str(v)));
		else if (!is_satisfied(&s->service->interactions[i], s, r->c))
			doc_blame(r->d, at,
				  "'" STR_FMT "' wants a keyword, an entity or a "
				  "parameter that is not given",
				  STR_ARG(json_str(v)));
		else
			s->begins[i] = true;
	}
}

static void check_parameters(struct reading *r, const struct doc_place *at,
			     const struct campaign_service *s)
{
	struct api_scope scope = { s->params, s->n_params, NULL, NULL };
	bool any = false;

	for (size_t k = 0; k < s->service->parameters.n; k++) {
		const struct api_param *p = &s->service->parameters.v[k];

		if (p->required && !scope_find(&scope, p->name).p)
			doc_blame(r->d, at, STR_FMT " wants '" STR_FMT "'",
				  STR_ARG(s->service->name), STR_ARG(p->name));
	}
	for (size_t i = 0; i < s->service->n; i++)
		any |= s->begins[i];
	if (!any)
		doc_blame(r->d, at,
			  "nothing to do for " STR_FMT
			  ": give keywords, entities or interactions",
			  STR_ARG(s->service->name));
}

static enum status read_service(struct reading *r, struct str name, const struct json *v,
				const struct doc_place *at, struct campaign_service *s)
{
	const struct json *list = doc_member(r->d, v, at, "interactions", JSON_ARRAY);
	bool agreed = json_bool(json_get(v, "opt_in"), false);
	struct arena *a = &r->c->arena;

	TRY(catalog_find(r->catalog, name, &s->service, r->why));
	s->begins = memset(arena_alloc(a, s->service->n + 1), 0, s->service->n);
	s->params = arena_alloc(a, sizeof(*s->params) * (json_count(v) + 1));
	for (const struct json *m = json_first(v); m; m = json_next(m)) {
		struct str text = text_of(r, m);

		if (str_eq(json_name(m), STR("interactions")) ||
		    str_eq(json_name(m), STR("opt_in")))
			continue;
		while (str_ends(text, STR("/")))
			text.n--;
		if (text.n == 0)
			doc_blame(r->d, at, "'" STR_FMT "' has no value",
				  STR_ARG(json_name(m)));
		else
			s->params[s->n_params++] =
				(struct var){ arena_copy(a, json_name(m)), text };
	}
	if (s->service->is_example)
		doc_blame(r->d, at, STR_FMT " is an example only", STR_ARG(name));
	if (s->service->opt_in && !agreed)
		doc_blame(r->d, at,
			  STR_FMT " is used only when the campaign says 'opt_in: true' "
				  "for it: read its terms first",
			  STR_ARG(name));
	if (list)
		choose_by_name(r, list, at, s);
	else
		choose_by_default(r->c, s);
	check_parameters(r, at, s);
	return ST_OK;
}

/* "- mediawiki", or "- mediawiki: {instance: ...}". */
static enum status read_services(struct reading *r)
{
	struct doc_place root = place_root(), in = place_in(&root, STR("services"));
	const struct json *list =
		doc_member(r->d, r->d->root, &root, "services", JSON_ARRAY);
	size_t n = MIN(json_count(list), (size_t)SERVICES_MAX);

	if (n == 0)
		doc_blame(r->d, &root, "'services' are missing");
	r->c->services = arena_alloc(&r->c->arena, sizeof(*r->c->services) * (n + 1));
	memset(r->c->services, 0, sizeof(*r->c->services) * n);
	for (const struct json *v = json_first(list); v && r->c->n < n;
	     v = json_next(v)) {
		struct doc_place at = place_at(&in, r->c->n);
		const struct json *inner = json_first(v);
		struct str name = inner ? json_name(inner) : json_str(v);

		TRY(read_service(r, name, inner, &at, &r->c->services[r->c->n++]));
	}
	return ST_OK;
}

static void read_pairs(struct reading *r)
{
	struct doc_place root = place_root(), in = place_in(&root, STR("pairs"));
	const struct json *list =
		doc_member(r->d, r->d->root, &root, "pairs", JSON_ARRAY);
	struct campaign *c = r->c;

	c->pairs = arena_alloc(&c->arena, sizeof(*c->pairs) * (json_count(list) + 1));
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		struct doc_place at = place_at(&in, c->n_pairs);
		struct campaign_pair *p = &c->pairs[c->n_pairs++];
		bool known = false;

		p->keyword = text_of(r, json_get(v, "keyword"));
		p->service = text_of(r, json_get(v, "service"));
		if (p->keyword.n == 0 || p->service.n == 0)
			doc_blame(r->d, &at, "a pair has 'keyword' and 'service'");
		for (size_t i = 0; i < c->keywords.n; i++)
			known |= str_eq(c->keywords.v[i], p->keyword);
		if (!known && p->keyword.n > 0)
			VEC_ADD(c->keywords.v, c->keywords.n, c->keywords.cap,
				p->keyword);
	}
}

bool campaign_wants(const struct campaign *c, struct str keyword,
		    const struct campaign_service *s)
{
	for (size_t i = 0; i < c->n_pairs; i++)
		if (str_eq(c->pairs[i].keyword, keyword) &&
		    str_eq(c->pairs[i].service, s->service->name))
			return true;
	return c->n_pairs == 0;
}

/* It names a folder and files. */
static bool is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_alpha(s.p[i]) && !ascii_is_digit(s.p[i]) &&
		    !strchr("-_", s.p[i]))
			return false;
	return s.n > 0 && s.n <= CAMPAIGN_NAME_MAX;
}

static void read_limits(struct reading *r)
{
	static const char *const known[] = { "requests", "items", "time", NULL };
	struct doc_place root = place_root(), at = place_in(&root, STR("budget"));
	const struct json *v = doc_member(r->d, r->d->root, &root, "budget", JSON_OBJECT);
	struct campaign *c = r->c;

	doc_only(r->d, v, &at, known);
	c->max_requests = doc_uint(r->d, v, &at, "requests", UINT32_MAX, 0);
	c->max_items = doc_uint(r->d, v, &at, "items", UINT32_MAX, 0);
	c->max_time_ms = doc_time(r->d, v, &at, "time", 0);
	c->every_ms = doc_time(r->d, r->d->root, &root, "every", 0);
	c->delay_ms = doc_time(r->d, r->d->root, &root, "delay", UINT64_MAX);
	c->saturation = doc_uint(r->d, r->d->root, &root, "saturation", UINT32_MAX, 0);
	c->start_ms = read_date(r, "start");
	c->stop_ms = read_date(r, "stop");
}

enum status campaign_parse(struct api_doc *d, struct catalog *catalog,
			   struct campaign *ret, struct diag *why)
{
	static const char *const known[] = { "name",          "keywords", "entities",
					     "services",      "pairs",    "start",
					     "stop",          "every",    "budget",
					     "delay",         "about",    "saturation",
					     "keywords_from", NULL };
	struct campaign c = { 0 };
	struct reading r = { d, &c, catalog, why };
	struct doc_place root = place_root(), at = place_in(&root, STR("name"));
	cleanup(buf_release) struct buf graph = { 0 };

	doc_only(d, d->root, &root, known);
	c.name = text_of(&r, json_get(d->root, "name"));
	if (!is_name(c.name))
		doc_blame(d, &at, "a name of letters, digits, - and _ is wanted");
	read_words(&r, "keywords", &c.keywords);
	read_keywords_from(&r);
	read_words(&r, "entities", &c.entities);
	read_pairs(&r);
	read_limits(&r);
	enum status st = read_services(&r);
	if (st == ST_OK)
		st = doc_status(d, why);
	if (st != ST_OK) {
		campaign_release(&c);
		return st;
	}
	buf_add(&graph, STR("urn:thresh:campaign:"));
	buf_add(&graph, c.name);
	c.graph = arena_copy(&c.arena, buf_str(&graph));
	*ret = c;
	return ST_OK;
}
