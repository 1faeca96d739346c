/*
 * federate.h - SERVICE: other endpoints, asked over HTTP.
 *
 * Off unless hosts are named.  A host is allowed by its exact name; no redirect is
 * followed, so an allowed endpoint cannot lead elsewhere.  Answers are capped.
 */
#ifndef KB_FEDERATE_H
#define KB_FEDERATE_H

#include "base/option.h"
#include "query/query.h"

struct federation {
	const struct str_list *hosts; /* "localhost", "sparql.example.org" */
	uint64_t timeout_ms;          /* 0: a minute */
};

/* `f` must outlive the queries. */
struct service federation_service(struct federation *f);
#endif
