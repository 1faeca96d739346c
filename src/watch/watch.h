/*
 * watch.h - what a running crawl shows to whoever watches: events, and every second a
 * snapshot (state/status.json, state/live.json, state/hosts.json, state/events.ring,
 * state/counters).
 *
 * Nobody is waited for and nobody is asked: watchers read files.  Reads the crawl's
 * structures through what it is given, and changes none.  The loop thread's.
 */
#ifndef WATCH_WATCH_H
#define WATCH_WATCH_H

#include "control/demand.h"
#include "control/outlet.h"
#include "online/online.h"
#include "os/clock.h"
#include "pipeline/item.h"
#include "policy/decide.h"
#include "record/discovery.h"
#include "report/live.h"
#include "spec/settings.h"

struct watcher {
	const char *dir;
	const struct clock *clock;
	struct outlet outlet;
	struct live live;
	uint8_t *site_states, *rule_states; /* as they were told last */
	size_t site_cap, rule_cap, n_rules;
	int64_t next_live_ms, next_save_ms;
	bool is_open, is_rehearsal;
};

must_use enum status watch_open(struct watcher *w, const char *dir,
				const struct crawl_settings *s, const struct clock *clock,
				struct diag *why);
void watch_release(struct watcher *w);

/* --- what happened --- */

void watch_page(struct watcher *w, const struct crawl_item *i);
void watch_retry(struct watcher *w, const struct crawl_item *i);
void watch_link(struct watcher *w, const struct discovery *l,
		const struct url_decision *d);
void watch_refusal(struct watcher *w, struct str url, enum reason reason,
		   struct str detail);
void watch_limit(struct watcher *w, struct str why);
/* A demand was carried out, on `n` URLs. */
void watch_control(struct watcher *w, enum demand_kind kind, struct str text, uint64_t n);

/* --- how it is --- */

struct watch_facts {
	struct frontier *frontier;
	const struct dust_online *rules; /* NULL: none */
	const struct crawl_counts *counts;
	uint64_t commits, in_flight, in_writer;
	uint64_t injected, moved, ignored;
	double rate;          /* pages per second, lately */
	uint64_t done_before; /* pages of earlier processes */
	int64_t frontier_ms, mono_ms, start_mono_ms;
	bool is_paused, has_ended;
};

/* Every second. */
void watch_second(struct watcher *w, const struct watch_facts *f);
/* The end of a turn of the loop: others see what was told. */
void watch_flush(struct watcher *w);
/* Replace a small file of the crawl's folder; it need not survive a crash. */
void watch_save(const char *dir, struct str name, struct str text);
#endif
