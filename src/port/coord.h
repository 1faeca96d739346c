/*
 * coord.h - a port: who may do what, one owner at a time.
 *
 * A lease on a name (an IP address, a shard) is held for a while and renewed.
 * Every grant of a name has a larger token than all before it, for ever; work
 * that carries an older token is refused (fencing), so an owner that slept
 * through its lease can do no harm.  Embedded: a table in memory, its tokens
 * kept above those of earlier runs by the number it is opened with.  The time is
 * a parameter.
 */
#ifndef PORT_COORD_H
#define PORT_COORD_H

#include "base/str.h"

struct coord;

/* Longer ago than this is as good as never. */
#define COORD_LONG_AGO ((int64_t)86400000)

/* One of many names that are asked for together. */
struct coord_claim {
	struct str name;
	uint64_t token; /* out: 0 while another owner's lease lasts */
	/* In: when we last used it, and the pause that follows.  Out: the last use by
	 * anybody; -1 when it is not known. */
	int64_t used_ms_ago;
	uint32_t delay_ms;
};

struct coord_ops {
	/* ST_DENIED while another owner's lease lasts; the same owner gets a new token.
	 */
	enum status (*acquire)(struct coord *c, struct str name, struct str owner,
			       int64_t now_ms, int64_t ttl_ms, uint64_t *ret_token);
	/* ST_DENIED when the token is not the newest, or its lease is over. */
	enum status (*renew)(struct coord *c, struct str name, uint64_t token,
			     int64_t now_ms, int64_t ttl_ms);
	/* May work that carries this token still be done? */
	bool (*holds)(struct coord *c, struct str name, uint64_t token, int64_t now_ms);
	/* Harmless when it is not held. */
	void (*give_back)(struct coord *c, struct str name, uint64_t token);
	/*
	 * Acquire or renew many; the same owner keeps the token of a lease that lasts.
	 * The last use is kept with the name, so that a new owner keeps the pause.  A
	 * failure says nothing about any of them.
	 */
	enum status (*claim)(struct coord *c, struct str owner, struct coord_claim *v,
			     size_t n, int64_t now_ms, int64_t ttl_ms, struct diag *why);
	void (*close)(struct coord *c);
};

struct coord {
	const struct coord_ops *ops;
};

/* Tokens begin above `first_token`: the last one of the run before, from its journal. */
void coord_open_local(struct coord **ret, uint64_t first_token);

static inline void coord_close(struct coord **c)
{
	if (*c)
		(*c)->ops->close(*c);
	*c = NULL;
}
#endif
