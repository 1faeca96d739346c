/*
 * The way out of the frontier: whose turn it is, and whether he may.
 */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "frontier/internal.h"

#define SITES_A_TURN 64 /* looked at before a domain with very many goes to the end */

enum try_result {
	TRY_NOTHING, /* not now: when, is in `earliest_ms` */
	TRY_STEP,    /* `ret` is filled */
};

struct attempt {
	struct frontier *f;
	struct arena *a;
	struct frontier_step *ret;
	struct diag *why;
	int64_t now_ms;
	int64_t earliest_ms; /* of what could not be asked now */
	enum status st;
};

/* --- one URL of an open site --- */

static void fill_task(struct attempt *t, uint32_t site, const struct queued *item,
		      const struct queued_url *q)
{
	*t->ret = (struct frontier_step){
		.site = site,
		.off_hops = q->off_hops,
		.task = {
			.url = q->url,
			.key = item->key,
			.via = q->via,
			.hops = q->hops,
			.source = intern_str(&t->f->sources, q->source),
			.depth = q->depth,
			.priority = item->priority,
			.attempt = q->attempt,
			.purpose = q->purpose,
			.scores = q->scores,
		},
	};
}

static enum try_result wait_until(struct attempt *t, int64_t ms)
{
	t->earliest_ms = MIN(t->earliest_ms, ms);
	return TRY_NOTHING;
}

void frontier_start(struct frontier *f, uint32_t site, int64_t now_ms)
{
	lanes_start(&f->lanes, &f->sites.v[site].lanes, now_ms);
	f->in_flight++;
}

/* Take the best URL of the site and put its task into `ret`. */
static bool take_task(struct attempt *t, uint32_t site, struct queued *item,
		      struct queued_url *q)
{
	struct site *s = &t->f->sites.v[site];

	t->st = queue_store_take(&t->f->queues, &s->queue, &t->f->scratch[3], item,
				 t->why);
	if (t->st == ST_OK)
		t->st = queued_url_decode(item->payload, s->origin, t->a, q);
	if (t->st == ST_OK)
		fill_task(t, site, item, q);
	return t->st == ST_OK;
}

struct template_key frontier_template(struct frontier *f, struct str url)
{
	struct url u;

	return url_parse(url, NULL, &f->scratch[0], &u, NULL) == ST_OK
		       ? url_template_key(&u, &f->scratch[1])
		       : (struct template_key){ 0 };
}

/* The best URL of the site, with what is known of its site and its budgets. */
static enum try_result try_url(struct attempt *t, uint32_t site)
{
	struct frontier *f = t->f;
	const struct site *s = &f->sites.v[site];
	const struct domain *d = &f->sites.domains[s->domain];
	struct queued item;
	struct queued_url q;

	if (!take_task(t, site, &item, &q))
		return TRY_NOTHING;
	t->ret->kind = STEP_DUE;
	t->ret->dead_code = s->state == SITE_DEAD ? s->dead_code : 0;
	t->ret->budget = budget_reached(&f->budget, &s->spent, &d->spent, d->degree,
					q.purpose == PURPOSE_SITEMAP);
	t->ret->is_granted = item.granted;
	t->ret->is_again = q.is_again;
	return TRY_STEP;
}

/* --- one site --- */

static enum try_result ask_robots(struct attempt *t, uint32_t site)
{
	struct site *s = &t->f->sites.v[site];
	struct str path = STR("/robots.txt");
	char *p = arena_alloc(t->a, s->origin.n + path.n);

	memcpy(p, s->origin.p, s->origin.n);
	memcpy(p + s->origin.n, path.p, path.n);
	s->state = SITE_ASKING_ROBOTS;
	struct str url = { p, s->origin.n + path.n };
	*t->ret = (struct frontier_step){
		.kind = STEP_ROBOTS,
		.site = site,
		.task = { .url = url,
			  .key = hash128(url),
			  .hops = STR("P"),
			  .via = STR(""),
			  .source = STR(""),
			  .purpose = PURPOSE_ROBOTS },
	};
	frontier_start(t->f, site, t->now_ms);
	return TRY_STEP;
}

/* What was learnt of the site may be too old. */
static void expire(struct frontier *f, struct site *s, int64_t now_ms)
{
	if (s->state == SITE_OPEN && !f->settings.ignore_robots &&
	    s->robots_until_ms <= now_ms)
		s->state = SITE_NEEDS_ROBOTS;
	if ((s->state == SITE_OPEN || s->state == SITE_NEEDS_ROBOTS) &&
	    s->address_until_ms <= now_ms)
		s->state = SITE_NEW;
	if (s->state == SITE_NEEDS_ROBOTS && f->settings.ignore_robots)
		s->state = SITE_OPEN;
}

static enum try_result resolve(struct attempt *t, uint32_t site)
{
	t->f->sites.v[site].state = SITE_RESOLVING;
	t->f->resolving++;
	*t->ret = (struct frontier_step){ .kind = STEP_RESOLVE, .site = site };
	return TRY_STEP;
}

static enum try_result try_site(struct attempt *t, uint32_t site)
{
	struct frontier *f = t->f;
	struct site *s = &f->sites.v[site];
	uint32_t blocking;

	expire(f, s, t->now_ms);
	if (s->state == SITE_DEAD)
		return try_url(t, site);
	if (s->state == SITE_RESOLVING || s->state == SITE_ASKING_ROBOTS)
		return TRY_NOTHING; /* its answer will wake the domain */
	if (s->state == SITE_PAUSED)
		return TRY_NOTHING; /* frontier_revive_sites() will */
	if (s->blocked_until_ms > t->now_ms)
		return wait_until(t, s->blocked_until_ms);
	if (s->state == SITE_NEW)
		return resolve(t, site);
	int64_t ready = lanes_ready_ms(&f->lanes, &s->lanes, t->now_ms, &blocking);
	if (ready == INT64_MAX) {
		lane_wait(&f->lanes, blocking, s->domain);
		return TRY_NOTHING;
	}
	if (ready > t->now_ms)
		return wait_until(t, ready);
	return s->state == SITE_NEEDS_ROBOTS ? ask_robots(t, site) : try_url(t, site);
}

/* --- one domain --- */

static void unlist(struct frontier *f, struct domain *d, uint32_t i)
{
	f->sites.v[d->ring[i]].listed = false;
	d->ring[i] = d->ring[--d->n];
}

static enum try_result try_domain(struct attempt *t, uint32_t domain)
{
	struct domain *d = &t->f->sites.domains[domain];

	t->earliest_ms = INT64_MAX;
	if (d->is_away)
		return TRY_NOTHING; /* frontier_set_away() wakes it */
	for (unsigned tries = 0; tries < SITES_A_TURN && d->n > 0;) {
		uint32_t i = d->next % d->n, site = d->ring[i];

		if (t->f->sites.v[site].queue.live == 0) {
			unlist(t->f, d, i);
			continue;
		}
		tries++;
		enum try_result r = try_site(t, site);
		if (t->st != ST_OK)
			return r;
		d->next = i + 1;
		if (r == TRY_STEP)
			return r;
		if (tries >= d->n)
			return TRY_NOTHING;
	}
	/* More sites than a turn looks at: the others soon. */
	return d->n > 0 ? wait_until(t, t->now_ms + 5) : TRY_NOTHING;
}

/* --- when nobody can be asked --- */

/* One of those that stay held for ever: it is refused, so that it is written down. */
static enum status refuse_held(struct attempt *t, bool *ret_any)
{
	struct frontier *f = t->f;
	struct queued_url q;
	struct queued item;
	uint32_t n;

	*ret_any = false;
	for (uint32_t i = 0; i < f->sites.origins.n && f->queues.held > 0; i++) {
		struct site *s = &f->sites.v[i];
		uint32_t hold = 0;

		if (f->sites.domains[s->domain].is_away ||
		    !host_queue_next_hold(&s->queue, &hold))
			continue;
		TRY(queue_store_unhold_some(&f->queues, &s->queue, hold, 1, &n, t->why));
		if (n == 0) /* it was dropped */
			continue;
		TRY(queue_store_take(&f->queues, &s->queue, &f->scratch[3], &item,
				     t->why));
		TRY(queued_url_decode(item.payload, s->origin, t->a, &q));
		fill_task(t, i, &item, &q);
		t->ret->kind = STEP_REFUSE;
		t->ret->reason =
			hold == HELD_BY_HAND ? REASON_HELD_BY_HAND : REASON_TEMPLATE;
		*ret_any = true;
		return ST_OK;
	}
	return ST_OK;
}

static enum status nobody(struct attempt *t)
{
	struct frontier *f = t->f;
	bool any;

	*t->ret =
		(struct frontier_step){ .kind = STEP_WAIT,
					.until_ms = schedule_next_due_ms(&f->schedule) };
	if (f->in_flight > 0 || f->resolving > 0 || f->unjudged > 0 ||
	    t->ret->until_ms != INT64_MAX)
		return ST_OK;
	if (seen_is_waiting(&f->seen)) {
		seen_settle(&f->seen);
		t->ret->until_ms = t->now_ms + 5;
		return ST_OK;
	}
	if (f->is_shared && !f->may_sweep) {
		t->ret->kind = STEP_IDLE;
		return ST_OK;
	}
	if (frontier_revive_sites(f, t->now_ms)) {
		t->ret->until_ms = t->now_ms;
		return ST_OK;
	}
	TRY(refuse_held(t, &any));
	if (!any)
		t->ret->kind = STEP_IDLE;
	return ST_OK;
}

/* --- whose turn --- */

#define TURN_DOMAINS 64 /* that are compared */
#define TURN_SITES   8  /* of each */

static int best_of(const struct frontier *f, uint32_t domain)
{
	const struct domain *d = &f->sites.domains[domain];
	int best = -1;

	for (uint32_t k = 0; k < MIN(d->n, TURN_SITES); k++)
		best = MAX(best, host_queue_best(&f->sites.v[d->ring[k]].queue));
	return best;
}

/* Each in turn; or by priority the one with the best URL of those that are next. */
static bool take_turn(struct frontier *f, int64_t now_ms, uint32_t *ret)
{
	uint32_t v[TURN_DOMAINS];
	size_t n = 0, first = 0;
	int best = -2;

	if (!f->settings.by_priority)
		return schedule_take(&f->schedule, now_ms, ret);
	while (n < TURN_DOMAINS && schedule_take(&f->schedule, now_ms, &v[n])) {
		int own = best_of(f, v[n]);

		if (own > best) {
			best = own;
			first = n;
		}
		n++;
	}
	for (size_t k = 0; k < n; k++)
		if (k != first)
			schedule_ready(&f->schedule, v[k]);
	if (n > 0)
		*ret = v[first];
	return n > 0;
}

enum status frontier_next(struct frontier *f, int64_t now_ms, struct arena *a,
			  struct frontier_step *ret, struct diag *why)
{
	struct attempt t = { .f = f, .a = a, .ret = ret, .why = why, .now_ms = now_ms };
	enum reason limit = budget_total_reached(&f->budget, now_ms);
	uint32_t domain;

	if (limit != REASON_NONE) {
		*ret = (struct frontier_step){ .kind = STEP_LIMIT, .reason = limit };
		return ST_OK;
	}
	while (take_turn(f, now_ms, &domain)) {
		enum try_result r = try_domain(&t, domain);

		if (t.st != ST_OK)
			return t.st;
		if (r == TRY_STEP) {
			schedule_ready(&f->schedule, domain);
			return ST_OK;
		}
		/* In no list it would be forgotten unless a lane or an answer wakes it.
		 */
		if (t.earliest_ms != INT64_MAX)
			schedule_wait(&f->schedule, domain, t.earliest_ms);
	}
	return nobody(&t);
}
