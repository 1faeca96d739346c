/*
 * frontier.h - what is asked next, and what is never asked, and why.
 *
 * Links go in as discoveries, each answered with a decision that names its
 * rule; tasks come out when politeness, robots and budgets allow.  The frontier
 * touches neither network nor clock nor journal: its owner, the loop thread,
 * passes the time, looks addresses up when asked to, fetches what it is given,
 * reports the end of each fetch, and writes decisions down.  The same calls give
 * the same answers.
 *
 * The way of a site: SITE_NEW -> frontier asks for its address (STEP_RESOLVE) ->
 * for its robots.txt (a task of kind FETCH_ROBOTS) -> pages (FETCH_PAGE).
 */
#ifndef FRONTIER_FRONTIER_H
#define FRONTIER_FRONTIER_H

#include "frontier/budget.h"
#include "frontier/novelty.h"
#include "frontier/queued_url.h"
#include "frontier/schedule.h"
#include "frontier/scope.h"
#include "frontier/seen.h"
#include "frontier/sites.h"
#include "frontier/trap.h"
#include "record/discovery.h"
#include "record/fetch.h"
#include "web/suffix.h"

/* Why a queued URL is not asked for after all. */
struct frontier_refusal {
	int code; /* enum fetch_code */
	struct str rule, detail;
};

struct frontier_settings {
	const char *dir; /* for what does not fit into memory */
	size_t seen_ram_bytes;
	struct politeness politeness[LANE_KINDS];
	struct budget_settings budget;
	struct novelty_settings templates;
	struct trap_limits traps;
	uint32_t max_attempts;      /* of one URL, the first included */
	uint32_t max_site_failures; /* to resolve, or to get robots.txt */
	uint32_t site_retry_ms;     /* after such a failure; doubles */
	uint64_t random_seed;
	bool ignore_robots;
	/* One decision: is this path of the site allowed, and by which line? */
	bool (*robots_allow)(void *arg, uint32_t site, struct str path,
			     struct str *ret_line);
	/* Is the URL queued under this key still wanted?  If not, `ret` says why.  May be
	 * NULL. */
	bool (*still_wanted)(void *arg, uint32_t site, struct u128 key,
			     const struct queued_url *q, struct frontier_refusal *ret);
	/* The operator's group of a host; empty for none.  May be NULL. */
	struct str (*group_of)(void *arg, struct str host);
	void *arg;
};

enum frontier_verdict {
	FRONTIER_QUEUED,
	FRONTIER_KNOWN,   /* found before, or the same as a known one by a rule */
	FRONTIER_LATER,   /* frontier_late() tells whether it is new */
	FRONTIER_REFUSED, /* for the first time: worth a line in the ledger */
	FRONTIER_REFUSED_AGAIN,
	FRONTIER_SKIPPED, /* never said here: by a rule of the owner's */
};

struct frontier_decision {
	uint8_t verdict;  /* enum frontier_verdict */
	struct str stage; /* of a refusal: "scope", "trap", "url" */
	struct str rule;  /* which accepted or refused it */
	struct str detail;
};

/* What the page that links told about itself. */
struct frontier_page {
	struct str hops;   /* of the page */
	struct str source; /* seed it descends from */
	uint8_t off_hops;
};

enum step_kind {
	STEP_FETCH,
	STEP_RESOLVE, /* then frontier_resolved() or frontier_unresolved() */
	STEP_REFUSE,  /* a queued URL is not fetched after all: write it down */
	STEP_WAIT,    /* nothing before `until_ms`, unless a fetch ends */
	STEP_LIMIT,   /* a limit of the whole crawl: `rule` */
	STEP_IDLE,    /* nothing queued that could ever be asked, nothing in flight */
};

struct frontier_step {
	uint8_t kind; /* enum step_kind */
	uint32_t site;
	int64_t until_ms;
	struct fetch_task task; /* STEP_FETCH, STEP_REFUSE */
	uint8_t off_hops;
	struct template_key template;
	int code;                /* STEP_REFUSE: enum fetch_code */
	struct str rule, detail; /* STEP_REFUSE, STEP_LIMIT */
};

struct frontier {
	struct frontier_settings settings;
	struct scope scope;
	struct seen seen;
	struct queue_store queues;
	struct lanes lanes;
	struct sites sites;
	struct schedule schedule;
	struct budget budget;
	struct novelty templates;
	struct intern sources;
	uint32_t in_flight, resolving, unjudged;
	uint64_t found, known, refused;
	uint64_t novel; /* pages that were new */
	struct buf scratch[6];
	struct suffix_cache *suffixes;
	struct seen_question *questions; /* of the links being offered */
	size_t questions_cap;
};

must_use enum status frontier_open(struct frontier *f, const struct frontier_settings *s,
				   struct diag *why);
void frontier_close(struct frontier *f);

/*
 * Decide `n` links of one page, in order.  A seed is a discovery without via.
 * `decisions` has room for `n`; their strings live as long as the frontier's
 * settings.
 */
must_use enum status frontier_offer(struct frontier *f, const struct frontier_page *page,
				    const struct discovery *links, size_t n,
				    int64_t now_ms, struct frontier_decision *decisions,
				    struct diag *why);
/* Whether the URL's form allows it: scope and traps. */
bool frontier_would_take(struct frontier *f, const struct frontier_page *page,
			 const struct discovery *d);
/* Note `key` as found. */
must_use enum status frontier_note(struct frontier *f, struct u128 key, struct diag *why);
/* What the scope says of it, found on a page `off_hops` away from the scope. */
struct scope_answer frontier_scope(struct frontier *f, const struct discovery *d,
				   const struct url *u, uint32_t off_hops);
/* A link that was FRONTIER_LATER turned out new, and is queued.  ST_AGAIN for none. */
must_use enum status frontier_late(struct frontier *f, struct arena *a,
				   struct discovery *ret, struct diag *why);

/* What to do now; strings of the task live in `a`. */
must_use enum status frontier_next(struct frontier *f, int64_t now_ms, struct arena *a,
				   struct frontier_step *ret, struct diag *why);
/* `until_ms` is when the address must be looked up again. */
void frontier_resolved(struct frontier *f, uint32_t site, const struct ip *ip,
		       int64_t until_ms);
/* It leads to an address that somebody else asks; later again. */
void frontier_busy(struct frontier *f, uint32_t site, int64_t until_ms);
void frontier_unresolved(struct frontier *f, uint32_t site, int64_t now_ms);
/* Never again: everything queued on it is refused, with this code. */
void frontier_site_dead(struct frontier *f, uint32_t site, int code);
/* robots.txt is known, and good until then. */
void frontier_robots_known(struct frontier *f, uint32_t site, int64_t until_ms,
			   uint32_t crawl_delay_ms);
/* It could not be got: later again, or never. */
void frontier_robots_failed(struct frontier *f, uint32_t site, int64_t now_ms);

/* The transfer of a task ended; frees its place.  `bytes` as transferred. */
void frontier_fetched(struct frontier *f, uint32_t site, const struct answer *a,
		      uint64_t bytes);
/* Whether a task that was given out may still be sent: its host may have asked for a
 * pause since. */
bool frontier_may_send(const struct frontier *f, uint32_t site, int64_t now_ms);
/* Nothing was sent: back into the queue, as if it had not been given out. */
must_use enum status frontier_put_back(struct frontier *f, const struct frontier_step *s,
				       struct diag *why);
/* One more request of the same task, which nobody asked the frontier for. */
void frontier_again(struct frontier *f, uint32_t site, int64_t now_ms);
/* Its answer was no page: other URLs may still bring it. */
void frontier_no_page(struct frontier *f, const struct frontier_step *s);
/* The answer of `url` led to `to`: false when that is another page.  If not, it may be
 * asked in its place whatever their template has earned since. */
bool frontier_moved(struct frontier *f, struct str url, struct str to);
/* If it is queued under this key and held, it is not any more. */
must_use enum status frontier_let_go(struct frontier *f, struct str url, struct u128 key,
				     struct diag *why);
/* The page was judged, and its links offered; see novelty_answer(). */
must_use enum status frontier_judged(struct frontier *f, const struct frontier_step *s,
				     bool novel, unsigned new_percent, struct diag *why);
/*
 * Into the queue whatever scope, seen set and template say: what was asked before is
 * asked again, or it is a probe.  `d->kind` says which, `d->hash` is that of its URL.
 */
must_use enum status frontier_ask_anyway(struct frontier *f, const struct discovery *d,
					 const struct frontier_page *page,
					 struct diag *why);
bool frontier_is_queued(struct frontier *f, struct u128 key);
/* Limits of pages, bytes and time count from now. */
void frontier_new_round(struct frontier *f, int64_t now_ms);
/* Would it be asked for, if its page were not known, or be held? */
bool frontier_may_ask(struct frontier *f, struct str url);
/* Nobody has its page after all: other URLs of it are no longer probable duplicates. */
void frontier_forget_page(struct frontier *f, struct str url);
/* Back into the queue, for another attempt. */
must_use enum status frontier_requeue(struct frontier *f, const struct frontier_step *s,
				      struct diag *why);

/* --- replaying the journal --- */

/* A URL that was queued; whatever else the frontier thinks of it. */
must_use enum status frontier_restore(struct frontier *f, const struct discovery *d,
				      const struct frontier_page *page, struct diag *why);
/* One that was refused: it is known as such. */
must_use enum status
frontier_restore_refused(struct frontier *f, const struct discovery *d, struct diag *why);
/* What came of one that was fetched, before it is done: see novelty_answer(). */
void frontier_restore_answer(struct frontier *f, const struct url *url, bool novel,
			     unsigned new_percent);
/* One that was fetched, or given up; ST_NOT_FOUND when it was not queued. */
must_use enum status frontier_restore_done(struct frontier *f, const struct url *url,
					   struct u128 key, bool fetched, uint64_t bytes,
					   struct diag *why);
/* And it was a page. */
void frontier_restore_page(struct frontier *f, const struct url *url);
/* One that was undecided; ask frontier_late() for it when all is replayed. */
must_use enum status frontier_restore_later(struct frontier *f, const struct discovery *d,
					    const struct frontier_page *page,
					    struct diag *why);
/* The key of something done before it was queued. */
must_use enum status frontier_restore_known(struct frontier *f, struct u128 key,
					    struct diag *why);
/* A fetch of the site ended so. */
void frontier_restore_clock(struct frontier *f, uint32_t site, const struct answer *a);
/* All lanes: what was in flight may have ended just now. */
void frontier_resume(struct frontier *f, int64_t now_ms);
#endif
