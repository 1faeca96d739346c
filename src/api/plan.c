#include "api/plan.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "service/request.h"

#define DAY_MS  ((uint64_t)86400000)
#define HOUR_MS ((uint64_t)3600000)

void campaign_plan_release(struct campaign_plan *p)
{
	free(p->v);
	arena_release(&p->arena);
	*p = (struct campaign_plan){ 0 };
}

/* How many streams an interaction begins with. */
static uint64_t streams_of(const struct campaign *c, const struct campaign_service *s,
			   size_t i)
{
	const struct api_interaction *x = &s->service->interactions[i];
	uint64_t n = 0;

	if (!s->begins[i])
		return 0;
	if (x->by_entity)
		return c->entities.n;
	if (!x->by_keyword)
		return 1;
	for (size_t k = 0; k < c->keywords.n; k++)
		n += campaign_wants(c, c->keywords.v[k], s);
	return n;
}

static struct campaign_plan_row *row_of(struct campaign_plan *p, const struct endpoint *e,
					const struct api_budget *b)
{
	for (size_t i = 0; i < p->n; i++)
		if (str_eq(p->v[i].host, e->host) && str_eq(p->v[i].bucket, b->bucket))
			return &p->v[i];
	VEC_ADD(p->v, p->n, p->cap,
		(struct campaign_plan_row){ .host = arena_copy(&p->arena, e->host),
					    .service = e->service->name,
					    .bucket = b->bucket,
					    .per_day = UINT64_MAX,
					    .per_hour = UINT64_MAX });
	return &p->v[p->n - 1];
}

static uint64_t rounds_of(const struct campaign *c)
{
	return c->every_ms ? MAX(DAY_MS / c->every_ms, (uint64_t)1) : 1;
}

/* Windows longer than a day are spread over their days. */
static uint64_t allowed(const struct api_budget *b, uint64_t span_ms)
{
	return (uint64_t)((double)b->limit * (double)span_ms / (double)b->window_ms);
}

/* Streams one after the other, as long as they fit. */
static void add_streams(struct campaign_plan_row *row, const struct campaign *c,
			uint64_t n, uint64_t each)
{
	uint64_t left = row->per_day - MIN(row->need, row->per_day);
	uint64_t fit = row->first_out.n ? 0 : MIN(n, left / each);

	row->need += n * each;
	row->streams += n;
	row->fit += fit;
	row->more = fit == n ? left / each - n : 0;
	if (fit < n && row->first_out.n == 0)
		row->first_out = c->name;
}

static void add_budget(struct campaign_plan *p, const struct campaign *c,
		       const struct campaign_service *s, const struct endpoint *e,
		       const struct api_budget *b)
{
	struct campaign_plan_row *row = row_of(p, e, b);
	uint64_t rounds = rounds_of(c);

	row->per_day = MIN(row->per_day, allowed(b, DAY_MS));
	row->per_hour = MIN(row->per_hour, allowed(b, HOUR_MS));
	row->rounds = MAX(row->rounds, rounds);
	for (size_t i = 0; i < s->service->n; i++) {
		const struct api_interaction *x = &s->service->interactions[i];
		uint64_t n = streams_of(c, s, i);

		if (n > 0 && (str_eq(b->match, STR("*")) || str_eq(b->match, x->name)))
			add_streams(row, c, n, x->expect * b->cost * rounds);
	}
}

enum status campaign_plan_make(struct campaign_plan *p, const struct campaign *campaigns,
			       size_t n, struct diag *why)
{
	cleanup(secrets_release) struct secrets none = { 0 };

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < campaigns[i].n; k++) {
			const struct campaign_service *s = &campaigns[i].services[k];
			struct endpoint e;

			TRY(endpoint_make(&e, s->service, s->params, s->n_params, &none,
					  &p->arena, why));
			for (size_t b = 0; b < s->service->n_budgets; b++)
				add_budget(p, &campaigns[i], s, &e,
					   &s->service->budgets[b]);
		}
	return ST_OK;
}

/* --- the requests --- */

static enum status add_request(struct endpoint *e, const struct api_interaction *x,
			       const struct var *v, struct buf *to, struct diag *why)
{
	struct api_request r = { 0 };
	cleanup(buf_release) struct buf clean = { 0 };
	enum status st = request_build(e,
				       &(struct request_facts){ .interaction = x,
								.params = v,
								.n_params = v ? 1 : 0 },
				       &r, why);

	if (st == ST_OK) {
		buf_add(to, r.is_post ? STR("POST ") : STR("GET "));
		buf_add(to, secrets_redact(e->secrets, buf_str(&r.url), &clean));
		buf_add_char(to, '\n');
	}
	api_request_release(&r);
	return st;
}

static enum status add_service(const struct campaign *c, const struct campaign_service *s,
			       struct secrets *secrets, struct buf *to, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct endpoint e;

	TRY(endpoint_make(&e, s->service, s->params, s->n_params, secrets, &a, why));
	for (size_t i = 0; i < s->service->n; i++) {
		const struct api_interaction *x = &s->service->interactions[i];
		const struct str_list *words =
			x->by_keyword ? &c->keywords : &c->entities;

		if (!s->begins[i])
			continue;
		if (!x->by_keyword && !x->by_entity)
			TRY(add_request(&e, x, NULL, to, why));
		for (size_t w = 0; (x->by_keyword || x->by_entity) && w < words->n; w++) {
			struct var v = { x->by_keyword ? STR("keyword") : STR("entity"),
					 words->v[w] };

			if (!x->by_keyword || campaign_wants(c, words->v[w], s))
				TRY(add_request(&e, x, &v, to, why));
		}
	}
	return ST_OK;
}

enum status campaign_plan_add_requests(const struct campaign *campaigns, size_t n,
				       struct secrets *secrets, struct buf *to,
				       struct diag *why)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < campaigns[i].n; k++)
			TRY(add_service(&campaigns[i], &campaigns[i].services[k], secrets,
					to, why));
	return ST_OK;
}
