/* crawl_campaigns.h - the API crawler beside a crawl that is served (--listen). */
#ifndef CMD_CRAWL_CAMPAIGNS_H
#define CMD_CRAWL_CAMPAIGNS_H

#include "campaigns/host.h"
#include "spec/settings.h"

/* Campaigns of DIR/campaigns, their links to the crawl; DIR/services and
 * DIR/secrets.json are theirs.  campaign_host_stop() ends it. */
must_use enum status crawl_campaigns_start(struct campaign_host *h, const char *dir,
					   const struct crawl_settings *s,
					   struct diag *why);
#endif
