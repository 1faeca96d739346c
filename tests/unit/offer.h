/* offer.h - links straight into a frontier, as a crawl without URL rules offers them. */
#ifndef TESTS_OFFER_H
#define TESTS_OFFER_H

#include "frontier/frontier.h"

static inline enum status offer_links(struct frontier *f,
				      const struct frontier_page *page,
				      struct discovery *links, size_t n, int64_t now_ms,
				      struct url_decision *decisions, struct diag *why)
{
	struct frontier_via via;

	frontier_parse_via(f, n ? links[0].via : STR(""), now_ms, &via);
	for (size_t i = 0; i < n; i++) {
		struct found_facts facts;

		frontier_look(f, page, &via, &links[i], &facts);
		if (purpose_table[links[i].purpose].is_unbudgeted)
			facts.purpose = links[i].purpose;
		decisions[i] = policy_found(&facts);
	}
	return frontier_admit(f, page, links, n, decisions, why);
}
#endif
