#include "engine/exchange.h"

#include <stdlib.h>

#include "engine/steps.h"

/* Among several nodes an address is asked for anew after a slice of time: whoever has it
 * for good would keep it until the resolver must be asked again. */
#define SHARED_ADDRESS_MS ((int64_t)60000)

void crawl_address_decided(struct crawl *c, void *ticket, bool is_ours, int64_t wait_ms)
{
	struct exchange_ticket *t = ticket;
	int64_t now = crawl_time_ms(c);

	c->idle_until_ms = 0;
	if (!is_ours) {
		frontier_busy(&c->frontier, t->site, now + wait_ms);
	} else {
		frontier_resolved(&c->frontier, t->site, &t->ip, now + SHARED_ADDRESS_MS);
		frontier_pause_site(&c->frontier, t->site, now + wait_ms);
	}
	free(t);
}
