/*
 * client.h - one request over a socket, for the self-check and the tests.
 *
 * Blocking, a connection a request, no TLS.  Not the crawler's client: it knows
 * nothing of politeness and trusts the server.
 */
#ifndef TESTWEB_CLIENT_H
#define TESTWEB_CLIENT_H

#include "base/buf.h"

struct client_answer {
	struct buf raw;
	unsigned status;
	struct str head;
	struct buf body; /* chunks joined, content coding undone */
	bool whole;      /* neither cut short nor malformed */
};

struct client_request {
	uint32_t address; /* IPv4, host order */
	uint16_t port;
	struct str url;    /* absolute; sent as such */
	struct str fields; /* further header lines with their line ends */
};

/* ST_IO when there is no connection, ST_SYNTAX when what came is no answer. */
must_use enum status client_get(const struct client_request *r, struct client_answer *ret,
				struct diag *why);
void client_answer_release(struct client_answer *a);
/* The value of a field, or empty. */
struct str client_field(const struct client_answer *a, const char *name);
#endif
