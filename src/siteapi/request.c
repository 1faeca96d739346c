#include "siteapi/request.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "service/request.h"
#include "siteapi/siteapi.h"
#include "url/normal.h"
#include "url/percent.h"

#define PAIRS_MAX 64

enum status site_services_open(struct site_services **ret, struct diag *why)
{
	struct site_services *s = NEW(struct site_services);
	enum status st = ST_OK;

	for (const struct shipped_service *p = shipped_services; st == ST_OK && p->name;
	     p++) {
		const struct api_service *found;

		st = catalog_find(&s->catalog, str_from(p->name), &found, why);
		if (st == ST_OK && found->site.n_lists > 0 && s->n < SITE_SERVICES_MAX)
			s->v[s->n++] = found;
	}
	if (st == ST_OK)
		*ret = s;
	else
		site_services_close(s);
	return st;
}

void site_services_close(struct site_services *s)
{
	if (s)
		catalog_release(&s->catalog);
	free(s);
}

size_t site_services_n(const struct site_services *s)
{
	return s->n;
}

struct str site_application(const struct site_services *s, size_t nr)
{
	return s->v[nr]->site.application;
}

/* --- where it is --- */

static bool same_server(struct str a, struct str b)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct url x, y;
	bool is = url_parse(a, NULL, &scratch[0], &x, NULL) == ST_OK &&
		  url_parse(b, NULL, &scratch[1], &y, NULL) == ST_OK &&
		  url_same_origin(&x, &y);

	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	return is;
}

static bool find_instance(const struct api_service *s, struct str page_url,
			  struct str link, struct arena *a, struct str *ret)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct url u;

	if (s->site.n_find == 0 &&
	    url_parse(page_url, NULL, &scratch, &u, NULL) == ST_OK) {
		*ret = arena_copy(a, str_slice(u.href, 0, (size_t)(u.path.p - u.href.p)));
		return true;
	}
	for (size_t k = 0; k < s->site.n_find; k++) {
		size_t at = str_find(link, s->site.find[k]);

		if (at == STR_NONE || !same_server(page_url, link))
			continue;
		*ret = arena_copy(a, str_slice(link, 0, at));
		return true;
	}
	return false;
}

bool site_first_request(const struct site_services *s, size_t nr, struct str page_url,
			struct str link, struct arena *a, struct str *ret)
{
	struct site_request q = { .service = s->v[nr], .page = STR("") };

	return find_instance(s->v[nr], page_url, link, a, &q.instance) &&
	       site_request_format(&q, a, ret);
}

/* --- out --- */

static enum status build(const struct site_request *q, struct arena *a,
			 struct api_request *ret)
{
	const struct api_site_list *l = site_list(q);
	struct var instance = { STR("instance"), q->instance };
	struct endpoint e;

	TRY(endpoint_make(&e, q->service, &instance, 1, NULL, a, NULL));
	return request_build(&e,
			     &(struct request_facts){ .interaction = site_interaction(q),
						      .params = l->params,
						      .n_params = l->n_params,
						      .page = q->page,
						      .since = STR("") },
			     ret, NULL);
}

bool site_request_format(const struct site_request *q, struct arena *a, struct str *ret)
{
	cleanup(api_request_release) struct api_request r = { 0 };
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct url u;
	bool fine = build(q, a, &r) == ST_OK &&
		    url_parse_normal(buf_str(&r.url), NULL, NORMAL_STANDARD, scratch, &u,
				     NULL) == ST_OK;

	if (fine)
		*ret = arena_copy(a, url_without_fragment(&u));
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	return fine;
}

/* --- in --- */

struct pair {
	struct str name, value, text; /* decoded; `text` as it stands in the URL */
};

static struct str decoded(struct str s, struct arena *a)
{
	cleanup(buf_release) struct buf b = { 0 };

	for (size_t i = 0; i < s.n; i++) {
		int v = s.p[i] == '%' ? percent_value(str_skip(s, i)) : -1;

		if (v >= 0)
			i += 2;
		buf_add_char(&b, v >= 0 ? (char)v : s.p[i] == '+' ? ' ' : s.p[i]);
	}
	return arena_copy(a, buf_str(&b));
}

static size_t split_query(struct str url, struct arena *a, struct pair *v)
{
	size_t mark = str_find_char(url, '?'), n = 0;
	struct str rest = mark == STR_NONE ? STR("") : str_skip(url, mark + 1), text;

	while (n < PAIRS_MAX && str_take_until(&rest, '&', &text)) {
		size_t eq = str_find_char(text, '=');

		v[n++] = (struct pair){
			decoded(str_slice(text, 0, eq), a),
			decoded(eq == STR_NONE ? STR("") : str_skip(text, eq + 1), a),
			text
		};
	}
	return n;
}

static const struct pair *find(const struct pair *v, size_t n, struct str name)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(v[i].name, name))
			return &v[i];
	return NULL;
}

/* What the URL has besides the first request is the state of its page. */
static struct str page_state(const struct api_paginate *p, struct str url,
			     const struct pair *v, size_t n, const struct pair *first,
			     size_t n_first, struct arena *a)
{
	cleanup(buf_release) struct buf more = { 0 };
	const struct pair *own = p->param.n ? find(v, n, p->param) : NULL;

	if (own)
		return own->value;
	for (size_t i = 0; i < n; i++)
		if (!find(first, n_first, v[i].name)) {
			buf_add(&more, more.n ? STR("&") : STR(""));
			buf_add(&more, v[i].text);
		}
	if (p->kind == PAGE_LINK && more.n > 0)
		return arena_copy(a, url);
	return p->kind == PAGE_CONTINUE ? arena_copy(a, buf_str(&more)) : STR("");
}

static bool fits(struct str url, struct site_request *q, struct arena *a)
{
	const struct api_paginate *p = &site_interaction(q)->paginate;
	struct pair v[PAIRS_MAX], first[PAIRS_MAX];
	struct str begin;

	if (!site_request_format(q, a, &begin))
		return false;
	if (!str_eq(str_slice(url, 0, str_find_char(url, '?')),
		    str_slice(begin, 0, str_find_char(begin, '?'))))
		return false;
	size_t n = split_query(url, a, v), n_first = split_query(begin, a, first);
	for (size_t i = 0; i < n_first; i++) {
		const struct pair *same = find(v, n, first[i].name);

		if (!same || (!str_eq(same->value, first[i].value) &&
			      !str_eq(same->name, p->param)))
			return false;
	}
	q->page = page_state(p, url, v, n, first, n_first, a);
	return true;
}

/* What follows {instance} in the base URL, then the path: both without holes. */
static void add_tail(const struct api_service *s, const struct api_interaction *i,
		     struct buf *to)
{
	if (s->base_url.n > 1)
		buf_add(to, s->base_url.v[1].literal);
	if (i->path.n > 0)
		buf_add(to, i->path.v[0].literal);
}

bool site_request_parse(const struct site_services *s, struct str url, struct arena *a,
			struct site_request *ret)
{
	cleanup(buf_release) struct buf tail = { 0 };
	struct str place = str_slice(url, 0, str_find_char(url, '?'));

	for (size_t k = 0; k < s->n; k++)
		for (size_t l = 0; l < s->v[k]->site.n_lists; l++) {
			struct site_request q = { .service = s->v[k],
						  .list = l,
						  .page = STR("") };

			buf_reset(&tail);
			add_tail(s->v[k], site_interaction(&q), &tail);
			if (!str_ends(place, buf_str(&tail)))
				continue;
			q.instance = str_slice(place, 0, place.n - tail.n);
			if (fits(url, &q, a)) {
				*ret = q;
				return true;
			}
		}
	return false;
}
