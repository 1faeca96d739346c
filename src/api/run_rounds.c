/* Rounds: which streams a campaign begins with, and when. */
#include <string.h>

#include "api/run_internal.h"
#include "base/date.h"
#include "kb/facts.h"

static struct saved_stream saved_of(const struct api_run *r, const struct stream_start *s,
				    uint32_t nr)
{
	const struct endpoint *e = &r->endpoints[s->endpoint];

	return (struct saved_stream){
		.nr = nr,
		.endpoint = r->endpoint_ids[s->endpoint],
		.interaction = e->service->interactions[s->interaction].name,
		.page = s->page,
		.since = s->since,
		.params = (struct var *)(uintptr_t)s->params,
		.n_params = s->n_params,
		.is_root = s->is_root,
	};
}

enum status api_run_add_stream(struct api_run *r, const struct stream_start *s,
			       struct diag *why)
{
	struct campaign_folder *f = &r->folders[s->campaign];
	uint32_t id = work_add(&r->work, s);

	if (id == UINT32_MAX)
		return ST_OK; /* this run has it already */
	r->work.streams[id].nr = (uint32_t)f->n;
	struct saved_stream saved = saved_of(r, s, (uint32_t)f->n++);
	return folder_add_stream(f, &saved, why);
}

enum status api_run_begin_stream(struct api_run *r, const struct stream_start *start,
				 struct diag *why)
{
	struct stream_start s = *start;
	struct str cursor =
		folder_cursor(&r->folders[s.campaign], stream_key(&r->work, &s));
	cleanup(buf_release) struct buf since = { 0 };

	if (cursor.n > 0)
		increment_since(cursor, &since);
	s.since = buf_str(&since);
	return api_run_add_stream(r, &s, why);
}

/* --- the first streams --- */

static enum status begin_root(struct api_run *r, uint32_t campaign, uint32_t endpoint,
			      size_t interaction, const struct var *v, struct diag *why)
{
	struct stream_start s = { .campaign = campaign,
				  .endpoint = endpoint,
				  .interaction = (uint32_t)interaction,
				  .params = v,
				  .n_params = v ? 1 : 0,
				  .is_root = true };
	return api_run_begin_stream(r, &s, why);
}

static enum status begin_service(struct api_run *r, uint32_t campaign, size_t k,
				 struct diag *why)
{
	const struct campaign *c = &r->campaigns[campaign];
	const struct campaign_service *s = &c->services[k];
	uint32_t endpoint = r->first_endpoint[campaign] + (uint32_t)k;

	for (size_t i = 0; i < s->service->n; i++) {
		const struct api_interaction *x = &s->service->interactions[i];
		const struct str_list *words =
			x->by_keyword ? &c->keywords : &c->entities;

		if (!s->begins[i])
			continue;
		if (!x->by_keyword && !x->by_entity) {
			TRY(begin_root(r, campaign, endpoint, i, NULL, why));
			continue;
		}
		for (size_t w = 0; w < words->n; w++) {
			struct var v = { x->by_keyword ? STR("keyword") : STR("entity"),
					 words->v[w] };

			if (!x->by_keyword || campaign_wants(c, words->v[w], s))
				TRY(begin_root(r, campaign, endpoint, i, &v, why));
		}
	}
	return ST_OK;
}

/* The campaign as a thing of its own graph. */
static void describe(struct api_run *r, uint32_t campaign)
{
	const struct campaign *c = &r->campaigns[campaign];
	struct buf *to = &r->folders[campaign].lists[LIST_TRIPLES].pending;
	struct statement s = { .subject = term_iri(c->graph),
			       .graph = term_iri(c->graph) };
	cleanup(buf_release) struct buf date = { 0 };

	s.predicate = term_iri(STR(RDF "type"));
	s.object = term_iri(STR(PROV "Activity"));
	statement_format(&s, to);
	s.predicate = term_iri(STR(SCHEMA "name"));
	s.object = term_string(c->name);
	statement_format(&s, to);
	buf_add_date_iso(&date, api_run_now(r), false);
	s.predicate = term_iri(STR(PROV "startedAtTime"));
	s.object = term_typed(buf_str(&date), STR(XSD "dateTime"));
	statement_format(&s, to);
	s.predicate = term_iri(STR(THRESH "keyword"));
	for (size_t i = 0; i < c->keywords.n; i++) {
		s.object = term_string(c->keywords.v[i]);
		statement_format(&s, to);
	}
}

/* --- what was begun by another process, or failed in an earlier round --- */

static bool find_endpoint(const struct api_run *r, uint32_t campaign, uint64_t id,
			  uint32_t *ret)
{
	for (uint32_t k = 0; k < r->campaigns[campaign].n; k++)
		if (r->endpoint_ids[r->first_endpoint[campaign] + k] == id) {
			*ret = r->first_endpoint[campaign] + k;
			return true;
		}
	return false;
}

static bool start_of(const struct api_run *r, uint32_t campaign,
		     const struct saved_stream *saved, struct stream_start *ret)
{
	uint32_t endpoint;

	if (!find_endpoint(r, campaign, saved->endpoint, &endpoint))
		return false; /* the campaign was changed meanwhile */
	const struct api_service *s = r->endpoints[endpoint].service;
	size_t i = api_service_find(s, saved->interaction);
	if (i == s->n)
		return false;
	*ret = (struct stream_start){ .campaign = campaign,
				      .endpoint = endpoint,
				      .interaction = (uint32_t)i,
				      .params = saved->params,
				      .n_params = saved->n_params,
				      .since = saved->since,
				      .page = saved->page,
				      .is_root = saved->is_root };
	return true;
}

static void resume_round(struct api_run *r, uint32_t campaign)
{
	struct campaign_folder *f = &r->folders[campaign];

	for (size_t i = 0; i < f->n; i++) {
		struct stream_start s;

		if (f->streams[i].state >= STREAM_DONE ||
		    !start_of(r, campaign, &f->streams[i], &s))
			continue;
		uint32_t id = work_add(&r->work, &s);
		if (id == UINT32_MAX)
			continue;
		struct stream *x = &r->work.streams[id];
		x->nr = (uint32_t)i;
		x->pages = f->streams[i].pages;
		x->last_page = f->streams[i].last_page;
		free(x->best);
		x->best = strndup(f->streams[i].best.p, f->streams[i].best.n);
	}
}

/* Chained streams have nobody who would begin them again: their item is known now. */
static enum status begin_failed(struct api_run *r, uint32_t campaign,
				const struct saved_stream *failed, size_t n,
				struct diag *why)
{
	for (size_t i = 0; i < n; i++) {
		struct stream_start s;

		if (failed[i].state != STREAM_FAILED || failed[i].is_root ||
		    !start_of(r, campaign, &failed[i], &s))
			continue;
		s.page = STR("");
		TRY(api_run_add_stream(r, &s, why));
	}
	return ST_OK;
}

/* Streams of the round before that are still in memory, as the journal has them. */
static size_t gather_failed(struct api_run *r, uint32_t campaign,
			    struct saved_stream **ret)
{
	struct work *w = &r->work;
	struct saved_stream *v = arena_alloc(&r->arena, sizeof(*v) * (w->n + 1));
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		struct stream *s = &w->streams[i];

		if (s->campaign != campaign)
			continue;
		map_remove(&w->by_key, stream_run_key(s->key, campaign));
		if (s->state != STREAM_FAILED || s->is_root || !s->page)
			continue;
		struct stream_start start = { .endpoint = s->endpoint,
					      .interaction = s->interaction,
					      .params = s->params,
					      .n_params = s->n_params,
					      .since = str_from(s->since) };
		v[n] = saved_of(r, &start, 0);
		v[n++].state = STREAM_FAILED;
	}
	*ret = v;
	return n;
}

char *api_run_again(struct api_run *r, uint32_t campaign)
{
	return path_join(&r->arena, r->folders[campaign].dir, STR("state/again"));
}

static enum status begin_round(struct api_run *r, uint32_t campaign, struct diag *why)
{
	struct campaign_folder *f = &r->folders[campaign];
	struct saved_stream *failed = f->streams;
	size_t n = f->n;

	if (r->work.counts[campaign].requests > 0 || !failed)
		n = gather_failed(r, campaign, &failed);
	if (r->again[campaign])
		TRY(file_remove(api_run_again(r, campaign), why));
	r->again[campaign] = false;
	TRY(folder_begin_round(f, api_run_now(r), why));
	f->n = 0;
	describe(r, campaign);
	for (size_t k = 0; k < r->campaigns[campaign].n; k++)
		TRY(begin_service(r, campaign, k, why));
	return begin_failed(r, campaign, failed, n, why);
}

/* --- when --- */

static bool is_over(const struct api_run *r, const struct campaign *c)
{
	return c->stop_ms && api_run_now(r) >= c->stop_ms;
}

/* INT64_MAX: never again in this run. */
static int64_t round_due(const struct api_run *r, uint32_t i)
{
	const struct campaign *c = &r->campaigns[i];
	const struct campaign_folder *f = &r->folders[i];
	bool ran = r->work.counts[i].requests > 0;

	if (is_over(r, c) || (ran && (r->options->once || c->every_ms == 0)))
		return INT64_MAX;
	if (r->options->is_hosted && f->round > 0 && c->every_ms == 0 && !r->again[i])
		return INT64_MAX;
	if (f->round == 0 || r->options->once || c->every_ms == 0)
		return MAX(c->start_ms, (int64_t)0);
	return MAX(c->start_ms, f->round_ms + (int64_t)c->every_ms);
}

/* What a round may take; the time of the campaign's end holds for all. */
static void set_limits(struct api_run *r, uint32_t i)
{
	const struct campaign *c = &r->campaigns[i];
	const struct work_counts *n = &r->work.counts[i];
	int64_t until =
		c->max_time_ms ? api_run_now(r) + (int64_t)c->max_time_ms : INT64_MAX;

	if (c->stop_ms)
		until = MIN(until, c->stop_ms);
	r->work.limits[i] =
		(struct work_limits){ .max_requests = c->max_requests,
				      .max_items = c->max_items,
				      .saturation = c->saturation,
				      .until_ms = until == INT64_MAX ? 0 : until,
				      .round = r->folders[i].round,
				      .requests_before = n->requests,
				      .items_before = n->new_items };
}

enum status api_run_begin_rounds(struct api_run *r, int64_t *ret_next_ms,
				 struct diag *why)
{
	*ret_next_ms = INT64_MAX;
	for (uint32_t i = 0; i < r->n; i++) {
		if (r->is_begun[i] || r->is_stopping)
			continue;
		bool resumes = r->folders[i].round > 0 && !r->folders[i].round_ended;
		int64_t due = resumes ? 0 : round_due(r, i);
		if (due > api_run_now(r)) {
			*ret_next_ms = MIN(*ret_next_ms, due);
			continue;
		}
		set_limits(r, i);
		if (resumes)
			resume_round(r, i);
		else
			TRY(begin_round(r, i, why));
		r->is_begun[i] = true;
	}
	return ST_OK;
}

enum status api_run_end_rounds(struct api_run *r, struct diag *why)
{
	for (uint32_t i = 0; i < r->n; i++) {
		bool pending = false;

		for (size_t k = 0; k < r->work.n && r->is_begun[i] && !pending; k++)
			pending = r->work.streams[k].campaign == i &&
				  r->work.streams[k].state < STREAM_DONE;
		if (!r->is_begun[i] || pending)
			continue;
		r->is_begun[i] = false;
		TRY(folder_end_round(&r->folders[i], why));
	}
	return ST_OK;
}
