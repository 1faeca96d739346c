/*
 * work.h - the loop of campaigns as a state machine: facts in, the next request or a wait
 * out.
 *
 * A stream is one list that is read page by page: an interaction with its parameters.
 * Streams wait in the lane of their (host, key).  A lane has a delay, a number of
 * requests at once, and buckets of budget (quota.h).  Nothing here reads a clock, a
 * socket or a file, so that a week passes in a test in milliseconds; the engine (run.h)
 * carries the decisions out and journals them.  One thread.
 *
 *   ready ──send──▶ in flight ──page──▶ ready ... ──last page──▶ done
 *     ▲                 │ retry, wait
 *     └──── delayed ◀───┘ ──too often, client error, drift──▶ failed (next run: again)
 *
 * 1. A stream in flight is in no queue; a ready one is in `ready` of its lane once; a
 *    delayed one is in `delayed` once.
 * 2. lane.in_flight is the number of its streams in flight, and at most its concurrency.
 * 3. pending is the number of streams that are neither done nor failed.
 */
#ifndef API_WORK_H
#define API_WORK_H

#include "api/quota.h"
#include "service/answer.h"

#define WORK_ATTEMPTS 6  /* of one page, then the stream failed */
#define WORK_WAITS    40 /* in a row in one lane without an answer: it is stopped */
#define WORK_SAME     6  /* times the same page in a row: the list goes in a circle */

enum stream_state {
	STREAM_READY,     /* waits for its turn */
	STREAM_DELAYED,   /* not before a time */
	STREAM_IN_FLIGHT, /* requested, no answer yet */
	STREAM_DONE,      /* read to its end */
	STREAM_FAILED,    /* gave up; begun anew in the next run */
	STREAM_STATES
};

/* Why a stream ended. */
enum stream_end {
	END_NOT,
	END_LAST_PAGE,
	END_KNOWN,     /* newest first, and nothing new on the page */
	END_SATURATED, /* the campaign's own limit of pages without new items */
	END_CIRCLE,    /* the cursor or the page was there before */
	END_LIMIT,     /* pages, requests, items or time */
	END_ATTEMPTS,  /* failed: no good answer */
	END_REFUSED,   /* failed: client error */
	END_DRIFT,     /* failed: the answer has another shape */
	END_STOPPED,   /* failed: the service was stopped */
	STREAM_ENDS
};
extern const char *const stream_end_words[STREAM_ENDS];

struct stream {
	uint32_t campaign, endpoint, interaction, lane;
	uint32_t nr; /* in the journal of its campaign; the engine's */
	enum stream_state state;
	enum stream_end end;
	uint64_t key;       /* the same in every run */
	struct var *params; /* owned, as all texts */
	size_t n_params;
	char *page, *since, *best; /* C strings; never NULL while the stream is pending */
	uint32_t pages, attempts, same;
	uint32_t idle;     /* pages in a row without a new item */
	uint32_t refusals; /* tokens in a row that were not accepted */
	uint64_t items, last_page;
	int64_t not_before_ms;
	bool is_root;
};

struct lane_waiting {
	int64_t due_ms;
	uint32_t stream;
};

struct work_lane {
	uint64_t key;
	uint64_t concurrency, delay_ms;
	int64_t next_ms; /* the delay after the last request */
	uint32_t in_flight, waits;
	uint32_t *ready; /* from `head` on */
	size_t head, n, cap;
	struct lane_waiting *delayed; /* heap */
	size_t n_delayed, delayed_cap;
	bool is_stopped;
	bool has_login; /* a request for a token is in flight */
};

/* What an interaction of an endpoint costs. */
struct work_cost {
	size_t bucket;
	uint64_t cost;
};

struct work_endpoint {
	uint32_t lane;
	const struct api_service *service;
	uint64_t id;              /* of its base URL and parameters; the engine's */
	struct work_cost **costs; /* per interaction; */
	size_t *n_costs;
	bool wants_token;
};

struct work_limits {
	uint64_t max_requests, max_items, saturation; /* per round */
	int64_t until_ms;
	uint64_t requests_before, items_before; /* when the round began */
	uint64_t round; /* a page of another round may be requested again */
};

struct work_counts {
	uint64_t requests, pages, items, new_items, changed, links, triples, retries,
		waits, failed, done, drift, circles, logins;
};

struct work {
	struct quota *quota;
	struct stream *streams;
	size_t n, cap;
	struct work_lane *lanes;
	size_t n_lanes, lanes_cap;
	struct work_endpoint *endpoints;
	size_t n_endpoints, endpoints_cap;
	struct work_limits *limits; /* per campaign */
	struct work_counts *counts; /* per campaign */
	size_t n_campaigns;
	struct map by_key;  /* of streams of this run: none is begun twice */
	struct map visited; /* hash of (stream, page): pages that were fetched */
	size_t pending, next_lane;
};

void work_release(struct work *w);
void work_init(struct work *w, struct quota *q, size_t campaigns);
/* The lane of this name; the slower of two wishes holds. */
uint32_t work_add_lane(struct work *w, struct str name, uint64_t concurrency,
		       uint64_t delay_ms);
uint32_t work_add_endpoint(struct work *w, uint32_t lane, const struct api_service *s,
			   struct str bucket_prefix);

struct stream_start {
	uint32_t campaign, endpoint, interaction;
	const struct var *params;
	size_t n_params;
	struct str since, page;
	bool is_root;
};
/* The same in every run, whichever other campaigns there are. */
uint64_t stream_key(const struct work *w, const struct stream_start *s);
/* Of `by_key`. */
uint64_t stream_run_key(uint64_t key, uint32_t campaign);
/* UINT32_MAX when it was begun already in this run. */
uint32_t work_add(struct work *w, const struct stream_start *s);

enum work_kind {
	WORK_SEND,  /* request the next page of `stream`; budgets are spent */
	WORK_LOGIN, /* fetch a token for `endpoint`; budgets are spent */
	WORK_WAIT,  /* nothing before `until_ms`, or before an answer */
	WORK_DONE,  /* nothing is pending */
};

struct work_next {
	enum work_kind kind;
	uint32_t stream, endpoint;
	int64_t until_ms; /* INT64_MAX: an answer must come first */
};
/* ST_OK or what the budget's file said. */
must_use enum status work_next(struct work *w, int64_t now_ms, struct work_next *ret,
			       struct diag *why);

/* What became of a request. */
struct page_report {
	enum answer_kind kind;
	uint64_t wait_ms;
	struct rate_facts rate;
	enum page_end end;
	struct str next; /* state of the next page */
	struct str best; /* the greatest incremental value so far */
	size_t items, new_items;
	uint64_t page_hash; /* of the ids on it */
};
void work_answered(struct work *w, uint32_t stream, const struct page_report *r,
		   int64_t now_ms);
/* The token came, or not: then the lane is stopped after some attempts. */
void work_logged_in(struct work *w, uint32_t endpoint, bool fine, int64_t now_ms);
/* How long to wait before attempt n + 1: 1 s, 2 s, 4 s ... 5 min. */
uint64_t work_backoff_ms(uint32_t attempts);
/* Texts of a stream that ended are given back. */
void stream_forget(struct stream *s);
void assert_work(const struct work *w);
#endif
