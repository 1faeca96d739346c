/*
 * protocol.h - the SPARQL 1.1 Protocol and the Graph Store Protocol, without sockets.
 *
 * A request in, a response out: whoever speaks HTTP (serve.c, a test, a fuzzer) calls
 * this.  Any thread.  Pages of other origins and hosts that were not meant get nothing
 * (web/http_guard.h), which the head of a request is enough to tell.
 *
 *   /            the query page
 *   /sparql      queries (GET, POST) and updates (POST); a description without a query
 *   /graphs      a graph: ?graph=IRI or ?default with GET, HEAD, PUT, POST, DELETE
 *   /queries     what runs now (GET); DELETE ?id=NUMBER ends one
 */
#ifndef KB_PROTOCOL_H
#define KB_PROTOCOL_H

#include "kb/kb.h"
#include "kb/running.h"
#include "web/http_guard.h"

struct protocol_options {
	struct query_limits limits;
	bool read_only;
	enum default_graph default_graph;
	struct query_cancel cancel; /* of all queries; besides, each by its number */
	struct guard_rules guard;
	struct guard_budget *answers; /* bytes of all answers together; NULL: no limit */
	struct running *running;      /* NULL: not counted, not listed */
	struct service service;
	struct document_loader loader;
};

struct protocol_request {
	struct str method, path, query; /* `query` as it stands behind '?' */
	struct str content_type, accept, body;
	/* Header fields; empty when missing. */
	struct str host, origin, referer, fetch_site, fetch_mode, authorization;
};

struct protocol_response {
	unsigned status;
	const char *content_type;
	struct buf body;
	bool head_only;              /* the answer to HEAD: no body */
	struct guard_budget *budget; /* what the body was charged to, and how much */
	uint64_t charged;
};

/*
 * The answer to a request that is refused for what its head says, so that nobody
 * waits for its body; false when it must be answered.
 */
bool protocol_refuses(const struct protocol_options *options,
		      const struct protocol_request *q, struct protocol_response *ret);

void protocol_answer(struct kb *k, const struct protocol_options *options,
		     const struct protocol_request *q, struct protocol_response *ret);
void protocol_response_release(struct protocol_response *r);

extern const struct str query_page; /* page.html */
#endif
