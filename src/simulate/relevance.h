/*
 * relevance.h - how relevant the recorded pages are, judged by one specification.
 *
 * Crawls by different specifications can be compared only by one judge: the first
 * specification that wants something.  Each recorded page is judged once, when it is
 * first asked for.  One thread.
 */
#ifndef SIMULATE_RELEVANCE_H
#define SIMULATE_RELEVANCE_H

#include "simulate/recorded_web.h"
#include "spec/settings.h"

struct relevance;

/* *ret is NULL when these settings want nothing. */
must_use enum status relevance_open(struct relevance **ret, struct recorded_web *w,
				    const struct crawl_settings *s, struct diag *why);
void relevance_close(struct relevance *r);
/* Of the answer `nr`: 0 to 1. */
float relevance_of(struct relevance *r, uint32_t nr);
/* From where on a page counts as relevant. */
float relevance_bound(const struct relevance *r);
#endif
