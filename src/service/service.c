#include "service/service.h"

#include <assert.h>
#include <string.h>

#include "base/date.h"

void api_service_release(struct api_service *s)
{
	arena_release(&s->arena);
	*s = (struct api_service){ 0 };
}

size_t api_service_find(const struct api_service *s, struct str interaction)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->interactions[i].name, interaction))
			return i;
	return s->n;
}

static void *zeroed(struct service_reading *r, size_t n, size_t size)
{
	return memset(arena_alloc(r->a, n * size + 1), 0, n * size);
}

/* --- the pieces --- */

struct str read_text(struct service_reading *r, const struct json *object,
		     const struct doc_place *p, const char *name)
{
	return arena_copy(r->a, doc_text(r->d, object, p, name));
}

void read_template(struct service_reading *r, const struct json *object,
		   const struct doc_place *p, const char *name, struct template *ret)
{
	const struct json *v = doc_member(r->d, object, p, name, JSON_STRING);
	struct doc_place at = place_in(p, str_from(name));
	struct diag why;

	if (v && template_parse(json_str(v), r->a, ret, &why) != ST_OK)
		doc_blame(r->d, &at, "%s", why.text);
}

void read_path(struct service_reading *r, const struct json *object,
	       const struct doc_place *p, const char *name, struct json_path *ret)
{
	const struct json *v = doc_member(r->d, object, p, name, JSON_STRING);
	struct doc_place at = place_in(p, str_from(name));
	struct diag why;

	if (v && json_path_parse(json_str(v), r->a, ret, &why) != ST_OK)
		doc_blame(r->d, &at, "%s", why.text);
}

unsigned read_choice(struct service_reading *r, const struct json *object,
		     const struct doc_place *p, const char *name,
		     const char *const *words, unsigned otherwise)
{
	const struct json *v = doc_member(r->d, object, p, name, JSON_STRING);
	struct doc_place at = place_in(p, str_from(name));
	cleanup(buf_release) struct buf list = { 0 };

	for (unsigned i = 0; words[i]; i++) {
		if (v && str_eq(json_str(v), str_from(words[i])))
			return i;
		buf_addf(&list, "%s%s", i ? ", " : "", words[i]);
	}
	if (v)
		doc_blame(r->d, &at, "one of %s is wanted here", buf_cstr(&list));
	return otherwise;
}

static void read_param_object(struct service_reading *r, const struct json *v,
			      const struct doc_place *at, struct api_param *ret)
{
	static const char *const known[] = { "type", "required", "default", "min",
					     "max",  "from",     "about",   NULL };
	static const char *const types[] = { "text", "integer", "bool",
					     "date", "url",     NULL };
	const struct json *value = json_get(v, "default");
	cleanup(buf_release) struct buf text = { 0 };
	struct diag why;

	doc_only(r->d, v, at, known);
	ret->type = (enum param_type)read_choice(r, v, at, "type", types, PARAM_TEXT);
	ret->required = json_bool(doc_member(r->d, v, at, "required", JSON_BOOL), false);
	ret->min = doc_uint(r->d, v, at, "min", UINT32_MAX, 0);
	ret->max = doc_uint(r->d, v, at, "max", UINT32_MAX, 0);
	read_template(r, v, at, "from", &ret->value);
	value_add_text(value, &text);
	if (value && template_parse(buf_str(&text), r->a, &ret->value, &why) != ST_OK)
		doc_blame(r->d, at, "%s", why.text);
}

void read_params(struct service_reading *r, const struct json *object,
		 const struct doc_place *p, const char *name, struct api_params *ret)
{
	const struct json *list = doc_member(r->d, object, p, name, JSON_OBJECT);
	struct doc_place at = place_in(p, str_from(name));

	if (!list)
		return;
	ret->v = zeroed(r, json_count(list), sizeof(*ret->v));
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		struct api_param *param = &ret->v[ret->n++];
		struct doc_place here = place_in(&at, json_name(v));
		cleanup(buf_release) struct buf text = { 0 };
		struct diag why;

		param->name = arena_copy(r->a, json_name(v));
		if (json_kind(v) == JSON_OBJECT) {
			read_param_object(r, v, &here, param);
			continue;
		}
		if (json_kind(v) == JSON_ARRAY) {
			doc_blame(r->d, &here, "a value or an object is wanted here");
			continue;
		}
		value_add_text(v, &text); /* null: the parameter is left out */
		if (json_kind(v) != JSON_NULL &&
		    template_parse(buf_str(&text), r->a, &param->value, &why) != ST_OK)
			doc_blame(r->d, &here, "%s", why.text);
	}
}

/* --- authentication --- */

static const char *const auth_words[] = {
	"none",          "api_key_query",  "api_key_header", "basic", "bearer",
	"oauth2_client", "oauth2_refresh", "session",        NULL
};

static void default_form(struct service_reading *r, struct api_auth *a)
{
	static const char *const client[][2] = {
		{ "grant_type", "client_credentials" },
		{ "client_id", "{client_id}" },
		{ "client_secret", "{client_secret}" },
	};
	static const char *const refresh[][2] = {
		{ "grant_type", "refresh_token" },
		{ "refresh_token", "{refresh_token}" },
		{ "client_id", "{client_id}" },
		{ "client_secret", "{client_secret}" },
	};
	bool is_client = a->kind == AUTH_OAUTH_CLIENT;
	size_t n = is_client ? COUNT(client) : COUNT(refresh);

	a->form.v = zeroed(r, n, sizeof(*a->form.v));
	for (a->form.n = 0; a->form.n < n; a->form.n++) {
		const char *const *row =
			is_client ? client[a->form.n] : refresh[a->form.n];
		struct api_param *p = &a->form.v[a->form.n];
		struct diag why;

		p->name = str_from(row[0]);
		enum status st = template_parse(str_from(row[1]), r->a, &p->value, &why);
		assert(st == ST_OK);
	}
}

static void read_auth(struct service_reading *r, const struct json *root,
		      const struct doc_place *p, struct api_auth *a)
{
	static const char *const known[] = { "type",  "name",      "value",   "optional",
					     "token", "token_url", "expires", "send",
					     "form",  "about",     "refresh", "client",
					     NULL };
	static const char *const forms[] = { "form", "json", NULL };
	static const char *const clients[] = { "form", "basic", NULL };
	const struct json *v = doc_member(r->d, root, p, "auth", JSON_OBJECT);
	struct doc_place at = place_in(p, STR("auth"));
	struct diag why;

	if (!v)
		return;
	doc_only(r->d, v, &at, known);
	a->kind = (enum auth_kind)read_choice(r, v, &at, "type", auth_words, AUTH_NONE);
	a->optional = json_bool(doc_member(r->d, v, &at, "optional", JSON_BOOL), false);
	a->name = read_text(r, v, &at, "name");
	read_template(r, v, &at, "value", &a->value);
	read_template(r, v, &at, "token_url", &a->token_url);
	read_params(r, v, &at, "form", &a->form);
	a->as_json = read_choice(r, v, &at, "send", forms, 0) == 1;
	read_path(r, v, &at, "token", &a->token);
	read_path(r, v, &at, "expires", &a->expires);
	read_path(r, v, &at, "refresh", &a->refresh);
	a->client_by_basic = read_choice(r, v, &at, "client", clients, 0) == 1;
	bool fetches = a->kind >= AUTH_OAUTH_CLIENT;
	if ((a->kind == AUTH_KEY_QUERY || a->kind == AUTH_KEY_HEADER) && a->name.n == 0)
		doc_blame(r->d, &at, "'name', of the parameter or field, is missing");
	if (fetches && !a->token_url.is_set)
		doc_blame(r->d, &at, "'token_url' is missing");
	if (a->kind == AUTH_SESSION && (a->form.n == 0 || !a->token.is_set))
		doc_blame(r->d, &at, "a session wants 'form' and 'token'");
	if ((a->kind == AUTH_OAUTH_CLIENT || a->kind == AUTH_OAUTH_REFRESH) &&
	    a->form.n == 0)
		default_form(r, a);
	if (fetches && !a->token.is_set &&
	    json_path_parse(STR("access_token"), r->a, &a->token, &why) != ST_OK)
		assert(0);
	if (fetches && !a->expires.is_set &&
	    json_path_parse(STR("expires_in"), r->a, &a->expires, &why) != ST_OK)
		assert(0);
	if (fetches && !a->refresh.is_set &&
	    json_path_parse(STR("refresh_token"), r->a, &a->refresh, &why) != ST_OK)
		assert(0);
	if (fetches && a->name.n == 0)
		a->name = STR("Authorization");
	if (fetches && !a->value.is_set &&
	    template_parse(STR("Bearer {token}"), r->a, &a->value, &why) != ST_OK)
		assert(0);
}

/* --- budgets and errors --- */

static void read_zone(struct service_reading *r, const struct json *v,
		      const struct doc_place *at, struct api_budget *b)
{
	struct str zone = doc_text(r->d, v, at, "midnight");
	cleanup(buf_release) struct buf text = { 0 };
	int64_t ms;

	if (zone.n == 0)
		return;
	buf_add(&text, STR("1970-01-02T00:00:00"));
	buf_add(&text, zone);
	if (!date_parse_iso(buf_str(&text), &ms))
		doc_blame(r->d, at, "'midnight' wants an offset: Z, -08:00");
	b->is_calendar = true;
	b->zone_ms = ms - 86400000;
}

static void read_budgets(struct service_reading *r, const struct json *root,
			 const struct doc_place *p, struct api_service *s)
{
	static const char *const known[] = { "match",  "limit",    "window", "cost",
					     "bucket", "midnight", "about",  NULL };
	const struct json *list = doc_member(r->d, root, p, "budgets", JSON_ARRAY);
	struct doc_place in = place_in(p, STR("budgets"));

	s->budgets = zeroed(r, json_count(list), sizeof(*s->budgets));
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		struct doc_place at = place_at(&in, s->n_budgets);
		struct api_budget *b = &s->budgets[s->n_budgets++];

		doc_only(r->d, v, &at, known);
		b->match = read_text(r, v, &at, "match");
		b->bucket = read_text(r, v, &at, "bucket");
		b->limit = doc_uint(r->d, v, &at, "limit", 1000000000, 0);
		b->window_ms = doc_time(r->d, v, &at, "window", 0);
		b->cost = doc_uint(r->d, v, &at, "cost", 1000000, 1);
		read_zone(r, v, &at, b);
		if (b->match.n == 0)
			b->match = STR("*");
		if (b->bucket.n == 0)
			b->bucket = STR("requests");
		if (b->limit == 0 || b->window_ms == 0)
			doc_blame(r->d, &at, "'limit' and 'window' are wanted");
		if (b->cost > b->limit)
			doc_blame(r->d, &at, "'cost' is above 'limit'");
	}
}

static void read_status(struct service_reading *r, const struct json *v,
			const struct doc_place *at, struct api_error *e)
{
	const struct json *status = json_get(v, "status");
	struct str text = json_str(status);
	uint64_t n;

	if (json_kind(status) == JSON_NUMBER) {
		e->status_min = e->status_max =
			(int)doc_uint(r->d, v, at, "status", 999, 0);
	} else if (text.n == 3 && str_ends(text, STR("xx")) &&
		   str_to_uint(str_slice(text, 0, 1), 9, &n)) {
		e->status_min = (int)n * 100;
		e->status_max = (int)n * 100 + 99;
	} else if (status) {
		doc_blame(r->d, at, "'status' is a number, or as \"5xx\"");
	}
}

static void read_errors(struct service_reading *r, const struct json *root,
			const struct doc_place *p, struct api_service *s)
{
	static const char *const known[] = { "status", "path",   "equals", "do",
					     "header", "format", "wait",   "wait_path",
					     "about",  NULL };
	static const char *const actions[] = { "retry", "wait",  "stop", "skip",
					       "end",   "login", NULL };
	static const char *const formats[] = { "any", "seconds", "epoch", "iso", NULL };
	const struct json *list = doc_member(r->d, root, p, "errors", JSON_ARRAY);
	struct doc_place in = place_in(p, STR("errors"));

	s->errors = zeroed(r, json_count(list), sizeof(*s->errors));
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		struct doc_place at = place_at(&in, s->n_errors);
		struct api_error *e = &s->errors[s->n_errors++];
		cleanup(buf_release) struct buf equals = { 0 };

		doc_only(r->d, v, &at, known);
		read_status(r, v, &at, e);
		read_path(r, v, &at, "path", &e->path);
		value_add_text(json_get(v, "equals"), &equals);
		e->equals = arena_copy(r->a, buf_str(&equals));
		e->action = (enum error_action)read_choice(r, v, &at, "do", actions,
							   ERROR_ACTIONS);
		e->header = read_text(r, v, &at, "header");
		read_path(r, v, &at, "wait_path", &e->wait_path);
		e->format = (enum wait_format)read_choice(r, v, &at, "format", formats,
							  WAIT_AS_ANY);
		e->wait_ms = doc_time(r->d, v, &at, "wait", 0);
		if (e->action == ERROR_ACTIONS)
			doc_blame(r->d, &at, "'do' is missing");
		if (!e->status_min && !e->path.is_set)
			doc_blame(r->d, &at, "'status' or 'path' is wanted");
	}
}

/* --- the whole --- */

static void read_interactions(struct service_reading *r, const struct json *root,
			      const struct doc_place *p, struct api_service *s)
{
	const struct json *list = doc_member(r->d, root, p, "interactions", JSON_OBJECT);
	struct doc_place in = place_in(p, STR("interactions"));

	s->interactions = zeroed(r, json_count(list), sizeof(*s->interactions));
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		struct doc_place at = place_in(&in, json_name(v));

		s->interactions[s->n].name = arena_copy(r->a, json_name(v));
		read_meaning(r, v, &at, &s->interactions[s->n++]);
	}
	if (s->n == 0)
		doc_blame(r->d, p, "'interactions' are missing");
}

/* Chains name interactions, budgets may: both must be there. */
static void check_names(struct service_reading *r, struct api_service *s)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < s->interactions[i].n_chains; k++) {
			struct api_chain *c = &s->interactions[i].chains[k];
			struct doc_place root = place_root(),
					 all = place_in(&root, STR("interactions")),
					 one = place_in(&all, s->interactions[i].name),
					 list = place_in(&one, STR("chain")),
					 at = place_at(&list, k);

			c->interaction = api_service_find(s, c->call);
			if (c->interaction == s->n)
				doc_blame(r->d, &at,
					  "there is no interaction '" STR_FMT "'",
					  STR_ARG(c->call));
			else
				s->interactions[c->interaction].is_called = true;
		}
	for (size_t i = 0; i < s->n_budgets; i++)
		if (!str_eq(s->budgets[i].match, STR("*")) &&
		    api_service_find(s, s->budgets[i].match) == s->n) {
			struct doc_place root = place_root(),
					 all = place_in(&root, STR("budgets")),
					 at = place_at(&all, i);

			doc_blame(r->d, &at, "there is no interaction '" STR_FMT "'",
				  STR_ARG(s->budgets[i].match));
		}
}

enum status api_service_parse(struct api_doc *d, struct api_service *ret,
			      struct diag *why)
{
	static const char *const known[] = {
		"$schema", "service",     "title",   "about",    "homepage",
		"version", "opt_in",      "example", "base_url", "parameters",
		"fields",  "auth",        "budgets", "errors",   "interactions",
		"delay",   "concurrency", "site",    NULL
	};
	struct api_service s = { 0 };
	struct service_reading r = { d, &s.arena };
	struct doc_place p = place_root();
	const struct json *root = d->root;

	doc_only(d, root, &p, known);
	s.name = read_text(&r, root, &p, "service");
	s.title = read_text(&r, root, &p, "title");
	s.about = read_text(&r, root, &p, "about");
	s.homepage = read_text(&r, root, &p, "homepage");
	s.version = (uint32_t)doc_uint(d, root, &p, "version", UINT32_MAX, 1);
	s.opt_in = json_bool(doc_member(d, root, &p, "opt_in", JSON_BOOL), false);
	s.is_example = json_bool(doc_member(d, root, &p, "example", JSON_BOOL), false);
	read_template(&r, root, &p, "base_url", &s.base_url);
	read_params(&r, root, &p, "parameters", &s.parameters);
	read_params(&r, root, &p, "fields", &s.fields);
	read_auth(&r, root, &p, &s.auth);
	read_budgets(&r, root, &p, &s);
	read_errors(&r, root, &p, &s);
	s.delay_ms = doc_time(d, root, &p, "delay", 250);
	s.concurrency = doc_uint(d, root, &p, "concurrency", 64, 1);
	read_interactions(&r, root, &p, &s);
	if (s.name.n == 0)
		doc_blame(d, &p, "'service', its name, is missing");
	if (!s.base_url.is_set)
		doc_blame(d, &p, "'base_url' is missing");
	if (s.concurrency == 0)
		doc_blame(d, &p, "'concurrency' is 1 or more");
	check_names(&r, &s);
	read_site(&r, root, &p, &s);
	if (d->n > 0) {
		api_service_release(&s);
		return doc_status(d, why);
	}
	*ret = s;
	return ST_OK;
}
