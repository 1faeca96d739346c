/*
 * protocol.h - the SPARQL 1.1 Protocol and the Graph Store Protocol, without sockets.
 *
 * A request in, a response out: whoever speaks HTTP (serve.c, a test, a fuzzer) calls
 * this.  Any thread.  What changes the store is refused to pages of other origins,
 * and everything to hosts that were not meant (DNS rebinding).
 *
 *   /            the query page
 *   /sparql      queries (GET, POST) and updates (POST); a description without a query
 *   /graphs      a graph: ?graph=IRI or ?default with GET, HEAD, PUT, POST, DELETE
 */
#ifndef KB_PROTOCOL_H
#define KB_PROTOCOL_H

#include "kb/kb.h"

struct protocol_options {
	struct query_limits limits;
	bool read_only;
	const bool *cancel;
	struct str host; /* a name besides the loopback ones by which we may be called */
	struct service service;
};

struct protocol_request {
	struct str method, path, query; /* `query` as it stands behind '?' */
	struct str content_type, accept, body;
	struct str host, origin; /* header fields; empty when missing */
};

struct protocol_response {
	unsigned status;
	const char *content_type;
	struct buf body;
	bool head_only; /* the answer to HEAD: no body */
};

void protocol_answer(struct kb *k, const struct protocol_options *options,
		     const struct protocol_request *q, struct protocol_response *ret);
void protocol_response_release(struct protocol_response *r);

extern const struct str query_page; /* page.html */
#endif
