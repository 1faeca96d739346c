/*
 * replay_fetcher.h - a fetcher whose answers come when the script of a recorded crawl
 * says so (crawl/play.h).
 */
#ifndef SIMULATE_REPLAY_FETCHER_H
#define SIMULATE_REPLAY_FETCHER_H

#include "fetch/fetcher.h"
#include "simulate/recording.h"

struct replay_request; /* one without an answer yet */
struct replay_name;

struct replay_fetcher {
	struct fetcher base; /* first */
	struct recording *recording;
	const struct recorded_process *process;
	bool (*wants_body)(void *ctx, void *cookie, int status, struct str header);
	fetch_done_fn *on_done;
	void *ctx;
	struct replay_request *requests;
	size_t n_requests, requests_cap;
	struct replay_name *names;
	size_t n_names, names_cap;
	size_t in_flight;
	char *spool_dir;
	unsigned spooled;
	uint64_t missing; /* answers that the archive does not have */
};

/* A fetcher_open_fn; `arg` is the struct replay_fetcher with its recording. */
must_use enum status replay_fetcher_open(struct fetcher **ret, void *arg,
					 struct loop *loop,
					 const struct fetch_options *options,
					 fetch_done_fn *on_done, void *ctx,
					 struct diag *why);
/* For struct crawl_script. */
void replay_fetcher_happen(void *arg, const struct trace_event *e);
void replay_fetcher_give_up(void *arg);
#endif
