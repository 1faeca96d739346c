#include "crawl/publish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "crawl/crawl.h"
#include "crawl/internal.h"
#include "crawl/setup.h"
#include "online/online.h"

#define LIVE_MS 2000
#define SAVE_MS 30000

static const char *const demand_words[DEMANDS] = {
	"url", "blacklist", "score", "drop", "hold", "pause", "resume", "stop", "reload",
};

enum status publish_open(struct crawl *c, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	const struct crawl_settings *s = c->settings;
	struct publisher *p = &c->publisher;
	char *ring = path_join(&a, c->dir, STR("state/events.ring"));

	TRY(outlet_open(&p->outlet,
			&(struct outlet_options){ .ring_path = s->dry_run ? NULL : ring,
						  .prints = s->json,
						  .kinds = s->events,
						  .syslog = s->syslog },
			why));
	counters_load(&p->live.counters, path_join(&a, c->dir, STR("state/counters")));
	p->is_open = true;
	return ST_OK;
}

void publish_release(struct publisher *p)
{
	if (p->is_open)
		outlet_close(&p->outlet);
	growth_release(&p->live.growth);
	free(p->site_states);
	free(p->rule_states);
	p->is_open = false;
}

static void tell(struct crawl *c, struct event e)
{
	e.time_ms = clock_wall_ms(c->clock);
	if (c->publisher.is_open)
		outlet_put(&c->publisher.outlet, &e);
}

/* --- what happens to URLs --- */

void publish_page(struct crawl *c, const struct crawl_item *i)
{
	const struct fetch_result *r = &i->result;
	struct live *l = &c->publisher.live;
	bool is_page = purpose_is_page(i->step.task.purpose);
	struct event e = { .kind = r->code < 0 ? EVENT_ERROR : EVENT_PAGE,
			   .url = i->step.task.url,
			   .code = r->code,
			   .bytes = r->wire_bytes,
			   .ms = r->duration_ms,
			   .count = i->links_new,
			   .detail = r->code < 0 ? r->error : STR("") };

	live_note_answer(l, r->cause, r->duration_ms);
	if (r->code == 200 && is_page)
		growth_note(&l->growth, i->step.task.url, i->novel, i->links_new);
	if (r->code < 0)
		e.word = fetch_cause_of(r->cause)->name;
	else if (i->has_verdict)
		e.word = verdict_name(i->verdict.kind);
	if (i->has_verdict && !i->novel)
		e.detail = i->verdict.representative_url;
	tell(c, e);
}

void publish_retry(struct crawl *c, const struct crawl_item *i)
{
	tell(c, (struct event){ .kind = EVENT_RETRY,
				.url = i->step.task.url,
				.code = i->result.code,
				.word = fetch_cause_of(i->result.cause)->name,
				.detail = i->result.error,
				.count = i->step.task.attempt + 1 });
}

void publish_refusal(struct crawl *c, struct str url, enum reason reason,
		     struct str detail)
{
	const struct reason_row *r = &reason_table[reason];
	bool is_trap = r->code == FETCH_TRAP;

	tell(c, (struct event){ .kind = is_trap ? EVENT_TRAP : EVENT_REFUSAL,
				.url = url,
				.word = r->word,
				.detail = detail });
}

void publish_link(struct crawl *c, const struct discovery *l,
		  const struct url_decision *d)
{
	if (d->outcome == OUTCOME_SKIPPED)
		tell(c, (struct event){ .kind = EVENT_SKIP,
					.url = l->url,
					.word = d->rules,
					.detail = d->detail });
	else if (d->outcome == OUTCOME_REFUSED)
		publish_refusal(c, l->url, d->reason, d->detail);
}

void publish_limit(struct crawl *c, struct str why)
{
	tell(c, (struct event){ .kind = EVENT_LIMIT, .detail = why });
}

void publish_control(struct crawl *c, enum demand_kind kind, struct str text, uint64_t n)
{
	tell(c, (struct event){ .kind = EVENT_CONTROL,
				.word = str_from(demand_words[kind]),
				.detail = text,
				.count = n });
}

/* --- what is seen by comparing --- */

static void tell_site(struct crawl *c, uint32_t i)
{
	static const char *const words[] = { [SITE_OPEN] = "open",
					     [SITE_PAUSED] = "out of reach",
					     [SITE_DEAD] = "given up" };
	const struct site *s = &c->frontier.sites.v[i];

	if (s->state < COUNT(words) && words[s->state])
		tell(c,
		     (struct event){ .kind = EVENT_HOST,
				     .url = s->origin,
				     .word = str_from(words[s->state]),
				     .code = s->state == SITE_DEAD ? s->dead_code : 0 });
}

static void tell_sites(struct crawl *c)
{
	struct publisher *p = &c->publisher;
	size_t n = c->frontier.sites.origins.n, before = p->site_cap;

	if (n > p->site_cap) {
		VEC_RESERVE(p->site_states, p->site_cap, n);
		memset(p->site_states + before, 0, p->site_cap - before);
	}
	for (uint32_t i = 0; i < n; i++) {
		uint8_t state = c->frontier.sites.v[i].state;

		/* Open sites ask for addresses and robots.txt again and again. */
		if (state == p->site_states[i] ||
		    (state != SITE_OPEN && state != SITE_PAUSED && state != SITE_DEAD))
			continue;
		p->site_states[i] = state;
		tell_site(c, i);
	}
}

static void tell_rules(struct crawl *c)
{
	struct publisher *p = &c->publisher;
	const struct rule_set *rules = c->rules ? dust_online_rules(c->rules) : NULL;
	bool is_first = !p->rule_states;

	if (!rules)
		return;
	VEC_RESERVE(p->rule_states, p->rule_cap, rules->n + 1);
	for (size_t i = 0; i < rules->n; i++) {
		const struct rule *r = &rules->v[i];
		bool is_new = i >= p->n_rules;

		if (!is_first && (is_new || p->rule_states[i] != r->state))
			tell(c, (struct event){ .kind = EVENT_RULE,
						.url = r->n_sites ? r->sites[0] : STR(""),
						.word = rule_state_words[r->state],
						.detail = r->text,
						.count = r->evidence.support });
		p->rule_states[i] = (uint8_t)r->state;
	}
	p->n_rules = rules->n;
}

static void tell_commits(struct crawl *c)
{
	uint64_t n = __atomic_load_n(&c->writer.commits, __ATOMIC_RELAXED);

	if (n == c->publisher.live.commits)
		return;
	c->publisher.live.commits = n;
	tell(c, (struct event){ .kind = EVENT_COMMIT, .count = c->counts.done });
}

/* --- snapshots --- */

static uint64_t memory_bytes(void)
{
	unsigned long long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f && fscanf(f, "%*u %llu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void save_live(struct crawl *c, struct str idle)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct publisher *p = &c->publisher;
	struct live_facts f = {
		.frontier = &c->frontier,
		.now_ms = crawl_time_ms(c),
		.wall_ms = clock_wall_ms(c->clock),
		.events = p->outlet.counts,
		.idle = idle,
		.memory_bytes = memory_bytes(),
		.in_writer = c->items - MIN(c->items, crawl_in_flight(c)),
		.injected = c->steer.injected,
		.moved = c->steer.moved,
		.ignored = c->steer.ignored,
		.is_paused = c->steer.is_paused,
		.rate = c->rate,
	};

	if (disk_free(c->dir, &f.disk_free_bytes, NULL) != ST_OK)
		f.disk_free_bytes = 0;
	live_format(&p->live, &f, &text);
	setup_save_snapshot(c, STR("state/live.json"), buf_str(&text));
	buf_reset(&text);
	live_format_hosts(&f, &text);
	setup_save_snapshot(c, STR("state/hosts.json"), buf_str(&text));
}

static void count_time(struct crawl *c, int64_t mono_ms)
{
	uint64_t totals[COUNTERS_MAX];
	size_t n = live_totals(&c->counts, totals);
	struct live *l = &c->publisher.live;
	double seconds = (double)(mono_ms - c->start_mono_ms) / 1000;

	counters_note(&l->counters, totals, n, clock_wall_ms(c->clock));
	if (l->found_before > 0) /* once a second */
		l->found_rate += 0.05 * ((double)(c->frontier.found - l->found_before) -
					 l->found_rate);
	l->found_before = c->frontier.found;
	if (seconds > 0.5)
		l->average_rate = (double)(c->counts.done - c->done_before) / seconds;
}

void publish_second(struct crawl *c, int64_t mono_ms)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct publisher *p = &c->publisher;
	const char *idle = "";
	struct diag why;

	if (!p->is_open || c->settings->dry_run)
		return;
	count_time(c, mono_ms);
	tell_sites(c);
	tell_rules(c);
	tell_commits(c);
	if (crawl_in_flight(c) == 0) {
		struct site_census s = live_census(&c->frontier, crawl_time_ms(c));
		enum idle_reason r = live_idle_reason(&s, c->steer.is_paused);

		p->live.idle_ms[r] += 1000;
		idle = idle_reason_names[r];
	}
	if (mono_ms >= p->next_live_ms || c->ended) {
		p->next_live_ms = mono_ms + LIVE_MS;
		save_live(c, str_from(idle));
	}
	if (mono_ms < p->next_save_ms && !c->ended)
		return;
	p->next_save_ms = mono_ms + SAVE_MS;
	if (counters_save(&p->live.counters, path_join(&a, c->dir, STR("state/counters")),
			  &why) != ST_OK)
		p->next_save_ms = INT64_MAX; /* for watching only */
}

void publish_flush(struct crawl *c)
{
	if (c->publisher.is_open)
		outlet_flush(&c->publisher.outlet);
}
