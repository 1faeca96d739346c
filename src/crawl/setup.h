/*
 * setup.h - from the settings to the parts of a running crawl, and the folder's
 * small files.
 */
#ifndef CRAWL_SETUP_H
#define CRAWL_SETUP_H

#include "crawl/crawl.h"

/* Whether a crawl can begin so: what only the whole of the settings tells. */
must_use enum status setup_check(const struct crawl_settings *s,
				 const struct str_list *seeds, struct diag *why);
must_use enum status setup_frontier(struct crawl *c, struct diag *why);
must_use enum status setup_fetch(struct crawl *c, struct diag *why);
/* The first record of this process, committed. */
must_use enum status setup_begin(struct crawl *c, struct diag *why);
/* Limits, politeness and scope of these settings, for what is decided from now on. */
must_use enum status setup_rules(struct crawl *c, const struct crawl_settings *s,
				 const struct str_list *seeds, struct diag *why);
#endif
