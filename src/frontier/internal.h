/* internal.h - what the files of the frontier share among themselves. */
#ifndef FRONTIER_INTERNAL_H
#define FRONTIER_INTERNAL_H

#include "frontier/frontier.h"

/* Queue a link that is new and allowed; `page->off_hops` are its own. */
must_use enum status frontier_enqueue(struct frontier *f, const struct discovery *d,
				      const struct frontier_page *page, struct diag *why);
must_use enum status frontier_enqueue_encoded(struct frontier *f, uint32_t site,
					      struct u128 key, uint8_t priority,
					      const struct queued_url *q,
					      size_t origin_bytes, struct diag *why);
/* What a late answer needs to queue the link after all. */
void frontier_late_encode(struct frontier *f, const struct discovery *d,
			  const struct frontier_page *page, uint8_t off_hops,
			  struct buf *to);
/* Under which key a refused URL is known. */
struct u128 frontier_refused_key(struct u128 key);
/* Which counts a URL touches; none when it cannot be parsed. */
struct template_key frontier_template(struct frontier *f, struct str url);
/* The task as it is queued. */
struct queued_url frontier_queued_url(struct frontier *f, const struct frontier_step *s);
/* A request of the site is in flight. */
/* Nothing else is left: sites that were out of reach are tried once more.  False when
 * there are none. */
bool frontier_revive_sites(struct frontier *f, int64_t now_ms);
/* Its queue has something to take, and had nothing. */
void frontier_wake_site(struct frontier *f, uint32_t site);
/* The reason for which URLs of all further templates are held. */
#define HOLD_OTHERS (UINT32_MAX - 1)

/*
 * When the site has nothing else to ask and all its answers are judged: let some of what
 * is held for want of novelty go.
 */
must_use enum status frontier_try_held(struct frontier *f, uint32_t site,
				       struct diag *why);
#endif
