/*
 * run.h - the engine: campaigns in, a folder each out.
 *
 *   DIR/budgets         what was spent, per (host, key); shared by all campaigns
 *   DIR/kb              the knowledge base: one graph per campaign
 *   DIR/NAME/           see folder.h
 *
 * Carries out what work.h decides: sends requests through a fetcher, hands answers to
 * answer.h and harvest.h, journals, commits once a second.  The clock and the fetcher are
 * parameters.  One thread.
 */
#ifndef API_RUN_H
#define API_RUN_H

#include "api/campaign.h"
#include "api/folder.h"
#include "fetch/fetcher.h"

struct api_outside {
	const struct clock *clock;
	fetcher_open_fn *open_fetcher;
	void (*pass_time)(void *arg, int64_t ms); /* instead of sleeping; NULL: sleep */
	void *arg;
};

struct api_run_options {
	const char *dir;
	struct secrets *secrets;
	const char *record; /* folder; NULL: none */
	const char *replay; /* folder; NULL: the network */
	const char *crawl;  /* folder of a crawl that gets the links; NULL: none */
	const struct fetch_options *fetch;
	bool once;    /* one round, whatever `every` says */
	bool no_kb;   /* triples.nq only */
	bool no_warc; /* for measurements */
	/* A campaign without `every` has one round, and another only when
	 * NAME/state/again is there. */
	bool is_hosted;
	bool is_stranger; /* the campaigns are not the user's own: public addresses only
			   */
	/* Now and then, and at the end; may be NULL.  False: stop. */
	bool (*progress)(void *arg, const struct work *w);
	void *arg;
};

enum api_run_end { API_COMPLETE, API_PARTIAL, API_LIMIT, API_INTERRUPTED };

struct api_result {
	enum api_run_end end;
	struct work_counts counts; /* of all campaigns, this run */
};

must_use enum status api_run(const struct api_outside *outside,
			     const struct campaign *campaigns, size_t n,
			     const struct api_run_options *options,
			     struct api_result *ret, struct diag *why);

struct api_run; /* run_internal.h */
#endif
