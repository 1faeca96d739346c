/*
 * live.h - what a running crawl shows besides its counts: hosts, priorities, errors,
 * times, traps, events, the last hour, day and week.
 *
 * Reads the frontier, changes nothing.  The loop thread's, every few seconds.
 */
#ifndef REPORT_LIVE_H
#define REPORT_LIVE_H

#include "control/counters.h"
#include "control/event.h"
#include "frontier/waiting.h"
#include "journal/counts.h"
#include "record/fetch.h"
#include "report/growth.h"
#include "report/status.h"

#define LIVE_DURATIONS 10 /* and beyond */
#define LIVE_CAUSES    24
#define LIVE_HOSTS     200

/* Upper bounds of response times, in ms. */
extern const uint32_t live_duration_ms[LIVE_DURATIONS];

/* Why nothing is in flight, sampled every second. */
enum idle_reason {
	IDLE_POLITENESS, /* hosts want a pause */
	IDLE_LOOKUP,     /* DNS */
	IDLE_ROBOTS,
	IDLE_RETRY, /* out of reach: later again */
	IDLE_NO_WORK,
	IDLE_PAUSED, /* by the operator */
	IDLE_REASONS,
};
extern const char *const idle_reason_names[IDLE_REASONS];

/* What is counted only for watching; lives as long as the process. */
struct live {
	uint64_t durations[LIVE_DURATIONS + 1], duration_sum_ms;
	uint64_t errors[LIVE_CAUSES]; /* by enum fetch_cause */
	uint64_t idle_ms[IDLE_REASONS];
	uint64_t commits;
	struct growth growth;
	struct counters counters;
	double average_rate; /* pages per second since the process began */
	double found_rate;   /* new URLs per second, smoothed over a minute */
	uint64_t found_before;
};

/* Names of what `counters` counts, in order: the fields of crawl_counts. */
extern const char *const live_counter_names[];
size_t live_totals(const struct crawl_counts *n, uint64_t *ret);

struct site_census live_census(struct frontier *f, int64_t now_ms);
/* Why nothing is in flight. */
enum idle_reason live_idle_reason(const struct site_census *s, bool is_paused);
void live_note_answer(struct live *l, unsigned cause, uint32_t duration_ms);

struct live_facts {
	struct frontier *frontier;
	int64_t now_ms; /* the frontier's time */
	int64_t wall_ms;
	const uint64_t *events; /* EVENT_KINDS of them */
	struct str idle;        /* empty while something is in flight */
	uint64_t disk_free_bytes, memory_bytes;
	uint64_t in_writer; /* records on their way to the archive */
	uint64_t injected, moved, ignored;
	bool is_paused;
	double rate; /* pages per second, lately */
};

/* DIR/state/hosts.json: the busiest. */
void live_format_hosts(const struct live_facts *f, struct buf *to);
/* DIR/state/live.json */
void live_format(const struct live *l, const struct live_facts *f, struct buf *to);
#endif
