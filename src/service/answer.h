/*
 * answer.h - what an answer of a service means: a decision from facts.
 *
 * Reads status, header and body by the description and says one thing: the items are
 * there; or what to do instead.  The words for people are the table's.  Pure.
 */
#ifndef SERVICE_ANSWER_H
#define SERVICE_ANSWER_H

#include "service/page.h"
#include "service/rate.h"

enum answer_kind {
	ANSWER_ITEMS,     /* good: items, perhaps none */
	ANSWER_RETRY,     /* may pass: 5xx, connection lost, truncated or broken JSON */
	ANSWER_WAIT,      /* too many requests */
	ANSWER_LOGIN,     /* the token is not accepted any more */
	ANSWER_END,       /* the list ends here, the description says */
	ANSWER_SKIP,      /* this request will never work: 4xx */
	ANSWER_DRIFT,     /* a good answer of another shape than described */
	ANSWER_FORBIDDEN, /* nothing more from this service */
	ANSWERS
};

extern const char *const answer_words[ANSWERS];

struct api_answer {
	enum answer_kind kind;
	struct rate_facts rate;
	uint64_t wait_ms;  /* of ANSWER_WAIT and ANSWER_RETRY; 0: growing waits */
	struct json *root; /* owned */
	struct diag why;   /* what is wrong, for people */
};

/* What came over the network. */
struct answer_facts {
	int code; /* HTTP status, or negative */
	bool is_truncated;
	const struct http_head *head;
	struct str body; /* decoded */
	int64_t now_ms;
	bool has_token; /* the request carried a token that can be renewed */
	struct str url; /* of the request: a WebSocket's key follows from it */
};

void api_answer_release(struct api_answer *a);
void api_answer_read(const struct api_service *s, const struct api_interaction *i,
		     const struct answer_facts *f, struct api_answer *ret);
#endif
