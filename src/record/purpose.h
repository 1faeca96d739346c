/*
 * purpose.h - why a URL is queued.
 *
 * A field of the discovery, of the queued URL, of the task and of the journal: it is
 * decided once, written down, and never guessed again from anything else.  What a
 * purpose means for the crawl is one row of a table (purpose.c), so a new one is a new
 * row.  Pure.
 */
#ifndef RECORD_PURPOSE_H
#define RECORD_PURPOSE_H

#include "base/hash.h"
#include "base/str.h"

enum purpose {
	PURPOSE_LINK,           /* a page links to it */
	PURPOSE_SEED,           /* the user named it */
	PURPOSE_REDIRECT,       /* an answer leads to it */
	PURPOSE_EMBED,          /* a page needs it to be shown */
	PURPOSE_MANIFEST,       /* a sitemap or a feed names it */
	PURPOSE_FORM,           /* a form leads to it */
	PURPOSE_GUESS,          /* a string in a script looks like it */
	PURPOSE_RULE_PROBE,     /* to prove a URL rule that would have skipped it */
	PURPOSE_EXPLORATION,    /* to watch a proved rule that would have skipped it */
	PURPOSE_REPLACEMENT,    /* the URL that stood for its page brought none */
	PURPOSE_RETURN,         /* skipped before, and the reason for that is gone */
	PURPOSE_RETURN_PROBE,   /* the same, and it proves another rule */
	PURPOSE_FINAL_SWEEP,    /* skipped for a URL that never was answered */
	PURPOSE_LAST_ATTEMPT,   /* it failed for a reason that may have passed */
	PURPOSE_RESCOPED,       /* in scope again, after the scope was changed */
	PURPOSE_REVISIT,        /* fetched before: has it changed? */
	PURPOSE_CHECK,          /* it contradicts a rule: fetched again, to compare */
	PURPOSE_SOFT_404_PROBE, /* it cannot exist: what does the host answer? */
	PURPOSE_ROBOTS,         /* robots.txt, before the host's other URLs */
	PURPOSE_INJECTED,       /* a program or a person named it while the crawl ran */
	PURPOSE_BROWSER,        /* fetched before: its page needs a browser */
	PURPOSE_RENDER_REQUEST, /* a page in the browser requests it */
	PURPOSE_NEXT_PAGE,   /* an application's next page of one: no other page is it */
	PURPOSE_VIEW_SAMPLE, /* left out as a view of other pages: is it one? */
	PURPOSE_SITEMAP,     /* robots.txt or a sitemap index names it as a sitemap */
	PURPOSE_API,         /* its site's API has there what pages show */
	PURPOSES,
};

struct purpose_traits {
	struct str word;     /* for programs: journal readers, JSON */
	struct str sentence; /* for people: "queued because ..." */
	bool is_page;       /* the answer is archived, parsed and learnt from as a page */
	bool is_unbudgeted; /* costs the budget of its template nothing */
	bool may_be_skipped; /* a URL rule may still skip it when its turn comes */
	bool was_skipped;    /* a skip in the ledger ends with it */
};

extern const struct purpose_traits purpose_table[PURPOSES];

static inline bool purpose_is_page(unsigned purpose)
{
	return purpose_table[purpose].is_page;
}
/* The purpose of a URL found by this enum hop (record/fetch.h). */
enum purpose purpose_of_hop(uint8_t hop);
/*
 * Under which 128 bits a URL is queued and, but for deliberate requests, known to the
 * seen set.  A URL whose `key` is not itself is known by its key, in a space of its own,
 * so that it is never taken for the URL that looks like the key.  The same URL can be
 * queued once for each deliberate purpose.
 */
struct u128 purpose_identity(enum purpose purpose, struct str url, struct str key);
#endif
