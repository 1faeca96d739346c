/*
 * answered.c - the end of a transfer: free its place, retry, or hand it on.
 */
#include "base/alloc.h"
#include "engine/app_views.h"
#include "engine/steps.h"

static void retry(struct crawl *c, struct crawl_item *i, enum reason reason)
{
	struct diag why;
	enum status st = frontier_requeue(&c->frontier, &i->step, &why);

	c->counts.retries++;
	watch_retry(&c->watch, i);
	c->counts.received_bytes += i->result.wire_bytes;
	journal_batch_add(c, &(struct journal_record){
				     .kind = JOURNAL_RETRY,
				     .dropped = { .url = i->step.task.url,
						  .detail = i->result.error,
						  .key = i->step.task.key,
						  .now_ms = clock_wall_ms(c->clock),
						  .code = i->result.code,
						  .purpose = i->step.task.purpose,
						  .reason = (uint16_t)reason } });
	if (st != ST_OK)
		crawl_fail(c, st, &why);
	crawl_give_item(c, i);
}

/* Its host asked for a pause before it was sent: for the journal it never left. */
static void put_back(struct crawl *c, struct crawl_item *i)
{
	struct diag why;
	enum status st = frontier_put_back(&c->frontier, &i->step, &why);

	c->counts.requests--;
	c->idle_until_ms = 0;
	if (st != ST_OK)
		crawl_fail(c, st, &why);
	crawl_give_item(c, i);
}

bool crawl_may_send(void *ctx, void *cookie)
{
	struct crawl *c = ctx;
	const struct crawl_item *i = cookie;

	crawl_clock_look(&c->time);
	return frontier_may_send(&c->frontier, i->step.site, crawl_time_ms(c));
}

static void free_its_place(struct crawl *c, const struct crawl_item *i)
{
	const struct fetch_result *r = &i->result;
	uint32_t duration_ms =
		crawl_clock_answered(&c->time, r->duration_ms, c->settings->delay_factor);

	frontier_fetched(
		&c->frontier, i->step.site,
		&(struct answer){
			.end_ms = crawl_time_ms(c),
			.duration_ms = duration_ms,
			.retry_after_ms = i->retry_after_ms,
			.kind = answer_is_trouble(r->code) ? ANSWER_TROUBLE : ANSWER_FINE,
			.is_silent = r->code <= 0,
		},
		r->wire_bytes);
}

/* Whether there is anybody. */
static void note_reach(struct crawl *c, const struct crawl_item *i)
{
	const struct fetch_result *r = &i->result;

	if (r->code > 0)
		unreachable_forget(&c->unreachable, i->step.site);
	else if (!c->aborting) {
		unreachable_note(&c->unreachable, i->step.site,
				 c->frontier.sites.v[i->step.site].origin, r->cause,
				 r->error);
		if (!c->frontier.has_contact)
			unreachable_say_first(&c->unreachable);
		crawl_render_unreachable(c, i->step.site);
	}
}

/* What the decision depends on and the archive does not have; of a played crawl: from
 * its record. */
static bool note_answer(struct crawl *c, struct crawl_item *i)
{
	const struct fetch_result *r = &i->result;
	const struct trace_event *played = crawl_played(c);
	struct trace_event e = { .kind = TRACE_ANSWER,
				 .request = i->request,
				 .code = r->code,
				 .cause = r->cause,
				 .truncated = r->truncated,
				 .duration_ms = r->duration_ms,
				 .retry_after_ms = i->retry_after_ms,
				 .wire_bytes = r->wire_bytes,
				 .error = r->error };

	if (played) {
		i->retry_after_ms = played->retry_after_ms;
		return played->sets_cookie;
	}
	e.sets_cookie = cookies_want_again(&c->cookies, &i->step.task, &i->head, r->code);
	crawl_event(c, &e);
	return e.sets_cookie;
}

static struct answer_decision decide_answer(struct crawl *c, const struct crawl_item *i,
					    bool sets_cookie)
{
	return policy_answer(&(struct answer_facts){
		.code = i->result.code,
		.truncated = i->result.truncated,
		.purpose = i->step.task.purpose,
		.attempt = i->step.task.attempt,
		.retries = i->step.task.purpose == PURPOSE_RENDER_REQUEST
				   ? 0 /* a page waits */
				   : (unsigned)c->settings->retries,
		.cannot_pass = i->result.cause != CAUSE_NONE &&
			       !fetch_cause_of(i->result.cause)->may_pass,
		.sets_cookie = sets_cookie,
	});
}

void crawl_fetched(void *ctx, void *cookie, struct fetch_result *r)
{
	struct crawl *c = ctx;
	struct crawl_item *i = cookie;

	if (r->code == FETCH_DEFERRED) {
		crawl_event(c, &(struct trace_event){ .kind = TRACE_DEFERRED,
						      .request = i->request });
		put_back(c, i);
		return;
	}
	i->result = *r;
	i->result.task = &i->step.task;
	harvest_head(i);
	cookies_take(&c->cookies, &i->step.task, &i->head, clock_wall_ms(c->clock));
	bool sets_cookie = note_answer(c, i);
	free_its_place(c, i);
	note_reach(c, i);
	c->idle_until_ms = 0;
	if (c->aborting) { /* we ended it ourselves: it is fetched another time */
		crawl_give_item(c, i);
		return;
	}
	struct answer_decision d = decide_answer(c, i, sets_cookie);
	if (d.action == ANSWER_RETRY) {
		retry(c, i, d.reason);
		return;
	}
	counts_add_answer(&c->counts, r->code, r->wire_bytes);
	if (crawl_render_answered(c, i))
		return;
	crawl_render_hint(c, i);
	crawl_attach_buffers(c, i);
	if (i->step.task.purpose == PURPOSE_ROBOTS)
		crawl_robots_fetched(c, i);
	app_views_prepare(c, i);
	i->no_guesses = !guesses_are_worth(&c->guesses, i->step.site);
	i->stage = ITEM_DIGESTING;
	crawl_to_workers(c, i);
}
