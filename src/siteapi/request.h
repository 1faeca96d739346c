/* request.h - a request of the chain, and its URL.  Only for siteapi/. */
#ifndef SITEAPI_REQUEST_H
#define SITEAPI_REQUEST_H

#include "service/catalog.h"

#define SITE_SERVICES_MAX 32

struct site_services {
	struct catalog catalog;
	const struct api_service *v[SITE_SERVICES_MAX];
	size_t n;
};

struct site_request {
	const struct api_service *service;
	size_t list;         /* of service->site.lists */
	struct str instance; /* "https://example.org/blog" */
	struct str page;     /* state, see service/page.h; empty: the first */
};

static inline const struct api_site_list *site_list(const struct site_request *q)
{
	return &q->service->site.lists[q->list];
}
static inline const struct api_interaction *site_interaction(const struct site_request *q)
{
	return &q->service->interactions[site_list(q)->interaction];
}

/* The URL as url/normal.h writes it; false when there is none. */
bool site_request_format(const struct site_request *q, struct arena *a, struct str *ret);
/* Which request is it?  False for any other URL. */
bool site_request_parse(const struct site_services *s, struct str url, struct arena *a,
			struct site_request *ret);
#endif
