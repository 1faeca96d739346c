/*
 * reason.h - why a URL was taken, refused, skipped or dropped.
 *
 * Decisions carry the number; the words are for people and programs at the edge (the
 * ledger, `why`, `status`, the report, metrics) and come from one table.  A new reason
 * is a row here and a line where it is decided.  The words are part of the ledger's
 * format, the numbers of the journal's: add at the end of a group and raise
 * JOURNAL_VERSION.  Pure.
 */
#ifndef POLICY_REASON_H
#define POLICY_REASON_H

#include "base/str.h"

enum reason {
	REASON_NONE,
	/* scope: what takes a URL in, and what keeps it out (scope.h) */
	REASON_SEED,
	REASON_SURT, /* takes or refuses */
	REASON_INCLUDE,
	REASON_SCOPE_PAGE,
	REASON_SCOPE_PREFIX,
	REASON_SCOPE_HOST,
	REASON_SCOPE_DOMAIN,
	REASON_SCOPE_ANY,
	REASON_SCOPE_CUSTOM,
	REASON_OFF_SITE,
	REASON_EMBED,
	REASON_SCHEME,
	REASON_LENGTH,
	REASON_EXCLUDE,
	REASON_OUT_OF_SCOPE,
	REASON_DEPTH,
	REASON_MIME,
	/* the form of the URL (trap.h) */
	REASON_TRAP_DEEP_PATH,
	REASON_TRAP_REPEATED_SEGMENTS,
	REASON_TRAP_MANY_PARAMETERS,
	REASON_TRAP_REPEATED_PARAMETERS,
	REASON_TRAP_ESCAPED_ESCAPES,
	REASON_TRAP_CONCATENATED_HOST,
	REASON_TRAP_CALENDAR,
	REASON_MALFORMED,
	/* modules that look at pages forbid it (record/advice.h) */
	REASON_VETO_APPLICATION,
	REASON_VETO_BLACKLIST,
	REASON_VETO_MODULE,
	REASON_VETO_VIEW,
	REASON_NOFOLLOW, /* whoever linked to it does */
	/* the API of its site (siteapi/) */
	REASON_API_OBJECT,
	REASON_API_LIST,
	/* the seen set */
	REASON_KNOWN,
	REASON_NEW,
	/* URL rules */
	REASON_URL_RULE,
	REASON_CHECK,
	/* when its turn has come */
	REASON_ROBOTS,
	REASON_TEMPLATE,
	REASON_GUESS,
	REASON_HOST_PAGES,
	REASON_HOST_BYTES,
	REASON_HOST_SITEMAPS,
	REASON_DOMAIN_PAGES,
	REASON_SITE_DEAD,
	REASON_SITE_RETRY,
	REASON_RENDER_OVER,
	/* the answer */
	REASON_SOFT_404,
	REASON_RETRY,
	REASON_COOKIE,
	/* deliberate requests */
	REASON_SOFT_404_PROBE,
	REASON_LAST_ATTEMPT,
	REASON_DUE,
	REASON_NEEDS_BROWSER,
	REASON_RENDER_REQUEST,
	/* limits of the whole crawl */
	REASON_MAX_PAGES,
	REASON_MAX_BYTES,
	REASON_MAX_TIME,
	/* whoever steers the crawl (serve/) */
	REASON_INJECTED,
	REASON_BLACKLISTED,
	REASON_EXPIRED,
	REASON_DROPPED_BY_HAND,
	REASON_HELD_BY_HAND,
	/* a limit of a crawl with a focus */
	REASON_SATURATION,
	/* other nodes of the crawl (cluster/) */
	REASON_ELSEWHERE,
	REASONS,
};

/* What a request that was not made would have been worth, for the report. */
enum saving {
	SAVING_NONE,    /* not a request that was saved */
	SAVING_KNOWN,   /* its page is known */
	SAVING_NOTHING, /* nothing new was to be expected */
	SAVING_OUTSIDE, /* not wanted, or not allowed */
};

struct reason_row {
	struct str stage;    /* "scope", "trap", "queue" ... */
	struct str word;     /* "out-of-scope"; with the stage it names the reason */
	struct str sentence; /* for people */
	struct str change;   /* what would change the outcome; empty: nothing would */
	int code;            /* enum fetch_code of a URL that was not fetched for it */
	enum saving saving;
};

extern const struct reason_row reason_table[REASONS];

/* Of the scope, so that another scope may decide otherwise. */
static inline bool reason_is_scope(enum reason r)
{
	return r >= REASON_SEED && r <= REASON_MIME;
}
/* The reason of these two words, REASON_NONE when there is none. */
enum reason reason_find(struct str stage, struct str word);
#endif
