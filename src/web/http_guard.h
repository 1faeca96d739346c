/*
 * http_guard.h - who may ask a server of ours, and how much of it: rules, no sockets.
 *
 * A server on the loopback address is reached by every page that a browser on this
 * machine shows, and by DNS names that suddenly mean 127.0.0.1.  So every request is
 * judged by its header fields before its body is read, whatever its method.  Which
 * connection has to go when there are too many, and how many bytes all requests
 * together may hold, are decided here as well.  Pure but for the counters, which
 * any thread may use; strings are borrowed.
 */
#ifndef WEB_HTTP_GUARD_H
#define WEB_HTTP_GUARD_H

#include "base/str.h"

struct guard_rules {
	/* Names by which we may be called, besides localhost and plain addresses. */
	const struct str *hosts;
	size_t n_hosts;
	struct str token; /* wanted of every request; empty: none is */
};

/* Header fields, empty when missing. */
struct guard_request {
	struct str method;
	struct str host, origin, referer;
	struct str fetch_site, fetch_mode; /* Sec-Fetch-Site, Sec-Fetch-Mode */
	struct str authorization;
	/* A fixed document: it may be linked to, it costs and shows nothing. */
	bool is_page;
};

enum guard_verdict {
	GUARD_ALLOWED,
	GUARD_OTHER_HOST,   /* called by a name that is not ours: DNS rebinding */
	GUARD_OTHER_SITE,   /* the browser says that a page of another origin asks */
	GUARD_OTHER_ORIGIN, /* Origin or Referer is not ours */
	GUARD_NO_TOKEN,     /* the token is missing or wrong */
	GUARD_VERDICTS,
};

enum guard_verdict guard_decide(const struct guard_rules *rules,
				const struct guard_request *q);
/* The status and the sentence of a refusal; 200 and "" for GUARD_ALLOWED. */
unsigned guard_status(enum guard_verdict v);
const char *guard_reason_words(enum guard_verdict v);

/* --- connections --- */

enum guard_phase {
	GUARD_IDLE,      /* nothing of a request is known yet, or its answer was sent */
	GUARD_SENDING,   /* the body is arriving */
	GUARD_ANSWERING, /* we are at work */
	GUARD_FREE,      /* no connection */
};

struct guard_connection {
	enum guard_phase phase;
	int64_t active_ms; /* when it last did anything */
};

#define GUARD_SILENT_MS 5000 /* a body that has stopped for so long may be given up */

/*
 * The connection to close where one must go: the one that has been idle longest, else
 * the body that has been silent longest; SIZE_MAX when all are at work.
 */
size_t guard_victim(const struct guard_connection *v, size_t n, int64_t now_ms);

/* --- amounts that all requests share --- */

struct guard_budget {
	uint64_t limit, used;
};

/* False, nothing taken, when that would be more than the limit. */
bool guard_take(struct guard_budget *b, uint64_t n);
void guard_give(struct guard_budget *b, uint64_t n);
#endif
