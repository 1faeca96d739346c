/*
 * bogus_answers.h - what a host answers to a URL that cannot exist, for hosts that say
 * 200.
 *
 * A sketch a host.  With a path they survive a crash up to the last bogus_sync(): an
 * append-only log, a record a probe, the later one of a host counts.  One thread.
 */
#ifndef DUP_BOGUS_ANSWERS_H
#define DUP_BOGUS_ANSWERS_H

#include "base/map.h"
#include "os/segment.h"
#include "os/sync.h"
#include "sketch/page_sketch.h"

struct bogus_answer {
	uint64_t host; /* hash of its name */
	struct page_sketch answer;
};

struct bogus_answers {
	struct map hosts; /* hash -> index in v + 1 */
	struct bogus_answer *v;
	size_t n, cap;
	size_t *changed; /* since the last sync */
	size_t n_changed, cap_changed;
	struct segment log; /* closed: nothing is kept */
	struct buf record;
};

/* NULL: in memory only. */
must_use enum status bogus_open(struct bogus_answers *p, const char *path,
				struct diag *why);
void bogus_release(struct bogus_answers *p);
/* Takes the sketch over. */
void bogus_set(struct bogus_answers *p, uint64_t host, struct page_sketch *taken);
/* NULL when there is none. */
const struct page_sketch *bogus_find(const struct bogus_answers *p, uint64_t host);
/* On disk when it returns, or, given a set, once that is synced. */
must_use enum status bogus_sync(struct bogus_answers *p, struct sync_set *later,
				struct diag *why);
#endif
