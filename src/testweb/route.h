/*
 * route.h - from a URL to its place.  Total: every URL stands for something,
 * if only for a page that is not there.
 */
#ifndef TESTWEB_ROUTE_H
#define TESTWEB_ROUTE_H

#include "testweb/link.h"
#include "testweb/target.h"

/*
 * `host` as in the Host field, with or without a port; `target` as in the
 * request line ("/path?query").  A host that is no site's gives VIEW_CONTROL
 * with site NO_SITE.
 */
struct place route_request(const struct world *w, bool https, struct str host,
			   struct str target);
/* The same for an absolute URL; false when it is not an http or https URL. */
bool route_url(const struct world *w, struct str url, struct place *ret);
#endif
