/*
 * reorder.h - scores from a watched file, taken over while queues are snoozed.
 *
 * A thread reads the file (control/score_file.h); the loop applies what has changed to
 * the queue of a site only while politeness keeps that site from being requested, until
 * all is applied or the site wakes in less than --scores-margin.  So reordering never
 * delays a request.  A URL that is found later gets its score when it is found.  The loop
 * thread's.
 */
#ifndef CRAWL_REORDER_H
#define CRAWL_REORDER_H

#include "engine/state.h"

must_use enum status reorder_open(struct crawl *c, struct diag *why);
void reorder_release(struct crawl *c);
/* A few milliseconds of it; true when there is more to do now. */
bool reorder_step(struct crawl *c);
#endif
