#include "service/request.h"

#include "base/encode.h"
#include "record/fetch.h"
#include "service/websocket.h"
#include "url/url.h"

/* A token is renewed this long before it ends. */
#define TOKEN_EARLY_MS 30000

void api_request_release(struct api_request *r)
{
	buf_release(&r->url);
	buf_release(&r->fields);
	buf_release(&r->body);
}

static void reset(struct api_request *r)
{
	buf_reset(&r->url);
	buf_reset(&r->fields);
	buf_reset(&r->body);
	r->is_post = false;
}

/* "ws" and "wss" name the same servers as "http" and "https". */
static void add_base(struct str text, struct buf *to)
{
	if (str_take_prefix(&text, STR("ws:")))
		buf_add(to, STR("http:"));
	else if (str_take_prefix(&text, STR("wss:")))
		buf_add(to, STR("https:"));
	buf_add(to, text);
}

enum status endpoint_make(struct endpoint *ret, const struct api_service *s,
			  const struct var *params, size_t n_params,
			  struct secrets *secrets, struct arena *a, struct diag *why)
{
	struct api_scope scope = { params, n_params, NULL, NULL };
	cleanup(buf_release) struct buf text = { 0 }, base = { 0 }, scratch = { 0 };
	struct url u;

	if (!template_add(&s->base_url, &scope, false, &text))
		return diag_fail(why, ST_SYNTAX, STR_FMT ": the base URL is incomplete",
				 STR_ARG(s->name));
	add_base(buf_str(&text), &base);
	TRY(url_parse(buf_str(&base), NULL, &scratch, &u, why));
	if (!url_is_http(&u))
		return diag_fail(why, ST_SYNTAX, STR_FMT ": no http or https URL",
				 STR_ARG(buf_str(&base)));
	*ret = (struct endpoint){ .service = s,
				  .params = params,
				  .n_params = n_params,
				  .base = arena_copy(a, buf_str(&base)),
				  .host = arena_copy(a, url_authority(&u)),
				  .secrets = secrets };
	return ST_OK;
}

static struct str secret(const struct endpoint *e, const char *name)
{
	return e->secrets ? secrets_find(e->secrets, e->service->name, e->host,
					 str_from(name))
			  : STR("");
}

static void add_field(struct buf *to, struct str name, struct str value)
{
	buf_add(to, name);
	buf_add(to, STR(": "));
	/* Nothing that comes from outside begins a new field. */
	for (size_t i = 0; i < value.n; i++)
		buf_add_char(to, (uint8_t)value.p[i] < ' ' ? ' ' : value.p[i]);
	buf_add(to, STR("\r\n"));
}

/* --- credentials --- */

bool endpoint_wants_token(const struct endpoint *e, int64_t now_ms)
{
	enum auth_kind kind = e->service->auth.kind;

	if (kind < AUTH_OAUTH_CLIENT)
		return false;
	return e->token.n == 0 ||
	       (e->token_until_ms && now_ms > e->token_until_ms - TOKEN_EARLY_MS);
}

enum status endpoint_check(struct endpoint *e, struct diag *why)
{
	static const char *const wanted[AUTH_KINDS][3] = {
		[AUTH_KEY_QUERY] = { "key" },
		[AUTH_KEY_HEADER] = { "key" },
		[AUTH_BASIC] = { "user", "password" },
		[AUTH_BEARER] = { "token" },
		[AUTH_OAUTH_CLIENT] = { "client_id", "client_secret" },
		[AUTH_OAUTH_REFRESH] = { "refresh_token" },
		[AUTH_SESSION] = { "user", "password" },
	};
	const struct api_auth *a = &e->service->auth;

	for (size_t i = 0; i < COUNT(wanted[0]) && wanted[a->kind][i]; i++)
		if (secret(e, wanted[a->kind][i]).n == 0 && !a->optional)
			return diag_fail(why, ST_NOT_FOUND,
					 STR_FMT
					 " wants the secret '%s': put it into the "
					 "file of --secrets, or the environment",
					 STR_ARG(e->service->name), wanted[a->kind][i]);
	return ST_OK;
}

static void add_token_field(const struct endpoint *e, struct str token, struct buf *to)
{
	const struct api_auth *a = &e->service->auth;
	struct var v = { STR("token"), token };
	struct api_scope s = { &v, 1, NULL, NULL };
	cleanup(buf_release) struct buf value = { 0 };

	if (token.n > 0 && template_add(&a->value, &s, false, &value))
		add_field(to, a->name, buf_str(&value));
}

static void add_basic(const struct endpoint *e, struct str user, struct str password,
		      struct buf *to)
{
	cleanup(buf_release) struct buf pair = { 0 }, value = { 0 };

	if (user.n == 0)
		return;
	buf_add(&pair, user);
	buf_add_char(&pair, ':');
	buf_add(&pair, password);
	buf_add_base64(&value, buf_str(&pair));
	secrets_add(e->secrets, buf_str(&value));
	buf_reset(&pair);
	buf_add(&pair, STR("Basic "));
	buf_add(&pair, buf_str(&value));
	add_field(to, STR("Authorization"), buf_str(&pair));
}

static void add_credentials(const struct endpoint *e, struct api_request *r)
{
	const struct api_auth *a = &e->service->auth;
	cleanup(buf_release) struct buf value = { 0 };
	struct str key = STR("");

	switch (a->kind) {
	case AUTH_NONE:
		break;
	case AUTH_KEY_QUERY:
		key = secret(e, "key");
		if (key.n == 0)
			break;
		buf_add_char(&r->url, str_find_char(buf_str(&r->url), '?') == STR_NONE
					      ? '?'
					      : '&');
		buf_add_component(&r->url, a->name);
		buf_add_char(&r->url, '=');
		buf_add_component(&r->url, key);
		break;
	case AUTH_KEY_HEADER:
		key = secret(e, "key");
		if (key.n > 0)
			add_field(&r->fields, a->name, key);
		break;
	case AUTH_BASIC:
		add_basic(e, secret(e, "user"), secret(e, "password"), &r->fields);
		break;
	case AUTH_BEARER:
		key = secret(e, "token");
		buf_add(&value, STR("Bearer "));
		buf_add(&value, key);
		if (key.n > 0)
			add_field(&r->fields, STR("Authorization"), buf_str(&value));
		break;
	default:
		add_token_field(e, buf_str(&e->token), &r->fields);
		break;
	}
}

/* --- parameters --- */

static const struct api_param *find_param(const struct api_params *list, struct str name)
{
	for (size_t i = 0; i < list->n; i++)
		if (str_eq(list->v[i].name, name))
			return &list->v[i];
	return NULL;
}

static void add_pair(struct buf *url, struct str name, struct str value)
{
	bool first = str_find_char(buf_str(url), '?') == STR_NONE;

	buf_add_char(url, first ? '?' : '&');
	buf_add_component(url, name);
	buf_add_char(url, '=');
	buf_add_component(url, value);
}

/* What the campaign or a chain says of this name, else the description's template. */
static enum status add_param(const struct api_param *p, const struct api_scope *s,
			     struct buf *url, struct diag *why)
{
	cleanup(buf_release) struct buf value = { 0 };
	struct str given = scope_find(s, p->name);

	if (given.p)
		add_pair(url, p->name, given);
	else if (template_add(&p->value, s, false, &value))
		add_pair(url, p->name, buf_str(&value));
	else if (p->required)
		return diag_fail(why, ST_NOT_FOUND,
				 "the parameter '" STR_FMT "' is missing",
				 STR_ARG(p->name));
	return ST_OK;
}

static enum status add_params(const struct request_facts *f, const struct api_scope *s,
			      struct buf *url, struct diag *why)
{
	const struct api_interaction *i = f->interaction;
	const struct api_params *later = &i->incremental.set;
	cleanup(buf_release) struct buf page = { 0 };
	bool again = f->since.n > 0;

	for (size_t k = 0; k < i->params.n; k++) {
		const struct api_param *p = &i->params.v[k];

		if (!page_sets(&i->paginate, f->page, p->name) &&
		    !(again && find_param(later, p->name)))
			TRY(add_param(p, s, url, why));
	}
	for (size_t k = 0; again && k < later->n; k++)
		if (!page_sets(&i->paginate, f->page, later->v[k].name))
			TRY(add_param(&later->v[k], s, url, why));
	page_add_params(&i->paginate, f->page, &page);
	if (page.n > 0) {
		buf_add_char(url,
			     str_find_char(buf_str(url), '?') == STR_NONE ? '?' : '&');
		buf_add(url, buf_str(&page));
	}
	return ST_OK;
}

static void add_fields(const struct api_params *list, const struct api_scope *s,
		       struct buf *to)
{
	for (size_t i = 0; i < list->n; i++) {
		cleanup(buf_release) struct buf value = { 0 };

		if (template_add(&list->v[i].value, s, false, &value))
			add_field(to, list->v[i].name, buf_str(&value));
	}
}

/* Variables in the order in which they are looked for. */
struct scopes {
	struct var since;
	struct api_scope own, given, more;
};

static void scopes_init(struct scopes *s, const struct endpoint *e,
			const struct request_facts *f)
{
	s->since = (struct var){ STR("since"), f->since };
	s->more = (struct api_scope){ &s->since, f->since.n ? 1 : 0, NULL, NULL };
	s->given = (struct api_scope){ e->params, e->n_params, &s->more, NULL };
	s->own = (struct api_scope){ f->params, f->n_params, &s->given, NULL };
}

enum status request_build(struct endpoint *e, const struct request_facts *f,
			  struct api_request *r, struct diag *why)
{
	const struct api_interaction *i = f->interaction;
	struct scopes s;

	reset(r);
	scopes_init(&s, e, f);
	if (page_is_link(&i->paginate, f->page)) {
		buf_add(&r->url, f->page);
	} else {
		buf_add(&r->url, e->base);
		if (i->path.is_set && !template_add(&i->path, &s.own, true, &r->url))
			return diag_fail(why, ST_NOT_FOUND,
					 "a parameter of the path is missing");
		TRY(add_params(f, &s.own, &r->url, why));
	}
	buf_add(&r->fields,
		i->format == FORMAT_FEED
			? STR("Accept: application/feed+json, application/atom+xml,"
			      " application/rss+xml, application/xml;q=0.9, "
			      "*/*;q=0.5\r\n")
			: STR("Accept: application/json\r\n"));
	add_fields(&e->service->fields, &s.own, &r->fields);
	add_fields(&i->fields, &s.own, &r->fields);
	r->is_post = i->is_post;
	if (i->is_post && i->body.is_set &&
	    template_add(&i->body, &s.own, false, &r->body))
		buf_add(&r->fields, STR("Content-Type: application/json\r\n"));
	add_credentials(e, r);
	if (i->format == FORMAT_WEBSOCKET)
		websocket_add_fields(buf_str(&r->url), &r->fields);
	return r->url.n <= FETCH_URL_MAX
		       ? ST_OK
		       : diag_fail(why, ST_TOO_LARGE, "a URL of more than %d bytes",
				   FETCH_URL_MAX);
}

static void add_form(const struct api_auth *a, const struct api_scope *s, struct buf *to)
{
	struct json_out o = { .to = to };

	if (a->as_json)
		json_open(&o, '{');
	for (size_t k = 0; k < a->form.n; k++) {
		cleanup(buf_release) struct buf value = { 0 };

		if (a->client_by_basic && str_starts(a->form.v[k].name, STR("client_")))
			continue;
		if (!template_add(&a->form.v[k].value, s, false, &value))
			continue;
		if (a->as_json) {
			json_key(&o, a->form.v[k].name);
			json_add_str(&o, buf_str(&value));
			continue;
		}
		if (to->n > 0)
			buf_add_char(to, '&');
		buf_add_component(to, a->form.v[k].name);
		buf_add_char(to, '=');
		buf_add_component(to, buf_str(&value));
	}
	if (a->as_json)
		json_close(&o, '}');
}

enum status request_build_login(struct endpoint *e, struct api_request *r,
				struct diag *why)
{
	static const char *const names[] = { "user", "password", "client_id",
					     "client_secret", "refresh_token" };
	const struct api_auth *a = &e->service->auth;
	struct var vars[COUNT(names)];
	struct api_scope given = { e->params, e->n_params, NULL, NULL };
	struct api_scope s = { vars, 0, &given, NULL };

	reset(r);
	for (size_t i = 0; i < COUNT(names); i++) {
		struct str value = secret(e, names[i]);

		if (value.n > 0)
			vars[s.n++] = (struct var){ str_from(names[i]), value };
	}
	if (!template_add(&a->token_url, &s, false, &r->url))
		return diag_fail(why, ST_NOT_FOUND, "the URL for tokens is incomplete");
	r->is_post = true;
	buf_add(&r->fields, STR("Accept: application/json\r\n"));
	buf_add(&r->fields,
		a->as_json ? STR("Content-Type: application/json\r\n")
			   : STR("Content-Type: application/x-www-form-urlencoded\r\n"));
	if (a->client_by_basic)
		add_basic(e, secret(e, "client_id"), secret(e, "client_secret"),
			  &r->fields);
	add_fields(&e->service->fields, &given, &r->fields);
	add_form(a, &s, &r->body);
	return ST_OK;
}
