/* find.h - the API of the site that a page is of.  Pure. */
#ifndef SITEAPI_FIND_H
#define SITEAPI_FIND_H

#include "apps/library.h"
#include "record/page.h"
#include "siteapi/siteapi.h"

struct site_page {
	struct str url;
	uint32_t app;             /* that made it */
	const struct link *links; /* as they stand there: not all are ever followed */
	size_t n_links;
};

/* The first request, and the name of the service; false when the page leads to none. */
bool site_find_api(const struct site_services *s, const struct app_library *apps,
		   const struct site_page *page, struct arena *a, struct str *ret_first,
		   struct str *ret_service);
#endif
