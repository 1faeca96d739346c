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
	uint64_t per_day, per_hour; /* it allows */
	uint64_t need;              /* costs per day, of all campaigns */
	uint64_t streams;           /* so many were planned: keywords, mostly */
	uint64_t rounds;            /* per day, of the campaign that has the most */
	uint64_t fit;               /* so many streams fit, in the order of campaigns */
	uint64_t more;              /* and so many more would, as the last one is */
	struct str first_out; /* the campaign whose stream is the first that does not */
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
