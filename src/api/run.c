#include "api/run.h"

#include <stdlib.h>

#include "api/run_internal.h"
#include "base/alloc.h"
#include "url/url.h"

#define COMMIT_MS   1000
#define PENDING_MAX ((size_t)32 << 20) /* bytes that wait for a commit */
#define FLIGHTS_MAX 256
#define STEP_MS     500 /* at least so often it is asked whether to stop */

static struct flight *take_flight(struct api_run *r)
{
	struct flight *f = r->pool;

	if (f)
		r->pool = f->next;
	else
		f = NEW(struct flight);
	f->next = NULL;
	f->run = r;
	r->in_flight++;
	return f;
}

static void start(struct api_run *r, struct flight *f)
{
	f->task = (struct fetch_task){
		.url = buf_str(&f->request.url),
		.fields = buf_str(&f->request.fields),
		.post = f->request.is_post ? buf_str(&f->request.body)
					   : (struct str){ NULL, 0 },
		.slice_ms = f->slice_ms,
	};
	r->fetcher->ops->start(r->fetcher, &f->task, &f->arena, &f->body, f);
}

/* A request that cannot be built will never be: the stream failed. */
static enum status send_page(struct api_run *r, const struct work_next *next,
			     struct diag *why)
{
	struct stream *s = &r->work.streams[next->stream];
	struct endpoint *e = &r->endpoints[s->endpoint];
	struct request_facts facts = {
		.interaction = &e->service->interactions[s->interaction],
		.params = s->params,
		.n_params = s->n_params,
		.page = str_from(s->page),
		.since = str_from(s->since),
	};
	struct flight *f = take_flight(r);
	struct diag cause;

	f->stream = next->stream;
	f->endpoint = s->endpoint;
	f->kind = FLIGHT_PAGE;
	f->slice_ms = (uint32_t)facts.interaction->paginate.slice_ms;
	if (request_build(e, &facts, &f->request, &cause) == ST_OK) {
		start(r, f);
		return ST_OK;
	}
	r->in_flight--;
	f->next = r->pool;
	r->pool = f;
	work_answered(&r->work, next->stream,
		      &(struct page_report){ .kind = ANSWER_SKIP }, api_run_now(r));
	s = &r->work.streams[next->stream];
	return folder_add_page(&r->folders[s->campaign], s->nr, s, STR(""), why);
}

static enum status login(struct api_run *r, const struct work_next *next,
			 struct diag *why)
{
	struct flight *f = take_flight(r);

	f->endpoint = next->endpoint;
	f->kind = FLIGHT_LOGIN;
	f->slice_ms = 0;
	TRY(request_build_login(&r->endpoints[next->endpoint], &f->request, why));
	start(r, f);
	return ST_OK;
}

/* New links go to the web crawl; the replay of a campaign tells nobody. */
static void hand_over(struct api_run *r)
{
	struct url u;
	cleanup(buf_release) struct buf scratch = { 0 };

	if (!r->handover.crawl_dir || r->handover.is_sending || r->options->replay)
		return;
	struct flight *f = take_flight(r);
	f->kind = FLIGHT_LINKS;
	f->slice_ms = 0;
	if (handover_next(&r->handover, r->folders, api_run_now(r), &f->request) &&
	    url_parse(buf_str(&f->request.url), NULL, &scratch, &u, NULL) == ST_OK) {
		r->fetcher->ops->allow_seed(r->fetcher, &u); /* a server of our own */
		start(r, f);
		return;
	}
	r->in_flight--;
	f->next = r->pool;
	r->pool = f;
}

static void renew_tokens(struct api_run *r)
{
	for (size_t i = 0; i < r->work.n_endpoints; i++)
		if (endpoint_wants_token(&r->endpoints[i], api_run_now(r)))
			r->work.endpoints[i].wants_token = true;
}

/* All that may be sent now; `ret` is then a wait, or the end. */
static enum status send_all(struct api_run *r, struct work_next *ret, struct diag *why)
{
	for (;;) {
		renew_tokens(r);
		if (r->in_flight >= FLIGHTS_MAX || r->is_stopping) {
			*ret = (struct work_next){ .kind = WORK_WAIT,
						   .until_ms = INT64_MAX };
			return ST_OK;
		}
		TRY(work_next(&r->work, api_run_now(r), ret, why));
		if (ret->kind == WORK_SEND)
			TRY(send_page(r, ret, why));
		else if (ret->kind == WORK_LOGIN)
			TRY(login(r, ret, why));
		else
			return ST_OK;
		if (r->st != ST_OK)
			return diag_fail(why, r->st, "%s", r->why.text);
	}
}

static bool is_commit_due(const struct api_run *r)
{
	size_t pending = 0;

	for (size_t i = 0; i < r->n; i++)
		for (unsigned k = 0; k < FOLDER_LISTS; k++)
			pending += r->folders[i].lists[k].pending.n;
	return pending > PENDING_MAX ||
	       clock_mono_ms(r->outside->clock) - r->committed_ms >= COMMIT_MS;
}

static enum status wait_until(struct api_run *r, int64_t until_ms, struct diag *why)
{
	int64_t wait = until_ms == INT64_MAX ? STEP_MS : until_ms - api_run_now(r);

	if (r->outside->pass_time) {
		if (r->in_flight > 0 && r->fetcher->ops->in_flight(r->fetcher) > 0)
			return loop_step(&r->loop, 0, why);
		r->outside->pass_time(r->outside->arg, MAX(wait, (int64_t)1));
		return ST_OK;
	}
	return loop_step(&r->loop, MAX(MIN(wait, (int64_t)STEP_MS), (int64_t)0), why);
}

static enum status run_all(struct api_run *r, struct diag *why)
{
	struct work_next next;
	int64_t round_ms;

	for (;;) {
		TRY(api_run_begin_rounds(r, &round_ms, why));
		TRY(send_all(r, &next, why));
		if (r->options->progress && !r->is_stopping &&
		    !r->options->progress(r->options->arg, &r->work)) {
			r->is_stopping = true;
			continue;
		}
		if (r->is_stopping && r->in_flight == 0)
			return ST_OK;
		if (next.kind == WORK_DONE && r->in_flight == 0) {
			TRY(api_run_end_rounds(r, why));
			TRY(api_run_commit(r, true, why));
			hand_over(r);
			if (r->in_flight > 0)
				continue; /* the last links are on their way */
			if (round_ms == INT64_MAX) {
				TRY(api_run_begin_rounds(r, &round_ms, why));
				if (r->work.pending > 0)
					continue;
			}
			if (round_ms == INT64_MAX)
				return ST_OK;
			next.until_ms = round_ms;
		}
		if (is_commit_due(r)) {
			TRY(api_run_end_rounds(r, why)); /* others may go on for ever */
			TRY(api_run_commit(r, false, why));
			hand_over(r);
		}
		TRY(wait_until(r, MIN(next.until_ms, round_ms), why));
		if (r->st != ST_OK)
			return diag_fail(why, r->st, "%s", r->why.text);
	}
}

static void add_up(const struct api_run *r, struct api_result *ret)
{
	uint64_t *to = (uint64_t *)&ret->counts;

	*ret = (struct api_result){ 0 };
	for (size_t i = 0; i < r->n; i++) {
		const uint64_t *from = (const uint64_t *)&r->work.counts[i];

		for (size_t k = 0; k < sizeof(ret->counts) / sizeof(*to); k++)
			to[k] += from[k];
	}
	for (size_t i = 0; i < r->work.n; i++)
		if (r->work.streams[i].end == END_LIMIT)
			ret->end = API_LIMIT;
	if (ret->end == API_COMPLETE && ret->counts.failed > 0)
		ret->end = API_PARTIAL;
	if (r->is_stopping)
		ret->end = API_INTERRUPTED;
}

static enum status finish(struct api_run *r, struct diag *why)
{
	TRY(api_run_commit(r, true, why));
	for (size_t i = 0; i < r->n; i++)
		TRY(folder_close(&r->folders[i], why));
	return ST_OK;
}

enum status api_run(const struct api_outside *outside, const struct campaign *campaigns,
		    size_t n, const struct api_run_options *options,
		    struct api_result *ret, struct diag *why)
{
	struct api_run r = {
		.outside = outside, .options = options, .campaigns = campaigns, .n = n
	};
	enum status st = api_run_open(&r, why);

	if (st == ST_OK)
		st = run_all(&r, why);
	if (st == ST_OK) {
		add_up(&r, ret);
		st = finish(&r, why);
	}
	api_run_release(&r);
	return st;
}
