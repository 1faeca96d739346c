/*
 * api_mock.h - a web API with a known truth, and every trouble such a server can make.
 *
 * A list of items, each with words and comments; the truth follows from the seed.  The
 * mock counts what a client may not do: more requests than the limit in a window, a
 * request before the wait that was asked for is over, a page again that was answered
 * well.  The clock is a parameter; no sockets (testweb's server can stand before it).
 *
 *   GET  /items?page_size=&q=&(cursor|page|offset|from)=   {"items", "total", "pages",
 *        "next", "continue"} and a Link field: all ways of going on at once
 *   GET  /items/ID/comments      {"items"}
 *   POST /token                  {"access_token", "expires_in"}
 */
#ifndef TESTWEB_API_MOCK_H
#define TESTWEB_API_MOCK_H

#include "base/buf.h"
#include "base/map.h"
#include "base/rng.h"

/* How it says how long to wait. */
enum rate_dialect {
	DIALECT_RETRY_SECONDS,
	DIALECT_RETRY_DATE,
	DIALECT_RESET_ISO,
	DIALECT_RESET_EPOCH,
	DIALECT_RESET_SECONDS,
	DIALECT_IETF,
	DIALECT_IETF_FIELDS,
	DIALECT_BODY,
	DIALECTS
};

struct api_mock_options {
	uint64_t seed;
	uint32_t items, page_size, comments_most;
	uint32_t changed_from;     /* items from this one on have a second version */
	uint64_t limit, window_ms; /* 0: no limit */
	enum rate_dialect dialect;
	int64_t skew_ms; /* of the server's clock */
	double limited, failing, lost, truncated, repeating, drifting; /* chances */
	bool loops;        /* the last page leads back to the first */
	uint64_t token_ms; /* a token lives so long; 0: none is wanted */
};

struct api_mock {
	struct api_mock_options o;
	struct rng rng;
	struct map good;      /* hash of target -> times it was answered well */
	int64_t closed_ms;    /* until then it wants no request */
	int64_t window_start; /* of the present window */
	uint64_t in_window;
	int64_t token_until;
	uint64_t token;
	bool is_repeat; /* the page before was shown in place of the one requested */
	uint64_t requests, over_budget, too_early, twice;
};

struct api_mock_request {
	bool is_post;
	struct str target, authorization; /* "/items?page=2" */
	int64_t now_ms;
};

struct api_mock_answer {
	int status; /* 0: the connection is lost */
	bool is_truncated;
	struct buf header, body; /* `header` ends in an empty line */
};

#define MOCK_WORDS 12

void api_mock_init(struct api_mock *m, const struct api_mock_options *o);
void api_mock_release(struct api_mock *m);
void api_mock_answer(struct api_mock *m, const struct api_mock_request *r,
		     struct api_mock_answer *ret);
void api_mock_answer_release(struct api_mock_answer *a);
/* The truth. */
struct str api_mock_word(unsigned nr);
bool api_mock_matches(const struct api_mock *m, uint32_t item, struct str word);
uint32_t api_mock_comments(const struct api_mock *m, uint32_t item);
#endif
