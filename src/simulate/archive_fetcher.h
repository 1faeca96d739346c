/*
 * archive_fetcher.h - a fetcher that answers from an archive, at once.
 *
 * What is not in the archive is a 404, counted apart: nobody knows what it would have
 * been.  The n-th attempt gets the n-th recorded answer of its URL, or the last.  No
 * socket, no DNS: hosts have the address that the archive recorded.
 */
#ifndef SIMULATE_ARCHIVE_FETCHER_H
#define SIMULATE_ARCHIVE_FETCHER_H

#include "fetch/fetcher.h"
#include "os/clock.h"
#include "simulate/recorded_web.h"

struct archive_fetcher {
	struct fetcher base; /* first */
	struct recorded_web *web;
	struct fake_clock clock; /* the time in the simulation */
	bool (*wants_body)(void *ctx, void *cookie, int status, struct str header);
	fetch_done_fn *on_done;
	void *ctx;
	char *spool_dir;
	unsigned spooled;
	uint64_t unknown; /* requests for what is not in the archive */
	uint64_t damaged; /* answers that could not be read */
};

/* A fetcher_open_fn; `arg` is the struct archive_fetcher with its web and clock, which
 * the caller keeps. */
must_use enum status archive_fetcher_open(struct fetcher **ret, void *arg,
					  struct loop *loop,
					  const struct fetch_options *options,
					  fetch_done_fn *on_done, void *ctx,
					  struct diag *why);
/* For struct crawl_outside: the time passes without anybody waiting. */
void archive_fetcher_pass_time(void *arg, int64_t ms);
#endif
