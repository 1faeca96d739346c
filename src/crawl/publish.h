/*
 * publish.h - what the loop shows to whoever watches: events, and every second a
 * snapshot (state/status.json, state/live.json, state/events.ring, state/counters).
 *
 * Nobody is waited for and nobody is asked: watchers read files.  The loop thread's.
 */
#ifndef CRAWL_PUBLISH_H
#define CRAWL_PUBLISH_H

#include "control/demand.h"
#include "control/outlet.h"
#include "policy/decide.h"
#include "record/discovery.h"
#include "report/live.h"

struct crawl;
struct crawl_item;

struct publisher {
	struct outlet outlet;
	struct live live;
	uint8_t *site_states, *rule_states; /* as they were told last */
	size_t site_cap, rule_cap, n_rules;
	int64_t next_live_ms, next_save_ms;
	bool is_open;
};

must_use enum status publish_open(struct crawl *c, struct diag *why);
void publish_release(struct publisher *p);

void publish_page(struct crawl *c, const struct crawl_item *i);
void publish_retry(struct crawl *c, const struct crawl_item *i);
void publish_link(struct crawl *c, const struct discovery *l,
		  const struct url_decision *d);
void publish_refusal(struct crawl *c, struct str url, enum reason reason,
		     struct str detail);
void publish_limit(struct crawl *c, struct str why);
/* A demand was carried out, on `n` URLs. */
void publish_control(struct crawl *c, enum demand_kind kind, struct str text, uint64_t n);

/* The end of a turn of the loop: others see what was told. */
void publish_flush(struct crawl *c);
void publish_second(struct crawl *c, int64_t mono_ms);
#endif
