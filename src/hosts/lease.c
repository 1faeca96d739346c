#include "hosts/lease.h"

#include <stdio.h>
#include <unistd.h>

#define NAME STR("crawl")

static enum status acquire(struct lease *l, int64_t now_ms, struct diag *why)
{
	enum status st = l->coord->ops->acquire(l->coord, NAME, str_from(l->owner),
						now_ms, LEASE_MS, &l->token);

	if (st != ST_OK)
		return diag_fail(why, st, "another process runs this crawl");
	l->until_ms = now_ms + LEASE_MS;
	return ST_OK;
}

enum status lease_take(struct lease *l, struct coord *coord, int64_t now_ms,
		       struct diag *why)
{
	char host[64] = "?";

	(void)!gethostname(host, sizeof(host) - 1);
	*l = (struct lease){ .coord = coord };
	snprintf(l->owner, sizeof(l->owner), "%s:%ld", host, (long)getpid());
	return acquire(l, now_ms, why);
}

enum status lease_renew(struct lease *l, int64_t now_ms, struct diag *why)
{
	if (l->coord->ops->renew(l->coord, NAME, l->token, now_ms, LEASE_MS) != ST_OK)
		return acquire(l, now_ms, why);
	l->until_ms = now_ms + LEASE_MS;
	return ST_OK;
}

bool lease_holds(const struct lease *l, int64_t now_ms)
{
	return now_ms < l->until_ms;
}

void lease_give_back(struct lease *l)
{
	if (l->coord)
		l->coord->ops->give_back(l->coord, NAME, l->token);
	*l = (struct lease){ 0 };
}

bool lease_address(struct lease *l, const struct ip *ip, int64_t now_ms, int64_t ttl_ms)
{
	cleanup(buf_release) struct buf name = { 0 };
	uint64_t token;

	buf_add(&name, STR("address/"));
	buf_add_ip(&name, ip);
	return l->coord->ops->acquire(l->coord, buf_str(&name), str_from(l->owner),
				      now_ms, ttl_ms, &token) == ST_OK;
}
