/* thresh api run --dry-run: requests and budgets, nothing sent. */
#include <stdio.h>

#include "api/plan.h"
#include "cmd/api.h"

enum status api_print_plan(const struct campaign *campaigns, size_t n,
			   struct secrets *secrets, struct diag *why)
{
	cleanup(campaign_plan_release) struct campaign_plan plan = { 0 };
	cleanup(buf_release) struct buf requests = { 0 };

	TRY(campaign_plan_add_requests(campaigns, n, secrets, &requests, why));
	TRY(campaign_plan_make(&plan, campaigns, n, why));
	printf(STR_FMT, STR_ARG(buf_str(&requests)));
	for (size_t i = 0; i < plan.n; i++) {
		const struct campaign_plan_row *r = &plan.v[i];
		uint64_t need = r->requests * r->rounds;

		printf("budget " STR_FMT " " STR_FMT
		       ": %llu streams x %llu per day, %llu of %llu requests per day: %s "
		       "(%llu fit)\n",
		       STR_ARG(r->host), STR_ARG(r->bucket),
		       (unsigned long long)r->keywords, (unsigned long long)r->rounds,
		       (unsigned long long)need, (unsigned long long)r->per_day,
		       need <= r->per_day ? "fits" : "does not fit",
		       (unsigned long long)r->fit);
	}
	return ST_OK;
}
