/*
 * service.h - a crawl's folder as seen and steered from outside, without sockets.
 *
 * Answers come from files that the crawl writes (snapshots, the ring of events, journal,
 * lists); demands go to its inbox.  So it works the same in the crawl's own process and
 * in another one, and, but for commands, whether or not a crawl runs.  No structure of
 * the crawl is touched.  Any thread; strings of a request are borrowed.
 */
#ifndef SERVE_SERVICE_H
#define SERVE_SERVICE_H

#include "control/inbox.h"
#include "web/http_guard.h"

struct service {
	char *dir;
	struct inbox inbox;
	bool takes_demands; /* no other process does */
	bool is_inside;     /* this process is the crawl */
	bool is_public;     /* bound elsewhere than to the loopback address */
	struct buf token;
	const struct str *hosts; /* names by which we may be called */
	size_t n_hosts;
	pthread_mutex_t heavy; /* one walk over the journal at a time */
	unsigned waiting;      /* for it */
	pthread_mutex_t rate_lock;
	int64_t rate_ms; /* of the limit of requests */
	double rate_left;
};

struct service_options {
	const char *dir;
	bool is_inside, is_public;
	const struct str *hosts;
	size_t n_hosts;
};

/* Makes DIR/serve.token (mode 0600) when there is none.  ST_NOT_FOUND when `dir` is no
 * crawl. */
must_use enum status service_open(struct service *s, const struct service_options *o,
				  struct diag *why);
void service_close(struct service *s);
/* A crawl runs in the folder, here or in another process. */
bool service_runs(const struct service *s);

#define REQUEST_ARGUMENTS 8

struct request {
	struct str method, path, content_type, last_event_id;
	struct guard_request guard; /* its fields; the method too */
	struct {
		struct str name, value; /* decoded */
	} arguments[REQUEST_ARGUMENTS];
	size_t n_arguments;
	struct str body;
};

enum response_kind {
	RESPONSE_BODY,
	RESPONSE_EVENTS, /* a stream: see events.h */
};

struct response {
	uint8_t kind; /* enum response_kind */
	unsigned status;
	const char *content_type;
	const char *allow; /* of a 405: methods; NULL otherwise */
	struct buf body;
	uint64_t after;       /* of a stream: the id it begins behind */
	unsigned event_kinds; /* bits */
};

void response_release(struct response *r);
/* Empty when it was not given. */
struct str request_argument(const struct request *q, struct str name);
/* ST_SYNTAX, said in `r`, when it is no number up to `max`. */
must_use bool request_number(const struct request *q, struct str name, uint64_t max,
			     uint64_t otherwise, uint64_t *ret, struct response *r);
/* application/problem+json, RFC 9457. */
void response_problem(struct response *r, unsigned status, const char *detail);
/* A status and what a failure says. */
void response_failure(struct response *r, enum status st, const struct diag *why);

/* Whether the request may be made at all, by its head alone; otherwise `r` is filled. */
bool service_allows(struct service *s, const struct request *q, struct response *r);
/* Whether its body is a stream of URLs, to be read by an `inject` as it comes. */
bool service_is_stream(const struct request *q);
/* Answer anything but such a stream. */
void service_answer(struct service *s, const struct request *q, struct response *r);

/* Every method and path that is answered, one by one; false at the end. */
bool service_route(size_t i, struct str *ret_method, struct str *ret_path);

/* Demands of one request, on their way to the inbox. */
must_use enum status service_add(struct service *s, struct str block, uint64_t *ret_end,
				 struct diag *why);
/* What was added up to `end` is on disk: say so. */
void service_acknowledge(struct service *s, uint64_t n, uint64_t end, struct response *r);
#endif
