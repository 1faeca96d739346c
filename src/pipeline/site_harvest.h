/*
 * site_harvest.h - from the answer of a site's API to objects, links and the pages that
 * need not be fetched for it.
 *
 * In a worker.  A page that an object is whole without becomes a link with VETO_API, all
 * others are links as any page has them.  Objects go to objects.jsonl with the URL of
 * their page: that is the record of what stands for what.
 */
#ifndef PIPELINE_SITE_HARVEST_H
#define PIPELINE_SITE_HARVEST_H

#include "pipeline/harvest.h"

/* Fills `api`, `objects`, `said` and the links of the harvest. */
void harvest_site_answer(struct harvest *h, struct crawl_item *i, struct str body,
			 const struct url *own);
#endif
