#include "report/live.h"

#include "base/json.h"

#define PRIORITY_CLASSES 16 /* of 16 priorities each */

const uint32_t live_duration_ms[LIVE_DURATIONS] = { 10,  25,   50,   100,   250,
						    500, 1000, 2500, 10000, 60000 };

const char *const idle_reason_names[IDLE_REASONS] = {
	"politeness", "lookup", "robots", "retry", "no_work", "paused",
};

const char *const live_counter_names[] = {
	"requests",        "done",
	"received_bytes",  "ok",
	"redirects",       "client_errors",
	"server_errors",   "failed",
	"exact",           "near",
	"novel",           "rule_skips",
	"refused",         "dropped",
	"retries",         "robots_denied",
	"identical_bytes", NULL,
};

size_t live_totals(const struct crawl_counts *n, uint64_t *ret)
{
	const uint64_t all[] = {
		n->requests,        n->done,          n->received_bytes, n->ok,
		n->redirects,       n->client_errors, n->server_errors,  n->failed,
		n->exact,           n->near,          n->novel,          n->rule_skips,
		n->refused,         n->dropped,       n->retries,        n->robots_denied,
		n->identical_bytes,
	};
	_Static_assert(COUNT(all) + 1 == COUNT(live_counter_names), "a name for each");
	_Static_assert(COUNT(all) <= COUNTERS_MAX, "a slot for each");

	for (size_t i = 0; i < COUNT(all); i++)
		ret[i] = all[i];
	return COUNT(all);
}

struct site_census live_census(struct frontier *f, int64_t now_ms)
{
	struct site_census n = { 0 };

	for (size_t i = 0; i < f->sites.origins.n; i++) {
		struct site *s = &f->sites.v[i];

		if (s->state == SITE_DEAD)
			n.dead++;
		else if (f->lanes.v[s->lanes.id[LANE_HOST]].lane.in_flight > 0)
			n.active++;
		else if (s->queue.live == 0)
			n.done++;
		else
			n.waits[site_wait_of(f, (uint32_t)i, now_ms)]++;
	}
	for (unsigned k = 0; k < SITE_WAITS; k++)
		n.waiting += n.waits[k];
	return n;
}

enum idle_reason live_idle_reason(const struct site_census *s, bool is_paused)
{
	if (is_paused)
		return IDLE_PAUSED;
	if (s->waiting == 0)
		return IDLE_NO_WORK;
	if (s->waits[WAIT_LOOKUP] == s->waiting)
		return IDLE_LOOKUP;
	if (s->waits[WAIT_ROBOTS] == s->waiting)
		return IDLE_ROBOTS;
	return s->waits[WAIT_SECOND_TRY] == s->waiting ? IDLE_RETRY : IDLE_POLITENESS;
}

void live_note_answer(struct live *l, unsigned cause, uint32_t duration_ms)
{
	unsigned k = 0;

	while (k < LIVE_DURATIONS && duration_ms > live_duration_ms[k])
		k++;
	l->durations[k]++;
	l->duration_sum_ms += duration_ms;
	if (cause != CAUSE_NONE && cause < LIVE_CAUSES)
		l->errors[cause]++;
}

/* --- hosts: those with most to do --- */

struct busy {
	uint64_t weight;
	uint32_t site;
};

static uint64_t weight_of(struct frontier *f, uint32_t site)
{
	const struct site *s = &f->sites.v[site];

	return ((uint64_t)s->queue.live << 8) +
	       64 * f->lanes.v[s->lanes.id[LANE_HOST]].lane.in_flight + s->spent.pages;
}

/* Sorted, the busiest first; `ret` has room for LIVE_HOSTS. */
static size_t busiest(struct frontier *f, struct busy *ret)
{
	size_t n = 0;

	for (uint32_t i = 0; i < f->sites.origins.n; i++) {
		uint64_t w = weight_of(f, i);
		size_t at = n;

		if (n == LIVE_HOSTS && w <= ret[n - 1].weight)
			continue;
		if (n < LIVE_HOSTS)
			n++;
		else
			at = n - 1;
		for (; at > 0 && ret[at - 1].weight < w; at--)
			ret[at] = ret[at - 1];
		ret[at] = (struct busy){ w, i };
	}
	return n;
}

static uint64_t held_on(const struct host_queue *q)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < q->n; i++)
		n += q->streams[i].hold ? q->streams[i].live : 0;
	return n;
}

static const char *state_of(struct frontier *f, uint32_t site, int64_t now_ms)
{
	const struct site *s = &f->sites.v[site];

	if (s->state == SITE_DEAD)
		return "given_up";
	if (f->lanes.v[s->lanes.id[LANE_HOST]].lane.in_flight > 0)
		return "active";
	return s->queue.live == 0 ? "done"
				  : site_wait_names[site_wait_of(f, site, now_ms)];
}

static void format_host(struct frontier *f, uint32_t site, int64_t now_ms,
			struct json_out *o)
{
	const struct site *s = &f->sites.v[site];
	struct lane *l = &f->lanes.v[s->lanes.id[LANE_HOST]].lane;

	json_open(o, '{');
	json_put_str(o, "host", s->origin);
	json_put_str(o, "state", str_from(state_of(f, site, now_ms)));
	json_put_uint(o, "queued", s->queue.live);
	json_put_uint(o, "held", held_on(&s->queue));
	json_put_uint(o, "in_flight", l->in_flight);
	json_put_uint(o, "fetched", s->spent.pages);
	json_put_uint(o, "bytes", s->spent.bytes);
	json_put_uint(o, "delay_ms",
		      politeness_delay_ms(&f->lanes.rules[LANE_HOST], l, l->smooth_ms));
	json_put_uint(o, "response_ms", l->smooth_ms);
	json_put_int(o, "ready_in_ms",
		     s->queue.live ? MAX(l->next_ms - now_ms, (int64_t)0) : 0);
	json_put_uint(o, "troubles", l->troubles);
	json_put_int(o, "best_priority", host_queue_best(&s->queue));
	json_close(o, '}');
}

void live_format_hosts(const struct live_facts *f, struct buf *to)
{
	struct json_out o = { .to = to };
	struct busy v[LIVE_HOSTS];
	size_t n = busiest(f->frontier, v);

	json_open(&o, '{');
	json_put_int(&o, "time_ms", f->wall_ms);
	json_put_uint(&o, "known", f->frontier->sites.origins.n);
	json_key(&o, STR("hosts"));
	json_open(&o, '[');
	for (size_t i = 0; i < n; i++)
		format_host(f->frontier, v[i].site, f->now_ms, &o);
	json_close(&o, ']');
	json_close(&o, '}');
}

static void format_priorities(struct frontier *f, struct json_out *o)
{
	uint64_t n[PRIORITY_CLASSES] = { 0 };

	for (uint32_t i = 0; i < f->sites.origins.n; i++) {
		const struct host_queue *q = &f->sites.v[i].queue;

		for (unsigned k = 0; k < q->n; k++)
			if (!q->streams[k].hold)
				n[q->streams[k].priority / 16] += q->streams[k].live;
	}
	json_key(o, STR("priorities"));
	json_open(o, '[');
	for (unsigned k = 0; k < PRIORITY_CLASSES; k++)
		json_add_uint(o, n[k]);
	json_close(o, ']');
}

/* --- numbers --- */

static void format_durations(const struct live *l, struct json_out *o)
{
	json_key(o, STR("durations"));
	json_open(o, '[');
	for (unsigned k = 0; k <= LIVE_DURATIONS; k++)
		json_add_uint(o, l->durations[k]);
	json_close(o, ']');
	json_put_uint(o, "duration_sum_ms", l->duration_sum_ms);
}

static void format_errors(const struct live *l, struct json_out *o)
{
	json_key(o, STR("errors"));
	json_open(o, '{');
	for (unsigned k = CAUSE_NONE + 1; k < CAUSES && k < LIVE_CAUSES; k++)
		if (l->errors[k] > 0) {
			json_key(o, fetch_cause_of(k)->name);
			json_add_uint(o, l->errors[k]);
		}
	json_close(o, '}');
}

static void format_windows(const struct live *l, int64_t wall_ms, struct json_out *o)
{
	json_key(o, STR("last"));
	json_open(o, '{');
	for (unsigned w = 0; w < WINDOWS; w++) {
		json_key(o, counter_window_names[w]);
		json_open(o, '{');
		for (size_t i = 0; live_counter_names[i]; i++)
			json_put_uint(o, live_counter_names[i],
				      counters_sum(&l->counters, w, i, wall_ms));
		json_close(o, '}');
	}
	json_close(o, '}');
}

static void format_idle(const struct live *l, const struct live_facts *f,
			struct json_out *o)
{
	json_put_str(o, "idle", f->idle);
	json_key(o, STR("idle_ms"));
	json_open(o, '{');
	for (unsigned k = 0; k < IDLE_REASONS; k++)
		json_put_uint(o, idle_reason_names[k], l->idle_ms[k]);
	json_close(o, '}');
}

static void format_events(const struct live_facts *f, struct json_out *o)
{
	json_key(o, STR("events"));
	json_open(o, '{');
	for (unsigned k = 0; k < EVENT_KINDS; k++) {
		json_key(o, event_table[k].word);
		json_add_uint(o, f->events[k]);
	}
	json_close(o, '}');
}

/* The queue shrinks by what is fetched and grows by what is found. */
static void add_forecast(const struct live *l, const struct live_facts *f,
			 struct json_out *o)
{
	double shrinks = f->rate - l->found_rate;

	json_key(o, STR("forecast_s"));
	if (f->frontier->queues.live == 0)
		json_add_uint(o, 0);
	else if (shrinks > 0.02 * f->rate && shrinks > 0)
		json_add_uint(o, (uint64_t)((double)f->frontier->queues.live / shrinks));
	else
		json_add_null(o); /* it is not converging */
}

void live_format(const struct live *l, const struct live_facts *f, struct buf *to)
{
	cleanup(buf_release) struct buf traps = { 0 };
	struct json_out o = { .to = to };

	json_open(&o, '{');
	json_put_int(&o, "time_ms", f->wall_ms);
	json_put_bool(&o, "paused", f->is_paused);
	json_put_double(&o, "average_rate", l->average_rate);
	json_put_double(&o, "found_rate", l->found_rate);
	add_forecast(l, f, &o);
	json_put_uint(&o, "commits", l->commits);
	json_put_uint(&o, "disk_free_bytes", f->disk_free_bytes);
	json_put_uint(&o, "memory_bytes", f->memory_bytes);
	json_put_uint(&o, "warc_queue", f->in_writer);
	json_put_uint(&o, "injected", f->injected);
	json_put_uint(&o, "moved", f->moved);
	json_put_uint(&o, "ignored", f->ignored);
	format_idle(l, f, &o);
	format_events(f, &o);
	format_errors(l, &o);
	format_durations(l, &o);
	format_priorities(f->frontier, &o);
	growth_format(&l->growth, &traps);
	json_key(&o, STR("traps"));
	json_add_raw(&o, buf_str(&traps));
	format_windows(l, f->wall_ms, &o);
	json_close(&o, '}');
}
