/*
 * online.h - rules learnt and used while a crawl runs.
 *
 * How a crawl uses it, for every URL it has normalised (url/normal) and not seen before:
 *
 *   dust_online_key(o, url, &k);                the key, and the rules that made it
 *   seen = the crawl has requested or queued k.key
 *   switch (dust_online_decide(o, url, &k, seen)) {
 *   case ONLINE_NEW:      queue it; dust_online_queued(o, url)
 *   case ONLINE_SEEN:     it is the page that is known under this key: drop it
 *   case ONLINE_PROBE:    fetch it soon, to prove a rule that would have skipped it
 *   case ONLINE_EXPLORE:  fetch it, to watch a rule that is proved
 *   case ONLINE_SKIP:     skipped; the ledger names k.rule[0] and k.representative
 *   }
 *
 * and for every answer:
 *
 *   dust_online_page(o, url, content, &l); status 200; equal numbers for equal pages
 *   dust_online_moved(o, url, to);         a redirect
 *   dust_online_same(o, url, other);       rel=canonical
 *   dust_online_failed(o, url, cause);     no page came, or it will not be requested
 *   dust_online_answered(o, url);          any answer: it is no longer in flight
 *
 * Of a near-duplicate `content` is that of its representative: the hash of its URL with
 * the last bit set; where their main contents differ in more than a little they count as
 * two pages all the same (likeness_is_apart()).  Soft 404s and
 * template-only verdicts are not reported, nor are truncated pages.  Learning happens
 * only in
 *
 *   while (idle && dust_online_step(o)) ;       one site, a few milliseconds
 *   while (dust_online_next_return(o, &r))      decide r.urls anew
 *   while (dust_online_next_check(o, &url))     fetch it once more, then
 *                                               dust_online_checked() or _failed()
 *
 * When the frontier is empty dust_online_settle() returns URLs for more probes, and the
 * final sweep finds what was skipped for a page that never came.
 *
 * One thread owns all of it, without locks.  The clock is not read; the same calls give
 * the same results.
 *
 * The life of a rule is the table of rule_life.h.  On probation `probes` URLs that it
 * would skip, and one more, are fetched; while their answers are pending it skips the
 * rest on trust.  Proved, it skips all but a share of `explore`, chosen by a hash of the
 * URL.  A fetch that finds another page contradicts it; when contradictions exceed
 * `fpr_max` of its probes it is retracted, and what it skipped returns.  What was skipped
 * for a URL that then failed returns, too.  A page may differ from itself: two pages that
 * are not known to be duplicates, but share half of their text, are a doubt, and only a
 * rule with more doubts than proofs is retracted for them.  And a page may have changed:
 * a proved rule is retracted only when the page it was compared with, fetched once more,
 * is still another one.  Of several proved rules the one learnt at the site is retracted
 * before one known from elsewhere, and then the one with the fewest proofs; the others
 * are doubted.
 *
 * What a retracted rule skipped returns a few URLs at a time.  When these turn out to be
 * duplicates after all, the rule is learnt again, with more probes than the first time,
 * and the rest stays skipped.  A rule may be learnt again twice.
 *
 * Rules that hold everywhere ("general": shipped, a person's, or proved by
 * `universal_sites` sites and retracted by none) are tried site by site: each site has
 * its own instance, with its own probation, evidence and retraction.  When that many
 * sites have proved one and none contradicts it, new sites need no probation; one
 * contradiction ends that.
 *
 * Rules live in DIR/rules/: "learned.rules" is written by the crawl, every other *.rules
 * there belongs to a person, is applied first and never written.  A rule that a person
 * deletes from learned.rules, or marks disabled, stays off.
 */
#ifndef ONLINE_ONLINE_H
#define ONLINE_ONLINE_H

#include "dust/rule.h"
#include "online/likeness.h"

struct online_options {
	double fpr_max;         /* contradictions a rule may have, of its probes */
	double explore;         /* share of skips that are fetched anyway */
	unsigned probes;        /* fetches that confirm a rule */
	unsigned min_freq;      /* clusters that must offer a rule */
	unsigned min_support;   /* pairs it must join */
	size_t universal_sites; /* 0: no rule becomes universal */
	size_t site_pages;      /* pages remembered of one site */
	size_t pages_max;       /* pages remembered in all */
	size_t skips_max;       /* skips remembered in all, about 40 bytes each; past
				   that only proved rules skip, for good */
	bool shipped;           /* try the rules that ship with Thresh */
	uint64_t seed;
};

/* 0, 3 %, 3 probes, 2 clusters, 2 pairs, 5 sites, 2048 and 1 M pages, 8 M skips, no. */
extern const struct online_options online_defaults;

struct dust_online;

struct dust_online *dust_online_new(const struct online_options *options);
void dust_online_release(struct dust_online **o);

/* Before any skip: the text of skips goes to this file rather than to memory. */
must_use enum status dust_online_keep_skips_in(struct dust_online *o, const char *path,
					       struct diag *why);
/* Read all rules of the folder; a missing folder has none.  Once, before use. */
must_use enum status dust_online_load(struct dust_online *o, const char *dir,
				      struct diag *why);
/* Take over what a person has changed in the files since they were read or written. */
must_use enum status dust_online_reload(struct dust_online *o, const char *dir,
					struct diag *why);
/* Write DIR/rules' learned.rules when anything changed; at once or not at all. */
must_use enum status dust_online_save(struct dust_online *o, const char *dir,
				      struct diag *why);

#define ONLINE_RULES_MAX 8

struct online_key {
	struct str key;            /* lives until the next call */
	struct str representative; /* a page known under this key; empty when none */
	uint32_t rule[ONLINE_RULES_MAX]; /* numbers of the rules that changed the URL,
					    or the representative */
	size_t n_rules;
	struct str
		via; /* where the link stood: given by the caller, for when it returns */
	uint32_t depth;
};

enum online_decision {
	ONLINE_NEW,
	ONLINE_SEEN,
	ONLINE_PROBE,
	ONLINE_EXPLORE,
	ONLINE_SKIP,
};

void dust_online_key(struct dust_online *o, struct str url, struct online_key *ret);
/* `seen`: the caller has this key already.  A skip is counted and remembered. */
enum online_decision dust_online_decide(struct dust_online *o, struct str url,
					const struct online_key *k, bool seen);

/* It will be fetched: other URLs of its key need not be. */
void dust_online_queued(struct dust_online *o, struct str url);
/* It is skipped after all: it represents no other. */
void dust_online_unqueued(struct dust_online *o, struct str url);
/* `like` is NULL when only `content` is known. */
void dust_online_page(struct dust_online *o, struct str url, uint64_t content,
		      const struct likeness *like);
/* The site declares both to be one page: evidence for a rule, but no proof. */
void dust_online_same(struct dust_online *o, struct str url, struct str other);
/*
 * Likewise, and proof where rules only spell one as the other; but `url` is no page
 * itself: what was skipped for its sake returns, `to` first.
 */
void dust_online_moved(struct dust_online *o, struct str url, struct str to);
/* Why a URL brought no page: how often others of its key are tried depends on it. */
enum online_failure {
	ONLINE_ABSENT,        /* the server has no such page, or refuses it */
	ONLINE_PASSING,       /* no answer, or a temporary error */
	ONLINE_NOT_REQUESTED, /* it was not requested */
	ONLINE_MOVED,         /* it led elsewhere */
	ONLINE_FAILURES,
};

/* What was skipped for its sake returns; what it should check stands. */
void dust_online_failed(struct dust_online *o, struct str url, enum online_failure cause);

void dust_online_answered(struct dust_online *o, struct str url);

/* A URL that was fetched, and is to be once more; false when there is none. */
bool dust_online_next_check(struct dust_online *o, struct str *ret);
void dust_online_checked(struct dust_online *o, struct str url,
			 const struct likeness *like);
/* The texts of rules, for the journal and for people: "sort, drop sid". */
void dust_online_put_rules(const struct dust_online *o, const struct online_key *k,
			   struct buf *to);
/* Of the rules that this URL's check is about. */
void dust_online_check_rules(const struct dust_online *o, struct str url, struct buf *to);

/* Learn from one site that has new evidence; false when there is none. */
bool dust_online_step(struct dust_online *o);
/* The pages that the last step looked at: what it cost. */
size_t dust_online_step_cost(const struct dust_online *o);

/* A URL that was skipped. */
struct online_skip {
	struct str url, via;
	uint32_t depth;
};

struct online_return {
	uint32_t rule;     /* UINT32_MAX: not for a rule's sake, but `failed` */
	struct str failed; /* the URL that failed */
	struct online_skip *urls;
	size_t n;
	bool unproved; /* for further probes: the rule was not contradicted */
};

/*
 * False when there is none, or while what returned before is still in flight.
 * `ret` lives until the next call.
 */
bool dust_online_next_return(struct dust_online *o, struct online_return *ret);
/* Nothing is in flight: whatever returned has been answered, or was refused.  What
 * retracted rules still hold is left to the final sweep. */
void dust_online_idle(struct dust_online *o);
/*
 * There is nothing else to fetch: some of what rules on probation have skipped, for
 * further probes; when these prove nothing either the rule is retracted.  A rule at a
 * time, beginning with *at = 0, all of them before anything is awaited; false when there
 * is no more.
 */
bool dust_online_settle(struct dust_online *o, size_t *at, struct online_return *ret);
/*
 * Not even that is left: the final sweep.  The keys of all skips are made anew, by rules
 * that are believed; then the caller reports every URL that was answered, and for each
 * key under which none was it chooses one of the skips:
 *
 *   dust_online_sweep_start(o);
 *   dust_online_sweep_answered(o, url) or _redirected(o, url, to) for each answer
 *   while (dust_online_sweep_next(o, &c)) {                   c zeroed before the first
 *           while (dust_online_sweep_candidate(o, &c, &url))  each skip of the key
 *                   sweep_cursor_rate(&c, the frontier would fetch url);
 *           if (dust_online_sweep_take(o, &c, &skip))
 *                   fetch skip.url
 *   }
 *
 * The shortest welcome candidate is taken, or else the shortest.  A key is given once,
 * and then, without candidates, once more for each redirect that leads to another of its
 * skips.
 */
struct sweep_cursor {
	size_t at; /* in the keys */
	uint32_t next, current, chosen;
	size_t current_bytes, least;
};

void dust_online_sweep_start(struct dust_online *o);
void dust_online_sweep_answered(struct dust_online *o, struct str url);
/* Or by a redirect: to another URL of its key, then that one must have come. */
void dust_online_sweep_redirected(struct dust_online *o, struct str url, struct str to);
bool dust_online_sweep_next(struct dust_online *o, struct sweep_cursor *c);
/* `ret` lives until the next call. */
bool dust_online_sweep_candidate(struct dust_online *o, struct sweep_cursor *c,
				 struct str *ret);
/* What the caller thinks of the candidate it has just been given. */
void sweep_cursor_rate(struct sweep_cursor *c, bool is_welcome);
/* The chosen skip returns; false when it cannot be read.  `ret` lives until the next
 * call. */
bool dust_online_sweep_take(struct dust_online *o, const struct sweep_cursor *c,
			    struct online_skip *ret);
/* Nothing was skipped, and no rule was retracted, since the last one. */
bool dust_online_is_swept(const struct dust_online *o);
/* Not all answers could be reported: as if it had not begun. */
void dust_online_sweep_abandon(struct dust_online *o);
/* An earlier process skipped `url`, by these rules, under this key. */
void dust_online_restore_skip(struct dust_online *o, const struct online_skip *skip,
			      struct str key, struct str rules);
/* And that skip returned. */
void dust_online_restore_return(struct dust_online *o, struct str url);
/* It began to check these rules (as dust_online_check_rules() has them); and it did. */
void dust_online_restore_check(struct dust_online *o, struct str url, struct str rules);
void dust_online_restore_checked(struct dust_online *o, struct str url);
/* All of it has been reported: what an earlier process should have returned does, and
 * rules whose check was pending are doubted. */
void dust_online_restored(struct dust_online *o);
/* It fetched this; what that proved of the rules is in their files. */
void dust_online_restore_page(struct dust_online *o, struct str url, uint64_t content);

/* What kind of page a URL names, as far as its path and the parameters that choose a
 * program (a=blob, action=history) tell. */
uint64_t url_kind(struct str url);

/* Abort unless the invariants of rule_life.h, of online_rules.c (which are also checked
 * whenever rules are saved) and of online.c hold; for tests, after each step. */
void dust_online_assert(const struct dust_online *o);
/* All rules so far, by number; states and evidence are current. */
const struct rule_set *dust_online_rules(const struct dust_online *o);
#endif
