/*
 * url_rules.h - the learned URL rules at work in the loop: which links need not be
 * asked for, because another URL is known to be the same page.
 *
 * Between the links of a page and the frontier: a link that a rule changes is
 * offered under its canonical key; if the key is known it is skipped, with the rule
 * in the ledger, but for those that prove or watch the rule.  What was wrongly
 * skipped comes back.  Owned by the loop thread.
 */
#ifndef CRAWL_URL_RULES_H
#define CRAWL_URL_RULES_H

#include "crawl/crawl.h"

must_use enum status url_rules_open(struct crawl *c, struct diag *why);
/* Give the links their keys; those known by their own name are taken out of the list. */
must_use enum status url_rules_key(struct crawl *c, struct crawl_item *i,
				   struct discovery *links, size_t *n, struct diag *why);
/*
 * After the links were offered: of those whose key was known, which are asked for all
 * the same?  They are put into `again`, with room for `n`, to be offered once more;
 * the others are in the ledger.  Returns how many.
 */
size_t url_rules_settle(struct crawl *c, struct crawl_item *i,
			const struct discovery *links, size_t n,
			const struct frontier_decision *d, struct discovery *again);
/* A judged page is evidence. */
void url_rules_learn(struct crawl *c, const struct crawl_item *i);
/* A little learning, when there is time; and what comes back. */
void url_rules_step(struct crawl *c);
must_use enum status url_rules_save(struct crawl *c, struct diag *why);
#endif
