/*
 * guesses.h - how strings in scripts that looked like URLs fared, site by site.
 *
 * Once those of a site have turned out junk (jsguess.h says when), no more are taken
 * from its pages and those in the queue are dropped.  A view of the journal; owned by
 * the loop thread.
 */
#ifndef HOSTS_GUESSES_H
#define HOSTS_GUESSES_H

#include "base/base.h"
#include "base/str.h"
#include "page/jsguess.h"

struct guesses {
	struct jsguess_score *v; /* by the frontier's number of a site */
	size_t n, cap;
};

void guesses_release(struct guesses *g);
/* The answer to a task of `hops`; anything but a guess is passed over. */
void guesses_learn(struct guesses *g, uint32_t site, struct str hops, bool found);
bool guesses_are_worth(const struct guesses *g, uint32_t site);
bool hops_end_in_guess(struct str hops);
#endif
