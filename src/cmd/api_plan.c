/* What thresh api run prints: with --dry-run requests and budgets; counts at the end. */
#include <stdio.h>

#include "api/plan.h"
#include "cmd/api.h"

#define N(x) ((unsigned long long)(x))

void api_print_result(const struct api_result *r, bool json)
{
	const struct work_counts *c = &r->counts;
	uint64_t fresh = c->new_items - c->changed;

	if (json)
		printf("{\"requests\":%llu,\"pages\":%llu,\"items\":%llu,\"new\":%llu,"
		       "\"changed\":%llu,\"links\":%llu,\"triples\":%llu,"
		       "\"failed\":%llu}\n",
		       N(c->requests), N(c->pages), N(c->items), N(fresh), N(c->changed),
		       N(c->links), N(c->triples), N(c->failed));
	else
		printf("%llu requests, %llu items: %llu new, %llu changed; %llu links, "
		       "%llu triples; %llu streams failed\n",
		       N(c->requests), N(c->items), N(fresh), N(c->changed), N(c->links),
		       N(c->triples), N(c->failed));
}

static const char *ordinal(uint64_t n)
{
	bool teen = n % 100 / 10 == 1;

	return teen || n % 10 == 0 || n % 10 > 3 ? "th"
	       : n % 10 == 1                     ? "st"
	       : n % 10 == 2                     ? "nd"
						 : "rd";
}

/* "12 streams x 4 per day, 48 of 50 requests per day: fits; the 13th does not" */
static void print_row(const struct campaign_plan_row *r, FILE *to)
{
	uint64_t next = r->fit + r->more + 1;

	fprintf(to,
		"budget " STR_FMT " " STR_FMT
		": %llu streams x %llu per day, %llu of %llu requests per day: ",
		STR_ARG(r->host), STR_ARG(r->bucket), N(r->streams), N(r->rounds),
		N(r->need), N(r->per_day));
	if (r->need <= r->per_day)
		fprintf(to, "fits; the %llu%s does not\n", N(next), ordinal(next));
	else
		fprintf(to,
			"%llu fit; the %llu%s does not (campaign " STR_FMT
			"), and takes longer than planned\n",
			N(r->fit), N(next), ordinal(next), STR_ARG(r->first_out));
}

static void print_sum(const struct campaign_plan *p)
{
	uint64_t need = 0, per_hour = 0;

	for (size_t i = 0; i < p->n; i++) {
		need += p->v[i].need;
		per_hour += p->v[i].per_hour;
	}
	if (p->n > 0)
		printf("plan: %llu requests per day; the budgets allow %llu per hour\n",
		       N(need), N(per_hour));
}

enum status api_print_plan(const struct campaign *campaigns, size_t n,
			   struct secrets *secrets, struct diag *why)
{
	cleanup(campaign_plan_release) struct campaign_plan plan = { 0 };
	cleanup(buf_release) struct buf requests = { 0 };

	TRY(campaign_plan_add_requests(campaigns, n, secrets, &requests, why));
	TRY(campaign_plan_make(&plan, campaigns, n, why));
	printf(STR_FMT, STR_ARG(buf_str(&requests)));
	for (size_t i = 0; i < plan.n; i++)
		print_row(&plan.v[i], stdout);
	print_sum(&plan);
	return ST_OK;
}

void api_warn_of_budgets(const struct campaign *campaigns, size_t n)
{
	cleanup(campaign_plan_release) struct campaign_plan plan = { 0 };
	struct diag why;

	if (campaign_plan_make(&plan, campaigns, n, &why) != ST_OK)
		return; /* the run says so too */
	for (size_t i = 0; i < plan.n; i++)
		if (plan.v[i].need > plan.v[i].per_day) {
			fprintf(stderr, "thresh api run: ");
			print_row(&plan.v[i], stderr);
		}
}
