#include "cmd/crawl_campaigns.h"

#include "os/file.h"

enum status crawl_campaigns_start(struct campaign_host *h, const char *dir,
				  const struct crawl_settings *s, struct diag *why)
{
	static struct arena names; /* as long as the process: what the host borrows */
	char *services = path_join(&names, dir, STR("services"));
	struct host_options o = {
		.dir = path_join(&names, dir, STR("campaigns")),
		.services = dir_exists(services) ? services : NULL,
		.secrets = path_join(&names, dir, STR("secrets.json")),
		.crawl = path_join(&names, dir, STR("")),
		.fetch = { .user_agent = settings_user_agent(s, &names),
			   .proxy = s->proxy,
			   .ca_file = s->ca_file,
			   .insecure = s->insecure,
			   .allow_private = s->allow_private,
			   .body_max = (uint64_t)64 << 20 },
	};

	return campaign_host_start(h, &o, why);
}
