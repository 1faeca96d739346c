/*
 * counters.h - how much of everything in the last hour, day and week.
 *
 * Totals only grow; what a crawl adds in a minute, a quarter of an hour and an hour is
 * kept in three rings of fixed size (60, 96 and 168 slots) in one small file, so it
 * survives a restart.  A slot that nobody wrote (the crawl did not run) counts as
 * nothing.  One owner; the clock is a parameter.
 */
#ifndef CONTROL_COUNTERS_H
#define CONTROL_COUNTERS_H

#include "base/buf.h"

#define COUNTERS_MAX   24
#define COUNTERS_SLOTS (60 + 96 + 168)

enum counter_window {
	WINDOW_HOUR,
	WINDOW_DAY,
	WINDOW_WEEK,
	WINDOWS,
};

extern const struct str counter_window_names[WINDOWS];

struct counter_slot {
	uint64_t period; /* which: the time divided by the slot's length */
	uint64_t added[COUNTERS_MAX];
};

struct counters {
	struct counter_slot slots[COUNTERS_SLOTS];
	uint64_t last[COUNTERS_MAX]; /* totals at the last counters_note() */
	bool begun;
};

/* Totals now, `n` of them, always in the same order.  The first call after loading only
 * sets where counting begins; a total that fell counts as nothing. */
void counters_note(struct counters *c, const uint64_t *totals, size_t n, int64_t now_ms);
/* What was added to number `i` in the window that ends now. */
uint64_t counters_sum(const struct counters *c, enum counter_window w, size_t i,
		      int64_t now_ms);

/* A missing file is an empty one, a damaged one too. */
void counters_load(struct counters *c, const char *path);
must_use enum status counters_save(const struct counters *c, const char *path,
				   struct diag *why);
#endif
