/*
 * recrawl.h - when is a page worth asking for again?
 *
 * The interval of a page shrinks when it was found changed and grows when not; a
 * near-duplicate of what it was counts as unchanged, for clocks, advertisements
 * and counters change on every visit.  Pure.
 */
#ifndef POLICY_RECRAWL_H
#define POLICY_RECRAWL_H

#include "base/base.h"

struct recrawl {
	uint64_t first_ms; /* before anything was observed */
	uint64_t min_ms, max_ms;
	double shrink, grow; /* factors below and above 1 */
};

struct visits {
	uint32_t seen, changed;
	uint64_t interval_ms; /* 0 before the first visit */
	int64_t last_ms;
};

enum change {
	CHANGE_FIRST, /* the page is new to us */
	CHANGE_NONE,  /* 304, same digest, or a near-duplicate */
	CHANGE_SOME,
	CHANGE_GONE,   /* 404, 410: asked again ever more rarely */
	CHANGE_FAILED, /* no answer that tells anything: as often as before */
};

/* Note a visit at `now_ms`; answers when the next is due. */
int64_t recrawl_visit(const struct recrawl *r, struct visits *v, enum change change,
		      int64_t now_ms);
/* Estimated probability that it changed in `ms` since the last visit (Poisson). */
double recrawl_change_chance(const struct visits *v, uint64_t ms);
#endif
