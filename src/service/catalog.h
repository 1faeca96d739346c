/*
 * catalog.h - the descriptions at hand: those of a folder, then the shipped ones.
 */
#ifndef SERVICE_CATALOG_H
#define SERVICE_CATALOG_H

#include "service/service.h"

struct shipped_service {
	const char *name;
	const struct str *text;
};
extern const struct shipped_service shipped_services[]; /* ended by a NULL name */

struct catalog {
	const char *dir; /* descriptions of the user; NULL: none */
	bool only_names; /* no path to a file: the campaign is not the user's own */
	struct api_service **v; /* those that were asked for */
	size_t n, cap;
};

void catalog_release(struct catalog *c);
/* By name, or a path to a file: read once.  Lives as long as the catalog. */
must_use enum status catalog_find(struct catalog *c, struct str name,
				  const struct api_service **ret, struct diag *why);
/* The text of a description, for lint and list; `ret_name` is for messages. */
must_use enum status catalog_text(const struct catalog *c, struct str name,
				  struct buf *to, struct diag *why);
#endif
