#include "watch/watch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

#define LIVE_MS 2000
#define SAVE_MS 30000

static const char *const demand_words[DEMANDS] = {
	"url", "blacklist", "score", "drop", "hold", "pause", "resume", "stop", "reload",
};

enum status watch_open(struct watcher *w, const char *dir, const struct crawl_settings *s,
		       const struct clock *clock, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *ring = path_join(&a, dir, STR("state/events.ring"));

	*w = (struct watcher){ .dir = dir, .clock = clock, .is_rehearsal = s->dry_run };
	TRY(outlet_open(&w->outlet,
			&(struct outlet_options){ .ring_path = s->dry_run ? NULL : ring,
						  .prints = s->json,
						  .kinds = s->events,
						  .syslog = s->syslog },
			why));
	counters_load(&w->live.counters, path_join(&a, dir, STR("state/counters")));
	w->is_open = true;
	return ST_OK;
}

void watch_release(struct watcher *w)
{
	if (w->is_open)
		outlet_close(&w->outlet);
	growth_release(&w->live.growth);
	free(w->site_states);
	free(w->rule_states);
	w->is_open = false;
}

static void tell(struct watcher *w, struct event e)
{
	if (!w->is_open)
		return;
	e.time_ms = clock_wall_ms(w->clock);
	outlet_put(&w->outlet, &e);
}

/* --- what happens to URLs --- */

void watch_page(struct watcher *w, const struct crawl_item *i)
{
	const struct fetch_result *r = &i->result;
	struct live *l = &w->live;
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
	tell(w, e);
}

void watch_retry(struct watcher *w, const struct crawl_item *i)
{
	tell(w, (struct event){ .kind = EVENT_RETRY,
				.url = i->step.task.url,
				.code = i->result.code,
				.word = fetch_cause_of(i->result.cause)->name,
				.detail = i->result.error,
				.count = i->step.task.attempt + 1 });
}

void watch_refusal(struct watcher *w, struct str url, enum reason reason,
		   struct str detail)
{
	const struct reason_row *r = &reason_table[reason];
	bool is_trap = r->code == FETCH_TRAP;

	tell(w, (struct event){ .kind = is_trap ? EVENT_TRAP : EVENT_REFUSAL,
				.url = url,
				.word = r->word,
				.detail = detail });
}

void watch_link(struct watcher *w, const struct discovery *l,
		const struct url_decision *d)
{
	if (d->outcome == OUTCOME_SKIPPED)
		tell(w, (struct event){ .kind = EVENT_SKIP,
					.url = l->url,
					.word = d->rules,
					.detail = d->detail });
	else if (d->outcome == OUTCOME_REFUSED)
		watch_refusal(w, l->url, d->reason, d->detail);
}

void watch_limit(struct watcher *w, struct str why)
{
	tell(w, (struct event){ .kind = EVENT_LIMIT, .detail = why });
}

void watch_control(struct watcher *w, enum demand_kind kind, struct str text, uint64_t n)
{
	tell(w, (struct event){ .kind = EVENT_CONTROL,
				.word = str_from(demand_words[kind]),
				.detail = text,
				.count = n });
}

/* --- what is seen by comparing --- */

static void tell_site(struct watcher *w, const struct site *s)
{
	static const char *const words[] = { [SITE_OPEN] = "open",
					     [SITE_PAUSED] = "out of reach",
					     [SITE_DEAD] = "given up" };

	if (s->state < COUNT(words) && words[s->state])
		tell(w,
		     (struct event){ .kind = EVENT_HOST,
				     .url = s->origin,
				     .word = str_from(words[s->state]),
				     .code = s->state == SITE_DEAD ? s->dead_code : 0 });
}

static void tell_sites(struct watcher *w, const struct frontier *f)
{
	size_t n = f->sites.origins.n, before = w->site_cap;

	if (n > w->site_cap) {
		VEC_RESERVE(w->site_states, w->site_cap, n);
		memset(w->site_states + before, 0, w->site_cap - before);
	}
	for (uint32_t i = 0; i < n; i++) {
		uint8_t state = f->sites.v[i].state;

		/* Open sites ask for addresses and robots.txt again and again. */
		if (state == w->site_states[i] ||
		    (state != SITE_OPEN && state != SITE_PAUSED && state != SITE_DEAD))
			continue;
		w->site_states[i] = state;
		tell_site(w, &f->sites.v[i]);
	}
}

static void tell_rules(struct watcher *w, const struct dust_online *online)
{
	const struct rule_set *rules = online ? dust_online_rules(online) : NULL;
	bool is_first = !w->rule_states;

	if (!rules)
		return;
	VEC_RESERVE(w->rule_states, w->rule_cap, rules->n + 1);
	for (size_t i = 0; i < rules->n; i++) {
		const struct rule *r = &rules->v[i];
		bool is_new = i >= w->n_rules;

		if (!is_first && (is_new || w->rule_states[i] != r->state))
			tell(w, (struct event){ .kind = EVENT_RULE,
						.url = r->n_sites ? r->sites[0] : STR(""),
						.word = rule_state_words[r->state],
						.detail = r->text,
						.count = r->evidence.support });
		w->rule_states[i] = (uint8_t)r->state;
	}
	w->n_rules = rules->n;
}

static void tell_commits(struct watcher *w, const struct watch_facts *f)
{
	if (f->commits == w->live.commits)
		return;
	w->live.commits = f->commits;
	tell(w, (struct event){ .kind = EVENT_COMMIT, .count = f->counts->done });
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

void watch_save(const char *dir, struct str name, struct str text)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf with_suffix = { 0 };

	buf_add(&with_suffix, name);
	buf_add(&with_suffix, STR(".new"));
	char *path = path_join(&a, dir, name);
	char *fresh = path_join(&a, dir, buf_str(&with_suffix));
	unlink(fresh); /* a link that somebody has planted there is not followed */
	int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);

	if (fd < 0)
		return;
	bool whole = write(fd, text.p, text.n) == (ssize_t)text.n;
	close(fd);
	if (!whole || rename(fresh, path) != 0)
		unlink(fresh);
}

static void save_live(struct watcher *w, const struct watch_facts *f, struct str idle)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct live_facts l = {
		.frontier = f->frontier,
		.now_ms = f->frontier_ms,
		.wall_ms = clock_wall_ms(w->clock),
		.events = w->outlet.counts,
		.idle = idle,
		.memory_bytes = memory_bytes(),
		.in_writer = f->in_writer,
		.injected = f->injected,
		.moved = f->moved,
		.ignored = f->ignored,
		.is_paused = f->is_paused,
		.rate = f->rate,
	};

	if (disk_free(w->dir, &l.disk_free_bytes, NULL) != ST_OK)
		l.disk_free_bytes = 0;
	live_format(&w->live, &l, &text);
	watch_save(w->dir, STR("state/live.json"), buf_str(&text));
	buf_reset(&text);
	live_format_hosts(&l, &text);
	watch_save(w->dir, STR("state/hosts.json"), buf_str(&text));
}

static void count_time(struct watcher *w, const struct watch_facts *f)
{
	uint64_t totals[COUNTERS_MAX];
	size_t n = live_totals(f->counts, totals);
	struct live *l = &w->live;
	double seconds = (double)(f->mono_ms - f->start_mono_ms) / 1000;

	counters_note(&l->counters, totals, n, clock_wall_ms(w->clock));
	if (l->found_before > 0) /* once a second */
		l->found_rate += 0.05 * ((double)(f->frontier->found - l->found_before) -
					 l->found_rate);
	l->found_before = f->frontier->found;
	if (seconds > 0.5)
		l->average_rate = (double)(f->counts->done - f->done_before) / seconds;
}

static const char *count_idle(struct watcher *w, const struct watch_facts *f)
{
	if (f->in_flight > 0)
		return "";
	struct site_census s = live_census(f->frontier, f->frontier_ms);
	enum idle_reason r = live_idle_reason(&s, f->is_paused);

	w->live.idle_ms[r] += 1000;
	return idle_reason_names[r];
}

void watch_second(struct watcher *w, const struct watch_facts *f)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct diag why;

	if (!w->is_open || w->is_rehearsal)
		return;
	count_time(w, f);
	tell_sites(w, f->frontier);
	tell_rules(w, f->rules);
	tell_commits(w, f);
	const char *idle = count_idle(w, f);
	if (f->mono_ms >= w->next_live_ms || f->has_ended) {
		w->next_live_ms = f->mono_ms + LIVE_MS;
		save_live(w, f, str_from(idle));
	}
	if (f->mono_ms < w->next_save_ms && !f->has_ended)
		return;
	w->next_save_ms = f->mono_ms + SAVE_MS;
	if (counters_save(&w->live.counters, path_join(&a, w->dir, STR("state/counters")),
			  &why) != ST_OK)
		w->next_save_ms = INT64_MAX; /* for watching only */
}

void watch_flush(struct watcher *w)
{
	if (w->is_open)
		outlet_flush(&w->outlet);
}
