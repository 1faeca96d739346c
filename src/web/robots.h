/*
 * robots.h - the Robots Exclusion Protocol (RFC 9309): what a robots.txt says
 * to one crawler, compiled so that asking costs less than parsing the URL.
 *
 * The file is parsed for given names; groups for any of them are merged, and
 * only where there are none the groups for "*" count.  Never fetches, never
 * reads the clock: robots_policy() says what an answer of the server, or none,
 * means, as a function of its arguments.
 *
 * A zeroed struct allows everything.  Read-only after parsing, then any thread.
 */
#ifndef WEB_ROBOTS_H
#define WEB_ROBOTS_H

#include "base/arena.h"
#include "base/buf.h"

/* RFC 9309 2.5 asks for at least this much; what follows is not read. */
#define ROBOTS_MAX_BYTES ((size_t)500 * 1024)
/* Sitemaps and other records kept from one file. */
#define ROBOTS_NOTES_MAX 4096

enum robots_note_kind {
	NOTE_SITEMAP,        /* of the whole file, as the next two */
	NOTE_CONTENT_SIGNAL, /* "search=yes, ai-train=no" */
	NOTE_HOST,
	NOTE_CRAWL_DELAY, /* of a group, as all that follow */
	NOTE_REQUEST_RATE,
	NOTE_VISIT_TIME,
	NOTE_CLEAN_PARAM,
	NOTE_NOINDEX,
	NOTE_OTHER,
};

/* A record that is no rule: kept as it was written, for reports. */
struct robots_note {
	enum robots_note_kind kind;
	struct str name, value;
	uint32_t line;
};

struct robots {
	struct robots_rule *rules;
	size_t rules_n, rules_cap;
	size_t plain_n; /* the first of them, in the order of their bytes */
	struct robots_note *notes;
	size_t notes_n, notes_cap;
	struct arena bytes;
	uint64_t crawl_delay_ms;         /* 0 when none is given */
	uint32_t fields, unknown_fields; /* how much of the file was understood */
	uint32_t last_line;              /* that had a field */
	bool named;     /* a group names us; otherwise "*" counts, or nothing */
	bool truncated; /* the file was longer than ROBOTS_MAX_BYTES */
	bool as_google;
};

struct robots_options {
	/*
	 * Product tokens to obey, in any case: "thresh".  None: only "*" counts.
	 * With "*" among them its groups are obeyed besides those that name us.
	 */
	const struct str *names;
	size_t names_n;
	/*
	 * Where Google's parser leaves the RFC: octets are compared as they are
	 * written, and a list of names on one line is not a list.
	 */
	bool as_google;
};

void robots_release(struct robots *r);
/*
 * Parse a robots.txt.  Never fails: what cannot be read is passed over, as the
 * RFC asks.  UTF-8 or, with a byte order mark, UTF-16.
 */
void robots_parse(struct robots *ret, struct str text, const struct robots_options *o);

struct robots_verdict {
	bool allowed;
	uint32_t line;      /* of the rule that decided, from 1; 0 when none matched */
	struct str pattern; /* in its compiled form; lives as long as the robots */
};

/*
 * May `path_query` (url_path_query() of a parsed URL) be fetched?  The longest
 * rule that matches decides, Allow wins a tie, and robots.txt itself is allowed.
 */
struct robots_verdict robots_decide(const struct robots *r, struct str path_query);
static inline bool robots_allows(const struct robots *r, struct str path_query)
{
	return robots_decide(r, path_query).allowed;
}

/* What Content-Signal says of one use ("search", "ai-input", "ai-train"). */
enum robots_signal { SIGNAL_UNSET, SIGNAL_YES, SIGNAL_NO };
enum robots_signal robots_signal(const struct robots *r, struct str use);

/* Is `name` a product token (RFC 9309 2.2.1): letters, '-' and '_'? */
bool robots_name_valid(struct str name);

/* What came of asking for robots.txt, redirects followed. */
struct robots_fetch {
	int status;              /* HTTP; 0 when there was no answer at all */
	bool too_many_redirects; /* more than five in a row */
	bool has_last_good;      /* a copy from an earlier time is at hand */
	uint32_t failures;       /* in a row before this one */
	uint64_t unreachable_ms; /* since the first of them; 0 when this is it */
	uint64_t retry_after_ms; /* from the answer; 0 when it says nothing */
	uint64_t fresh_for_ms;   /* from Cache-Control; 0 when it says nothing */
};

enum robots_access {
	ROBOTS_PARSE,    /* the body counts */
	ROBOTS_ALLOW,    /* no robots.txt: everything is allowed */
	ROBOTS_LAST,     /* go on with the last good copy */
	ROBOTS_DISALLOW, /* nothing may be fetched until asked again */
};

struct robots_policy {
	enum robots_access access;
	uint64_t ask_again_ms; /* from now */
	const char *reason;    /* for the ledger: "robots.txt answers 503" */
};

/* RFC 9309 2.3.1 and 2.4, with our numbers where it leaves them open. */
struct robots_policy robots_policy(const struct robots_fetch *f);
#endif
