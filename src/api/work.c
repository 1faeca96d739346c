#include "api/work.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

#define BACKOFF_MS      1000
#define BACKOFF_MOST_MS 300000

const char *const stream_end_words[STREAM_ENDS] = {
	[END_NOT] = "pending",
	[END_LAST_PAGE] = "last page",
	[END_KNOWN] = "nothing new",
	[END_SATURATED] = "saturated",
	[END_CIRCLE] = "cursor loop",
	[END_LIMIT] = "limit",
	[END_ATTEMPTS] = "no good answer",
	[END_REFUSED] = "client error",
	[END_DRIFT] = "schema drift",
	[END_STOPPED] = "service stopped",
};

/* --- memory --- */

void stream_forget(struct stream *s)
{
	for (size_t i = 0; i < s->n_params; i++)
		free((void *)(uintptr_t)s->params[i].name.p);
	free(s->params);
	free(s->page);
	free(s->since);
	free(s->best);
	s->params = NULL;
	s->n_params = 0;
	s->page = s->since = s->best = NULL;
}

void work_release(struct work *w)
{
	for (size_t i = 0; i < w->n; i++)
		stream_forget(&w->streams[i]);
	for (size_t i = 0; i < w->n_lanes; i++) {
		free(w->lanes[i].ready);
		free(w->lanes[i].delayed);
	}
	for (size_t i = 0; i < w->n_endpoints; i++) {
		for (size_t k = 0; k < w->endpoints[i].service->n; k++)
			free(w->endpoints[i].costs[k]);
		free(w->endpoints[i].costs);
		free(w->endpoints[i].n_costs);
	}
	free(w->streams);
	free(w->lanes);
	free(w->endpoints);
	free(w->limits);
	free(w->counts);
	map_release(&w->by_key);
	map_release(&w->visited);
	*w = (struct work){ 0 };
}

void work_init(struct work *w, struct quota *q, size_t campaigns)
{
	*w = (struct work){ .quota = q, .n_campaigns = campaigns };
	w->limits = xcalloc(campaigns + 1, sizeof(*w->limits));
	w->counts = xcalloc(campaigns + 1, sizeof(*w->counts));
}

static char *text_copy(struct str s)
{
	char *p = xrealloc(NULL, s.n + 1, 1);

	memcpy(p, s.p ? s.p : "", s.n);
	p[s.n] = '\0';
	return p;
}

/* Name and value in one piece of memory. */
static struct var var_copy(struct var v)
{
	char *p = xrealloc(NULL, v.name.n + v.value.n + 1, 1);

	memcpy(p, v.name.p, v.name.n);
	memcpy(p + v.name.n, v.value.p, v.value.n);
	return (struct var){ { p, v.name.n }, { p + v.name.n, v.value.n } };
}

static void text_set(char **to, struct str s)
{
	char *p = text_copy(s);

	free(*to);
	*to = p;
}

/* --- lanes --- */

uint32_t work_add_lane(struct work *w, struct str name, uint64_t concurrency,
		       uint64_t delay_ms)
{
	uint64_t key = hash64(name);

	for (size_t i = 0; i < w->n_lanes; i++)
		if (w->lanes[i].key == key) {
			w->lanes[i].concurrency =
				MIN(w->lanes[i].concurrency, concurrency);
			w->lanes[i].delay_ms = MAX(w->lanes[i].delay_ms, delay_ms);
			return (uint32_t)i;
		}
	VEC_ADD(w->lanes, w->n_lanes, w->lanes_cap,
		(struct work_lane){
			.key = key, .concurrency = concurrency, .delay_ms = delay_ms });
	return (uint32_t)(w->n_lanes - 1);
}

static size_t add_costs(struct work *w, const struct api_service *s, struct str prefix,
			size_t interaction, struct work_cost *to)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_budgets; i++) {
		const struct api_budget *b = &s->budgets[i];
		cleanup(buf_release) struct buf name = { 0 };

		if (!str_eq(b->match, STR("*")) &&
		    !str_eq(b->match, s->interactions[interaction].name))
			continue;
		buf_add(&name, prefix);
		buf_add(&name, b->bucket);
		buf_addf(&name, " %llu", (unsigned long long)b->window_ms);
		to[n++] = (struct work_cost){ quota_bucket(w->quota, buf_str(&name),
							   &(struct bucket_limits){
								   b->limit, b->window_ms,
								   b->is_calendar,
								   b->zone_ms }),
					      b->cost };
	}
	if (n > 0)
		return n;
	/* Without a budget of its own it still heeds what the server says. */
	cleanup(buf_release) struct buf name = { 0 };
	buf_add(&name, prefix);
	buf_add(&name, STR("unlimited"));
	to[0] = (struct work_cost){
		quota_bucket(w->quota, buf_str(&name), &(struct bucket_limits){ 0 }), 1
	};
	return 1;
}

uint32_t work_add_endpoint(struct work *w, uint32_t lane, const struct api_service *s,
			   struct str prefix)
{
	struct work_endpoint e = { .lane = lane, .service = s };

	e.costs = xcalloc(s->n + 1, sizeof(*e.costs));
	e.n_costs = xcalloc(s->n + 1, sizeof(*e.n_costs));
	for (size_t i = 0; i < s->n; i++) {
		e.costs[i] = xcalloc(s->n_budgets + 1, sizeof(**e.costs));
		e.n_costs[i] = add_costs(w, s, prefix, i, e.costs[i]);
	}
	VEC_ADD(w->endpoints, w->n_endpoints, w->endpoints_cap, e);
	return (uint32_t)(w->n_endpoints - 1);
}

static void make_ready(struct work *w, uint32_t stream)
{
	struct work_lane *l = &w->lanes[w->streams[stream].lane];

	w->streams[stream].state = STREAM_READY;
	if (l->head > 1024 && l->head > l->n / 2) {
		memmove(l->ready, l->ready + l->head,
			(l->n - l->head) * sizeof(*l->ready));
		l->n -= l->head;
		l->head = 0;
	}
	VEC_ADD(l->ready, l->n, l->cap, stream);
}

static void heap_up(struct work_lane *l, size_t i)
{
	for (; i > 0 && l->delayed[i].due_ms < l->delayed[(i - 1) / 2].due_ms;
	     i = (i - 1) / 2)
		SWAP(l->delayed[i], l->delayed[(i - 1) / 2]);
}

static void heap_down(struct work_lane *l)
{
	for (size_t i = 0;;) {
		size_t best = i, left = 2 * i + 1;

		if (left < l->n_delayed &&
		    l->delayed[left].due_ms < l->delayed[best].due_ms)
			best = left;
		if (left + 1 < l->n_delayed &&
		    l->delayed[left + 1].due_ms < l->delayed[best].due_ms)
			best = left + 1;
		if (best == i)
			return;
		SWAP(l->delayed[i], l->delayed[best]);
		i = best;
	}
}

static void make_delayed(struct work *w, uint32_t stream, int64_t due_ms)
{
	struct work_lane *l = &w->lanes[w->streams[stream].lane];

	w->streams[stream].state = STREAM_DELAYED;
	w->streams[stream].not_before_ms = due_ms;
	VEC_ADD(l->delayed, l->n_delayed, l->delayed_cap,
		(struct lane_waiting){ due_ms, stream });
	heap_up(l, l->n_delayed - 1);
}

static void take_due(struct work *w, struct work_lane *l, int64_t now_ms)
{
	while (l->n_delayed > 0 && l->delayed[0].due_ms <= now_ms) {
		uint32_t stream = l->delayed[0].stream;

		l->delayed[0] = l->delayed[--l->n_delayed];
		heap_down(l);
		if (w->streams[stream].state == STREAM_DELAYED)
			make_ready(w, stream);
	}
}

/* --- streams --- */

uint64_t stream_key(const struct work *w, const struct stream_start *s)
{
	const struct work_endpoint *e = &w->endpoints[s->endpoint];
	cleanup(buf_release) struct buf b = { 0 };

	buf_add_u64(&b, w->lanes[e->lane].key);
	buf_add_u64(&b, e->id);
	buf_add_sized(&b, e->service->interactions[s->interaction].name);
	for (size_t i = 0; i < s->n_params; i++) {
		buf_add_sized(&b, s->params[i].name);
		buf_add_sized(&b, s->params[i].value);
	}
	return hash64(buf_str(&b));
}

/* Campaigns of one process may have streams alike. */
uint64_t stream_run_key(uint64_t key, uint32_t campaign)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add_u32(&b, campaign);
	return hash64_seeded(buf_str(&b), key);
}

uint32_t work_add(struct work *w, const struct stream_start *s)
{
	uint64_t key = stream_key(w, s);
	bool is_new;
	struct stream x = { .campaign = s->campaign,
			    .endpoint = s->endpoint,
			    .interaction = s->interaction,
			    .lane = w->endpoints[s->endpoint].lane,
			    .key = key,
			    .is_root = s->is_root };

	*map_add(&w->by_key, stream_run_key(key, s->campaign), &is_new) = w->n;
	if (!is_new)
		return UINT32_MAX;
	x.params = xcalloc(s->n_params + 1, sizeof(*x.params));
	for (; x.n_params < s->n_params; x.n_params++)
		x.params[x.n_params] = var_copy(s->params[x.n_params]);
	x.page = text_copy(s->page);
	x.since = text_copy(s->since);
	x.best = text_copy(s->since);
	VEC_ADD(w->streams, w->n, w->cap, x);
	w->pending++;
	make_ready(w, (uint32_t)(w->n - 1));
	return (uint32_t)(w->n - 1);
}

static void end_stream(struct work *w, struct stream *s, enum stream_state state,
		       enum stream_end end)
{
	assert(state == STREAM_DONE || state == STREAM_FAILED);
	s->state = state;
	s->end = end;
	w->pending--;
	if (state == STREAM_DONE)
		w->counts[s->campaign].done++;
	else
		w->counts[s->campaign].failed++;
	w->counts[s->campaign].circles += end == END_CIRCLE;
	w->counts[s->campaign].drift += end == END_DRIFT;
}

static void stop_lane(struct work *w, uint32_t lane)
{
	w->lanes[lane].is_stopped = true;
	for (size_t i = 0; i < w->n; i++)
		if (w->streams[i].lane == lane && (w->streams[i].state == STREAM_READY ||
						   w->streams[i].state == STREAM_DELAYED))
			end_stream(w, &w->streams[i], STREAM_FAILED, END_STOPPED);
}

uint64_t work_backoff_ms(uint32_t attempts)
{
	uint64_t ms = (uint64_t)BACKOFF_MS << MIN(attempts, (uint32_t)20);

	return MIN(ms, (uint64_t)BACKOFF_MOST_MS);
}

/* --- what is next --- */

static bool is_over_limit(const struct work *w, const struct stream *s, int64_t now_ms)
{
	const struct work_limits *l = &w->limits[s->campaign];
	const struct work_counts *c = &w->counts[s->campaign];

	return (l->max_requests && c->requests - l->requests_before >= l->max_requests) ||
	       (l->max_items && c->new_items - l->items_before >= l->max_items) ||
	       (l->until_ms && now_ms >= l->until_ms);
}

/* When this stream may be requested, by all its budgets. */
static int64_t due_of(struct work *w, const struct stream *s, int64_t now_ms)
{
	const struct work_endpoint *e = &w->endpoints[s->endpoint];
	int64_t due = now_ms;

	for (size_t i = 0; i < e->n_costs[s->interaction]; i++) {
		const struct work_cost *c = &e->costs[s->interaction][i];

		due = MAX(due, quota_due(w->quota, c->bucket, c->cost, now_ms));
	}
	return due;
}

static enum status spend(struct work *w, const struct stream *s, int64_t now_ms,
			 struct diag *why)
{
	const struct work_endpoint *e = &w->endpoints[s->endpoint];

	for (size_t i = 0; i < e->n_costs[s->interaction]; i++)
		TRY(quota_spend(w->quota, e->costs[s->interaction][i].bucket,
				e->costs[s->interaction][i].cost, now_ms, why));
	return ST_OK;
}

/*
 * The first of the lane whose budgets allow it.  Streams of other buckets may go while
 * one waits for its own, so some are looked at; how many is bounded.
 */
#define LOOK_MOST 64

static bool choose(struct work *w, struct work_lane *l, int64_t now_ms, int64_t *soonest,
		   uint32_t *ret)
{
	for (size_t looked = 0; l->head < l->n && looked < LOOK_MOST; looked++) {
		uint32_t id = l->ready[l->head++];
		struct stream *s = &w->streams[id];

		if (s->state != STREAM_READY)
			continue; /* was stopped meanwhile */
		if (l->is_stopped) {
			end_stream(w, s, STREAM_FAILED, END_STOPPED);
			continue;
		}
		if (is_over_limit(w, s, now_ms)) {
			end_stream(w, s, STREAM_FAILED, END_LIMIT);
			continue;
		}
		int64_t due = due_of(w, s, now_ms);
		if (due <= now_ms) {
			*ret = id;
			return true;
		}
		*soonest = MIN(*soonest, due);
		make_ready(w, id);
		if (l->n - l->head <= looked + 1)
			break;
	}
	return false;
}

/* WORK_WAIT when this lane has nothing now. */
static enum status lane_next(struct work *w, struct work_lane *l, int64_t now_ms,
			     struct work_next *ret, struct diag *why)
{
	int64_t soonest = INT64_MAX;
	uint32_t id;

	ret->kind = WORK_WAIT;
	take_due(w, l, now_ms);
	if (l->in_flight >= l->concurrency || l->has_login)
		return ST_OK; /* an answer comes first */
	if (l->n_delayed > 0)
		soonest = l->delayed[0].due_ms;
	if (l->head < l->n && now_ms < l->next_ms) {
		ret->until_ms = MIN(soonest, l->next_ms);
		return ST_OK;
	}
	ret->until_ms = soonest;
	if (!choose(w, l, now_ms, &ret->until_ms, &id))
		return ST_OK;
	struct stream *s = &w->streams[id];
	TRY(spend(w, s, now_ms, why));
	l->next_ms = now_ms + (int64_t)l->delay_ms;
	w->counts[s->campaign].requests++;
	if (w->endpoints[s->endpoint].wants_token) {
		l->has_login = true;
		w->counts[s->campaign].logins++;
		make_ready(w, id);
		*ret = (struct work_next){ WORK_LOGIN, id, s->endpoint, now_ms };
		return ST_OK;
	}
	s->state = STREAM_IN_FLIGHT;
	l->in_flight++;
	*ret = (struct work_next){ WORK_SEND, id, s->endpoint, now_ms };
	return ST_OK;
}

enum status work_next(struct work *w, int64_t now_ms, struct work_next *ret,
		      struct diag *why)
{
	int64_t soonest = INT64_MAX;

	for (size_t i = 0; i < w->n_lanes; i++) {
		size_t at = (w->next_lane + i) % w->n_lanes;
		struct work_next next = { .kind = WORK_WAIT, .until_ms = INT64_MAX };

		TRY(lane_next(w, &w->lanes[at], now_ms, &next, why));
		if (next.kind != WORK_WAIT) {
			w->next_lane = at + 1; /* the others are next: lanes are equal */
			*ret = next;
			return ST_OK;
		}
		soonest = MIN(soonest, next.until_ms);
	}
	*ret = (struct work_next){ .kind = w->pending ? WORK_WAIT : WORK_DONE,
				   .until_ms = soonest };
	return ST_OK;
}

/* --- answers --- */

static void heed(struct work *w, const struct stream *s, const struct page_report *r,
		 int64_t now_ms)
{
	const struct work_endpoint *e = &w->endpoints[s->endpoint];
	const struct work_lane *l = &w->lanes[e->lane];
	const struct work_cost *c = e->costs[s->interaction];

	if (r->rate.has_remaining && r->rate.reset_ms > 0)
		quota_left(w->quota, c[0].bucket, now_ms,
			   r->rate.remaining - MIN(r->rate.remaining, l->in_flight),
			   r->rate.reset_ms, l->concurrency > 1);
	if (r->rate.has_wait && r->kind != ANSWER_WAIT)
		quota_block(w->quota, c[0].bucket, now_ms, r->rate.wait_ms);
}

static void wait_longer(struct work *w, uint32_t id, const struct page_report *r,
			int64_t now_ms)
{
	struct stream *s = &w->streams[id];
	struct work_lane *l = &w->lanes[s->lane];
	const struct work_endpoint *e = &w->endpoints[s->endpoint];
	uint64_t wait = r->wait_ms ? r->wait_ms : work_backoff_ms(2 + l->waits);

	w->counts[s->campaign].waits++;
	for (size_t i = 0; i < e->n_costs[s->interaction]; i++)
		quota_block(w->quota, e->costs[s->interaction][i].bucket, now_ms, wait);
	make_ready(w, id);
	if (++l->waits >= WORK_WAITS)
		stop_lane(w, s->lane);
}

static void try_again(struct work *w, uint32_t id, const struct page_report *r,
		      int64_t now_ms)
{
	struct stream *s = &w->streams[id];

	w->counts[s->campaign].retries++;
	if (++s->attempts >= WORK_ATTEMPTS) {
		end_stream(w, s, STREAM_FAILED,
			   r->kind == ANSWER_DRIFT ? END_DRIFT : END_ATTEMPTS);
		return;
	}
	uint64_t wait = r->wait_ms ? r->wait_ms : work_backoff_ms(s->attempts - 1);
	make_delayed(w, id, now_ms + (int64_t)wait);
}

/* A token that ended costs no attempt; a new one that is refused does. */
static void renew_token(struct work *w, uint32_t id, const struct page_report *r,
			int64_t now_ms)
{
	struct stream *s = &w->streams[id];

	w->endpoints[s->endpoint].wants_token = true;
	if (s->refusals++ > 0)
		try_again(w, id, r, now_ms);
	else
		make_ready(w, id);
}

/* The same state again: the list leads back. */
static bool goes_in_circle(struct work *w, struct stream *s, const struct page_report *r)
{
	cleanup(buf_release) struct buf b = { 0 };
	bool is_new;

	buf_add_u64(&b, stream_run_key(s->key, s->campaign));
	buf_add_u64(&b, w->limits[s->campaign].round);
	buf_add(&b, r->next);
	*map_add(&w->visited, hash64(buf_str(&b)), &is_new) = 1;
	return !is_new || str_eq(r->next, str_from(s->page));
}

/*
 * The page before once more, in place of the one that was requested: its items were not
 * shown, so it is requested again; a list that shows nothing else has come to its end.
 */
static bool is_repeated(struct stream *s, const struct page_report *r)
{
	bool same = s->pages > 0 && r->items > 0 && r->page_hash == s->last_page;

	s->same = same ? s->same + 1 : 0;
	s->last_page = r->items > 0 ? r->page_hash : s->last_page;
	return same;
}

static void take_page(struct work *w, uint32_t id, const struct page_report *r,
		      int64_t now_ms)
{
	struct stream *s = &w->streams[id];
	struct work_counts *c = &w->counts[s->campaign];
	const struct api_interaction *i =
		&w->endpoints[s->endpoint].service->interactions[s->interaction];
	uint64_t enough = w->limits[s->campaign].saturation;

	if (is_repeated(s, r)) {
		c->retries++;
		if (s->same >= WORK_SAME)
			end_stream(w, s, STREAM_DONE, END_CIRCLE);
		else
			make_delayed(w, id, now_ms + (int64_t)work_backoff_ms(s->same));
		return;
	}
	s->pages++;
	s->attempts = 0;
	s->items += r->items;
	s->idle = r->new_items > 0 ? 0 : s->idle + 1;
	c->pages++;
	c->items += r->items;
	c->new_items += r->new_items;
	if (r->best.n > 0)
		text_set(&s->best, r->best);
	if (r->kind == ANSWER_END || r->end == PAGE_LAST)
		end_stream(w, s, STREAM_DONE, END_LAST_PAGE);
	else if (r->end == PAGE_LIMIT)
		end_stream(w, s, STREAM_DONE, END_LIMIT);
	else if (r->end == PAGE_BAD_NEXT)
		end_stream(w, s, STREAM_FAILED, END_REFUSED);
	else if (i->incremental.until_known && r->items > 0 && r->new_items == 0)
		end_stream(w, s, STREAM_DONE, END_KNOWN);
	else if (enough && s->idle >= enough)
		end_stream(w, s, STREAM_DONE, END_SATURATED);
	else if (goes_in_circle(w, s, r))
		end_stream(w, s, STREAM_DONE, END_CIRCLE);
	else {
		text_set(&s->page, r->next);
		make_ready(w, id);
	}
}

void work_answered(struct work *w, uint32_t id, const struct page_report *r,
		   int64_t now_ms)
{
	struct stream *s = &w->streams[id];
	struct work_lane *l = &w->lanes[s->lane];

	assert(s->state == STREAM_IN_FLIGHT);
	l->in_flight--;
	heed(w, s, r, now_ms);
	if (r->kind != ANSWER_WAIT)
		l->waits = 0;
	if (r->kind != ANSWER_LOGIN)
		s->refusals = 0;
	switch (r->kind) {
	case ANSWER_ITEMS:
	case ANSWER_END:
		take_page(w, id, r, now_ms);
		break;
	case ANSWER_WAIT:
		wait_longer(w, id, r, now_ms);
		break;
	case ANSWER_RETRY:
	case ANSWER_DRIFT:
		try_again(w, id, r, now_ms);
		break;
	case ANSWER_LOGIN:
		renew_token(w, id, r, now_ms);
		break;
	case ANSWER_SKIP:
		end_stream(w, s, STREAM_FAILED, END_REFUSED);
		break;
	default:
		end_stream(w, s, STREAM_FAILED, END_STOPPED);
		stop_lane(w, s->lane);
		break;
	}
	if (l->is_stopped && s->state == STREAM_READY)
		end_stream(w, s, STREAM_FAILED, END_STOPPED);
}

void work_logged_in(struct work *w, uint32_t endpoint, bool fine, int64_t now_ms)
{
	struct work_lane *l = &w->lanes[w->endpoints[endpoint].lane];

	assert(l->has_login);
	l->has_login = false;
	if (fine) {
		w->endpoints[endpoint].wants_token = false;
		return;
	}
	l->next_ms = now_ms + (int64_t)work_backoff_ms(l->waits);
	if (++l->waits >= WORK_ATTEMPTS)
		stop_lane(w, w->endpoints[endpoint].lane);
}

void assert_work(const struct work *w)
{
	size_t pending = 0;

	for (size_t i = 0; i < w->n_lanes; i++) {
		const struct work_lane *l = &w->lanes[i];
		size_t in_flight = 0, ready = 0, queued = 0;

		for (size_t k = 0; k < w->n; k++) {
			in_flight += w->streams[k].lane == i &&
				     w->streams[k].state == STREAM_IN_FLIGHT;
			ready += w->streams[k].lane == i &&
				 w->streams[k].state == STREAM_READY;
		}
		for (size_t k = l->head; k < l->n; k++)
			queued += w->streams[l->ready[k]].state == STREAM_READY;
		assert(in_flight == l->in_flight);
		assert(in_flight <= l->concurrency);
		assert(ready == queued);
	}
	for (size_t k = 0; k < w->n; k++)
		pending += w->streams[k].state < STREAM_DONE;
	assert(pending == w->pending);
	for (size_t k = 0; w->quota && k < w->quota->n; k++)
		assert_bucket(&w->quota->v[k]);
}
