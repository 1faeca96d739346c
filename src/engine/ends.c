#include <stdio.h>

#include "engine/steps.h"

void crawl_fail(struct crawl *c, enum status st, const struct diag *why)
{
	if (c->st != ST_OK)
		return;
	c->st = st;
	c->why = *why;
	c->end = st == ST_DISK_FULL ? CRAWL_DISK_LOW : CRAWL_FAILED;
	c->stopping = true;
}

void crawl_stop(struct crawl *c, enum crawl_end end, const char *why)
{
	if (c->stopping)
		return;
	c->stopping = true;
	c->end = end;
	snprintf(c->why.text, sizeof(c->why.text), "%s", why);
}

void crawl_start_request(struct crawl *c, struct crawl_item *i)
{
	i->stage = ITEM_FETCHING;
	i->request = c->events.requests++;
	c->fetcher->ops->start(c->fetcher, &i->step.task, &i->arena, &i->body, i);
}
