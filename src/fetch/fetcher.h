/*
 * fetcher.h - whoever brings answers: the network (fetch.h), or a script, or an archive.
 *
 * The engine knows only this, so that a whole crawl can be run without a socket.  All
 * calls are the loop thread's.  An answer may come before start() or resolve() returns.
 */
#ifndef FETCH_FETCHER_H
#define FETCH_FETCHER_H

#include "fetch/fetch.h"

struct fetcher;

struct fetcher_ops {
	/* See fetch_start(), fetch_resolve(), fetch_allow_seed(). */
	void (*start)(struct fetcher *f, const struct fetch_task *task,
		      struct arena *arena, struct buf *body, void *cookie);
	void (*resolve)(struct fetcher *f, struct str host, dns_done_fn *done, void *arg);
	void (*allow_seed)(struct fetcher *f, const struct url *seed);
	size_t (*in_flight)(const struct fetcher *f);
	void (*abort_all)(struct fetcher *f);
	void (*close)(struct fetcher *f);
};

struct fetcher {
	const struct fetcher_ops *ops;
};

/* How one is made; `arg` is whatever it needs beside the options. */
typedef enum status fetcher_open_fn(struct fetcher **ret, void *arg, struct loop *loop,
				    const struct fetch_options *options,
				    fetch_done_fn *on_done, void *ctx, struct diag *why);

/* The network's; no `arg`. */
must_use enum status fetcher_open_network(struct fetcher **ret, void *arg,
					  struct loop *loop,
					  const struct fetch_options *options,
					  fetch_done_fn *on_done, void *ctx,
					  struct diag *why);
#endif
