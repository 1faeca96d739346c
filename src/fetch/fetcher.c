#include "fetch/fetcher.h"

#include <stdlib.h>

#include "base/alloc.h"

struct network {
	struct fetcher base; /* first */
	struct fetch *fetch;
};

static struct fetch *fetch_of(struct fetcher *f)
{
	return ((struct network *)f)->fetch;
}

static void start(struct fetcher *f, const struct fetch_task *task, struct arena *arena,
		  struct buf *body, void *cookie)
{
	fetch_start(fetch_of(f), task, arena, body, cookie);
}

static void resolve(struct fetcher *f, struct str host, dns_done_fn *done, void *arg)
{
	fetch_resolve(fetch_of(f), host, done, arg);
}

static void allow_seed(struct fetcher *f, const struct url *seed)
{
	fetch_allow_seed(fetch_of(f), seed);
}

static size_t in_flight(const struct fetcher *f)
{
	return fetch_in_flight(((const struct network *)f)->fetch);
}

static void abort_all(struct fetcher *f)
{
	fetch_abort_all(fetch_of(f));
}

static void close_network(struct fetcher *f)
{
	fetch_close(fetch_of(f));
	free(f);
}

static const struct fetcher_ops network_ops = {
	.start = start,
	.resolve = resolve,
	.allow_seed = allow_seed,
	.in_flight = in_flight,
	.abort_all = abort_all,
	.close = close_network,
};

enum status fetcher_open_network(struct fetcher **ret, void *arg, struct loop *loop,
				 const struct fetch_options *options,
				 fetch_done_fn *on_done, void *ctx, struct diag *why)
{
	struct fetch *fetch;

	(void)arg;
	TRY(fetch_open(&fetch, loop, options, on_done, ctx, why));
	struct network *n = NEW(struct network);
	*n = (struct network){ .base.ops = &network_ops, .fetch = fetch };
	*ret = &n->base;
	return ST_OK;
}
