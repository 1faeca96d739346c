/*
 * frontier.h - what is held, and what may be fetched now.
 *
 * Links go in as discoveries with the decision that policy/ made of the facts;
 * frontier_look() supplies those facts that it knows.  What is queued comes out when
 * politeness allows (STEP_DUE), for its owner to decide once more, by robots.txt,
 * budgets and rules, and then to send or to drop.  The frontier touches neither network
 * nor clock nor journal, and calls nobody back: its owner, the loop thread, passes the
 * time, looks addresses up when asked to, fetches what it is given, reports the end of
 * each fetch, and writes decisions down.  The same calls give the same answers.
 *
 * The way of a site: SITE_NEW -> its address is looked up (STEP_RESOLVE) -> its
 * robots.txt is fetched (STEP_ROBOTS) -> its pages.
 */
#ifndef FRONTIER_FRONTIER_H
#define FRONTIER_FRONTIER_H

#include "base/option.h"
#include "frontier/queued_url.h"
#include "frontier/schedule.h"
#include "frontier/seen.h"
#include "frontier/sites.h"
#include "policy/budget.h"
#include "policy/decide.h"
#include "policy/novelty.h"
#include "policy/scope.h"
#include "policy/trap.h"
#include "record/discovery.h"
#include "record/fetch.h"
#include "url/suffix.h"

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
	bool by_priority; /* of the sites that may be asked, the best URL first */
	/* "name=host": the operator's groups of hosts, each with all below it. */
	const struct str_list *groups;
};

/* What the page that links told about itself. */
struct frontier_page {
	struct str hops;   /* of the page */
	struct str source; /* seed it descends from */
	uint8_t off_hops;
};

/* The URL of that page, parsed once for all its links. */
struct frontier_via {
	struct url url;
	bool is_there; /* not for seeds */
};

enum step_kind {
	STEP_DUE,     /* the turn of a URL: frontier_send() or frontier_drop() it */
	STEP_ROBOTS,  /* fetch the robots.txt of a site */
	STEP_RESOLVE, /* then frontier_resolved() or frontier_unresolved() */
	STEP_REFUSE,  /* a URL that is held for ever is given up: write it down */
	STEP_WAIT,    /* nothing before `until_ms`, unless a fetch ends */
	STEP_LIMIT,   /* a limit of the whole crawl: `reason` */
	STEP_IDLE,    /* nothing queued that could ever be fetched, nothing in flight */
};

struct frontier_step {
	uint8_t kind; /* enum step_kind */
	uint32_t site;
	int64_t until_ms;
	struct fetch_task task; /* STEP_DUE, STEP_ROBOTS, STEP_REFUSE */
	uint8_t off_hops;
	struct template_key template;
	/* of STEP_DUE, the facts that the frontier knows: */
	int dead_code;      /* of a site that was given up; 0 for none */
	enum reason budget; /* that is spent, or REASON_NONE */
	bool is_granted;    /* its template has paid for it */
	bool is_again;      /* it was held as one whose page is known */
	enum reason reason; /* STEP_REFUSE, STEP_LIMIT */
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
	struct seen_question *questions; /* of the links being admitted */
	size_t questions_cap;
	bool is_shared;   /* with other nodes: see frontier_share() */
	bool has_contact; /* some server has answered; until then no long wait */
	bool may_sweep;   /* nobody else has anything to do either */
};

must_use enum status frontier_open(struct frontier *f, const struct frontier_settings *s,
				   struct diag *why);
void frontier_close(struct frontier *f);

/* Before the links of a page: parse its URL; `via` is empty for seeds. */
void frontier_parse_via(struct frontier *f, struct str via, int64_t now_ms,
			struct frontier_via *ret);
/*
 * What the frontier knows of a link: validity, seen set, scope, trap.  `facts->hop` and
 * `is_seed` too; rule and purpose are the caller's.  A link that is surely known is not
 * looked at further.  Not for a link between domains while in-degrees count: those are
 * counted here.
 */
void frontier_look(struct frontier *f, const struct frontier_page *page,
		   const struct frontier_via *via, const struct discovery *d,
		   struct found_facts *ret);
/*
 * Carry out what policy_found() decided of `n` links of one page, in order: a URL that
 * turns out known, undecided or refused before is marked so in its decision.
 */
must_use enum status frontier_admit(struct frontier *f, const struct frontier_page *page,
				    const struct discovery *links, size_t n,
				    struct url_decision *decisions, struct diag *why);
/* Note `key` as found. */
must_use enum status frontier_note(struct frontier *f, struct u128 key, struct diag *why);
/* What the scope says of it, found on a page `off_hops` away from the scope. */
struct scope_answer frontier_scope(struct frontier *f, const struct discovery *d,
				   const struct url *u, uint32_t off_hops);
/* A link that was OUTCOME_UNDECIDED turned out new, and is queued.  ST_AGAIN for none. */
must_use enum status frontier_late(struct frontier *f, struct arena *a,
				   struct discovery *ret, struct diag *why);

/* What to do now; strings of the task live in `a`. */
must_use enum status frontier_next(struct frontier *f, int64_t now_ms, struct arena *a,
				   struct frontier_step *ret, struct diag *why);
/* A URL that is due will be fetched, if its template pays for it; otherwise it is held,
 * and *ret_sent is false. */
must_use enum status frontier_send(struct frontier *f, struct frontier_step *s,
				   int64_t now_ms, bool *ret_sent, struct diag *why);
/* A URL that is due will not be fetched. */
must_use enum status frontier_drop(struct frontier *f, const struct frontier_step *s,
				   struct diag *why);
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
/* A task that was given out needs no request: its place is free, its verdict follows. */
void frontier_free_place(struct frontier *f, uint32_t site);
/* One more request of the same task, which nobody asked the frontier for. */
void frontier_start(struct frontier *f, uint32_t site, int64_t now_ms);
/* Its answer was no page: other URLs may still bring it. */
void frontier_no_page(struct frontier *f, const struct frontier_step *s);
/* The answer of `url` led to `to`: false when that is another page.  If not, it may be
 * asked in its place whatever their template has earned since. */
bool frontier_moved(struct frontier *f, struct str url, struct str to);
/* If it is queued under this key and held, it is not any more. */
must_use enum status frontier_release_held(struct frontier *f, struct str url,
					   struct u128 key, struct diag *why);
/* The page was judged, and its links offered; see novelty_answer(). */
must_use enum status frontier_judged(struct frontier *f, const struct frontier_step *s,
				     bool novel, unsigned new_percent, struct diag *why);
/*
 * Into the queue whatever scope, seen set and template say: a deliberate request, as
 * `d->purpose` says.
 */
must_use enum status frontier_queue_anyway(struct frontier *f, const struct discovery *d,
					   const struct frontier_page *page,
					   struct diag *why);
bool frontier_is_queued(struct frontier *f, struct u128 key);
/*
 * Somebody outside steers: the URL gets another priority, and is held no longer; or is
 * held until then, or to the end; or leaves the queue.  ST_NOT_FOUND when it is not
 * queued under this key.
 */
must_use enum status frontier_prioritise(struct frontier *f, struct str url,
					 struct u128 key, uint8_t priority,
					 struct diag *why);
must_use enum status frontier_hold(struct frontier *f, struct str url, struct u128 key,
				   struct diag *why);
must_use enum status frontier_remove(struct frontier *f, struct str url, struct u128 key,
				     struct diag *why);
/* Another priority for a queued URL, by its key; nothing happens when it is not queued,
 * or held. */
must_use enum status frontier_rescore(struct frontier *f, struct str url, struct u128 key,
				      uint8_t priority, struct diag *why);
/* A URL that is due goes back into the queue, with a lower priority. */
must_use enum status frontier_postpone(struct frontier *f, const struct frontier_step *s,
				       uint8_t priority, struct diag *why);
/* Of what the site would fetch next; -1 for nothing. */
int frontier_next_priority(const struct frontier *f, uint32_t site);
/* One of several nodes: new domains are away, and not fetched, until told otherwise; what
 * is held is given up only when the owner sets `may_sweep`. */
void frontier_share(struct frontier *f);
void frontier_set_away(struct frontier *f, uint32_t domain, bool is_away);
/* Its address may be used, but not before: another node used it last. */
void frontier_pause_site(struct frontier *f, uint32_t site, int64_t until_ms);
/* Limits of pages, bytes and time count from now. */
void frontier_new_round(struct frontier *f, int64_t now_ms);
/* Would its template let it be fetched now, or would it be held? */
bool frontier_may_fetch(struct frontier *f, struct str url);
/* Nobody has its page after all: other URLs of it are no longer probable duplicates. */
void frontier_forget_page(struct frontier *f, struct str url);
/* Back into the queue, for another attempt. */
must_use enum status frontier_requeue(struct frontier *f, const struct frontier_step *s,
				      struct diag *why);

/*
 * Aborts unless:
 *   1. what the queues of all sites hold adds up to what the store holds;
 *   2. so do pages in flight or unjudged, and addresses being looked up;
 *   3. the pages spent by all sites are those of the crawl;
 *   4. every site has a domain, and is in its ring if it says so;
 *   5. a site with something to fetch is in the ring of its domain;
 *   6. a dead site says of what.
 * Takes a walk over all sites: for tests after each step, and for the end of a crawl.
 */
void assert_frontier(const struct frontier *f);

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
/* A sitemap was fetched: its site has one less. */
void frontier_restore_sitemap(struct frontier *f, uint32_t site);
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
