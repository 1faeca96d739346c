/*
 * offer.h - links on their way into the frontier.
 *
 * Gathers the facts (frontier, URL rules), lets the policy decide, hands what is accepted
 * to the frontier, and writes every decision to journal and ledger.  The loop thread's.
 */
#ifndef ENGINE_OFFER_H
#define ENGINE_OFFER_H

#include "engine/state.h"

/* Decide `n` links of one page; lines go to `i`.  Purposes, keys and identities of the
 * links are filled in. */
must_use enum status crawl_offer(struct crawl *c, struct crawl_item *i,
				 const struct frontier_page *page,
				 struct discovery *links, size_t n, struct diag *why);
/* A deliberate request: into the queue, whatever scope and seen set say. */
must_use enum status crawl_queue_anyway(struct crawl *c, struct crawl_item *i,
					const struct frontier_page *page,
					const struct discovery *d, enum reason reason,
					struct str detail, struct diag *why);
/* The journal's and the ledger's lines of what was decided. */
void crawl_write_links(struct crawl *c, struct crawl_item *i,
		       const struct frontier_page *page, const struct discovery *links,
		       size_t n, const struct url_decision *d);

must_use enum status crawl_offer_seeds(struct crawl *c, struct diag *why);
must_use enum status crawl_offer_seed(struct crawl *c, struct str text, struct diag *why);
/* Links that were undecided, and of which the disk has told by now. */
void crawl_late_links(struct crawl *c);
#endif
