/*
 * host.h - a thread that runs the campaigns of a folder as their wishes say (desk.h).
 *
 * Campaigns may be added, changed, paused, resumed and stopped while others run: the run
 * is then ended at a commit and begun again with those that are wanted, as after a kill.
 * One host per folder: another one waits until this one ends.  The clock and the network
 * are the real ones.
 */
#ifndef CAMPAIGNS_HOST_H
#define CAMPAIGNS_HOST_H

#include <stdatomic.h>

#include "campaigns/desk.h"
#include "fetch/fetch.h"
#include "os/thread.h"

struct host_options {
	const char *dir;      /* of the campaigns */
	const char *services; /* descriptions; NULL: the shipped ones */
	const char *secrets;  /* file; NULL or missing: the environment */
	const char *crawl;    /* folder of a crawl that gets the links; NULL: none */
	struct fetch_options fetch;
};

struct campaign_host {
	struct host_options o;
	struct thread thread;
	atomic_bool stop;
	/* the thread's own */
	uint64_t signature;
	int64_t looked_ms;
};

/* Texts of the options live as long as the host. */
must_use enum status campaign_host_start(struct campaign_host *h,
					 const struct host_options *o, struct diag *why);
/* Ends at a commit; harmless when it was not started. */
void campaign_host_stop(struct campaign_host *h);
#endif
