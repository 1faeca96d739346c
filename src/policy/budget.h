/*
 * budget.h - how much may be spent: on the whole crawl, a host, a domain.
 *
 * The budget of a pay-level domain grows with the number of other pay-level
 * domains that link to it: links within a domain cost a spammer nothing, domains
 * cost money (the defence of IRLbot).  Every refusal names the budget.  Pure; one
 * owner; counts are told, time is a parameter.
 */
#ifndef POLICY_BUDGET_H
#define POLICY_BUDGET_H

#include "base/map.h"
#include "policy/reason.h"

struct budget_settings { /* 0 means no limit, everywhere */
	uint64_t max_pages, max_bytes;
	uint64_t max_time_ms;
	uint64_t host_pages, host_bytes;
	uint64_t host_sitemaps;     /* indexes may name others without end */
	uint64_t domain_pages;      /* of a domain nobody else links to ... */
	uint64_t domain_per_degree; /* ... and so many more for each domain that does ...
				     */
	uint64_t domain_pages_max;  /* ... up to this; 0: no end */
	uint32_t degree_max;        /* further domains are not counted */
};

struct spent {
	uint64_t pages, bytes; /* pages: asked for, in flight included */
	uint64_t sitemaps;     /* of the pages; of a host only */
};

struct budget {
	struct budget_settings settings;
	struct spent total;
	struct spent since; /* of `total`, when the limits of the crawl began to count */
	int64_t start_ms;   /* of the crawl, without the time it was stopped */
	struct map degrees; /* of domain pairs, hashed: already counted */
};

void budget_release(struct budget *b);
/* The limit that is reached, REASON_MAX_...; REASON_NONE for none. */
enum reason budget_total_reached(const struct budget *b, int64_t now_ms);
/* REASON_HOST_..., REASON_DOMAIN_PAGES, or REASON_NONE. */
enum reason budget_reached(const struct budget *b, const struct spent *host,
			   const struct spent *domain, uint32_t degree, bool is_sitemap);
/* A limit of the crawl counts from now on: REASON_MAX_PAGES, _BYTES or _TIME. */
void budget_renew(struct budget *b, enum reason limit, int64_t now_ms);
/* What a domain of this in-degree may have; UINT64_MAX for any number. */
uint64_t budget_domain_pages(const struct budget *b, uint32_t degree);
/* A link between two domains (hashes of their names): is the degree one higher? */
bool budget_link(struct budget *b, uint64_t from, uint64_t to, uint32_t degree);
#endif
