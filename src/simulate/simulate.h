/*
 * simulate.h - crawl an archive instead of the network.
 *
 * The engine, the policy, the rules and the frontier are those of a crawl; only clock and
 * fetcher are others: answers come from recorded_web.h at once, and where a crawl would
 * wait, time passes.  One request at a time, so that the same archive and settings give
 * the same decisions, to the byte.
 */
#ifndef SIMULATE_SIMULATE_H
#define SIMULATE_SIMULATE_H

#include "simulate/crawl_outcome.h"
#include "spec/settings.h"

/* One way to crawl it. */
struct simulated_spec {
	struct str name;
	struct crawl_settings *settings; /* changed: what a simulation cannot do is off */
	struct str_list *seeds;
	struct relevance *judge; /* of all columns; NULL: nothing is wanted */
	const char *keep; /* the folder of the simulated crawl; NULL: none is left */
};

/* `ret->name` is borrowed from `s`. */
must_use enum status simulate_run(const struct simulated_spec *s, struct recorded_web *w,
				  struct crawl_outcome *ret, struct diag *why);
/* The first page of the archive, for who names no seeds; empty when there is none. */
struct str simulate_seed(const struct recorded_web *w);
#endif
