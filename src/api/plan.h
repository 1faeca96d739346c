/*
 * plan.h - what campaigns are going to request, and whether the budgets allow it.
 *
 * From descriptions and campaigns alone: nothing is sent.  Pages and chained requests
 * cannot be known before; `expect` of an interaction says how many requests one keyword
 * takes, one without it.
 */
#ifndef API_PLAN_H
#define API_PLAN_H

#include "api/campaign.h"
#include "service/secrets.h"

/* One budget and what is asked of it. */
struct campaign_plan_row {
	struct str host, service, bucket;
	uint64_t per_day;  /* it allows */
	uint64_t requests; /* per round, of all campaigns */
	uint64_t rounds;   /* per day, of the campaign that has the most */
	uint64_t keywords; /* so many were planned */
	uint64_t fit;      /* so many fit */
};

struct campaign_plan {
	struct campaign_plan_row *v;
	size_t n, cap;
	struct arena arena;
};

void campaign_plan_release(struct campaign_plan *p);
must_use enum status campaign_plan_make(struct campaign_plan *p,
					const struct campaign *campaigns, size_t n,
					struct diag *why);
/* The first request of every stream, one per line, secrets redacted. */
must_use enum status campaign_plan_add_requests(const struct campaign *campaigns,
						size_t n, struct secrets *secrets,
						struct buf *to, struct diag *why);
#endif
