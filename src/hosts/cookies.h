/*
 * cookies.h - the cookies of a crawl: one jar per pay-level domain, when asked for.
 *
 * Some sites show nothing without them.  A jar never gives a cookie to a host that
 * its cookie is not for (RFC 6265, public suffixes included); how much all jars
 * hold is bounded.  Kept in DIR/state/cookies.txt in the form that browsers and curl
 * exchange; what a crash loses of it the servers set again.  Owned by the loop.
 */
#ifndef HOSTS_COOKIES_H
#define HOSTS_COOKIES_H

#include "base/arena.h"
#include "base/intern.h"
#include "record/fetch.h"
#include "warc/stored_head.h"
#include "web/cookie.h"

#define COOKIES_MAX 20000 /* of all sites together */

struct cookies {
	bool on;
	struct intern domains; /* pay-level */
	struct cookie_jar *jars;
	size_t cap;
	size_t n; /* cookies in all jars */
	uint64_t refused;
	bool changed; /* since the last save */
};

void cookies_release(struct cookies *c);
/* The Cookie field of a task, in `a`. */
void cookies_give(struct cookies *c, struct fetch_task *t, struct arena *a,
		  int64_t now_ms);
/* Set-Cookie fields of its answer. */
void cookies_take(struct cookies *c, const struct fetch_task *t,
		  const struct stored_head *head, int64_t now_ms);
/* Some servers send to the same URL again, to see the cookie come back. */
bool cookies_want_again(const struct cookies *c, const struct fetch_task *t,
			const struct stored_head *head, int code);
/* Lines of cookies.txt; those that make no sense are counted. */
void cookies_parse(struct cookies *c, struct str text, int64_t now_ms, size_t *ret_bad);
void cookies_format(const struct cookies *c, struct buf *to);

/* From the user's file and the state of an earlier process; into the state. */
must_use enum status cookies_load(struct cookies *c, const char *dir, struct str file,
				  int64_t now_ms, struct diag *why);
must_use enum status cookies_save(struct cookies *c, const char *dir, struct diag *why);
#endif
