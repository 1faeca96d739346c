/*
 * online.h - rules learnt and used while a crawl runs.
 *
 * How a crawl uses it, for every URL it has normalised (web/normal) and never met:
 *
 *   dust_online_key(o, url, &k);                the key, and the rules that made it
 *   seen = the crawl has asked or queued k.key
 *   switch (dust_online_decide(o, url, &k, seen)) {
 *   case ONLINE_NEW:      fetch it; dust_online_queued(o, url)
 *   case ONLINE_SEEN:     it is the page that is known under this key: drop it
 *   case ONLINE_PROBE:    fetch it soon, to prove a rule that would have skipped it
 *   case ONLINE_EXPLORE:  fetch it, to watch a rule that is proved
 *   case ONLINE_SKIP:     do not fetch; the ledger names k.rule[0] and k.representative
 *   }
 *
 * and for every page it has asked for:
 *
 *   dust_online_page(o, url, content, &l); status 200; equal numbers for equal pages
 *   dust_online_moved(o, url, to);         for redirects
 *   dust_online_same(o, url, other);       for rel=canonical
 *   dust_online_failed(o, url, cause);     it could not be got, or will not be asked
 *   dust_online_answered(o, url);          whatever came: it is no longer under way
 *
 * Of a near-duplicate `content` is that of the page it is nearly.  Soft 404s and
 * template-only verdicts are not reported, nor is half a page.  Learning happens only in
 *
 *   while (idle && dust_online_step(o)) ;       one site, a few milliseconds
 *   while (dust_online_next_return(o, &r))      offer r.urls again
 *   while (dust_online_next_check(o, &url))     ask for it once more, then
 *                                               dust_online_checked() or _failed()
 *
 * and when the crawl has nothing else to do, dust_online_settle() asks for more probes,
 * and the final sweep finds what was skipped for a page that never came.
 *
 * Nobody but the owner waits for a step: all of it is one thread's, without
 * locks.  The clock is not read; the same calls give the same answers.
 *
 * A rule starts on probation: of what it would skip `probes` URLs and one more are
 * fetched; while their answers are awaited it skips the rest on trust.  Proved, it
 * skips, but for a share of `explore` chosen by a hash of the URL.  A fetch that
 * finds another page contradicts it; when contradictions pass `fpr_max` of its
 * probes it is retracted, and what it skipped comes back.  So does what was skipped
 * for a URL that then could not be got.  A page may differ from itself: what is not
 * known to be the same, but has half of the text, is a doubt, and only a rule with
 * more doubts than certainties is retracted for them.  And a page may have changed: a
 * proved rule falls only when the page it was compared with, asked once more, is still
 * another one.  Of several proved rules what the site was taught falls before what is
 * known from elsewhere, and then the one with the least evidence; the others have to
 * prove themselves anew.
 *
 * What a retracted rule skipped comes back a few URLs at a time.  When these turn out
 * to be the same pages after all, the rule is learnt again, with more proof than the
 * first time, and the rest stays where it is.  A rule may come back twice.
 *
 * Rules that hold everywhere ("general": shipped, a person's, or confirmed by
 * `universal_sites` sites and retracted by none) are tried site by site: each site
 * has its own instance, with its own probation, evidence and retraction.  When so
 * many sites have confirmed one and none contradicts it, new sites need no probation;
 * one contradiction ends that.
 *
 * Rules live in DIR/rules/: "learned.rules" is ours, every other *.rules there
 * is somebody's, applied first and never written.  A rule that a person
 * deletes from ours, or marks disabled, stays off.
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
extern const struct online_options online_standard;

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
/* It is skipped after all: it stands for no other. */
void dust_online_unqueued(struct dust_online *o, struct str url);
/* `like` is NULL when only `content` tells. */
void dust_online_page(struct dust_online *o, struct str url, uint64_t content,
		      const struct likeness *like);
/* The site itself says that both are one page: evidence for a rule, but no proof. */
void dust_online_same(struct dust_online *o, struct str url, struct str other);
/*
 * Likewise, and proof where rules only spell one as the other; but `url` is no page
 * itself: what was skipped for its sake returns, `to` first.
 */
void dust_online_moved(struct dust_online *o, struct str url, struct str to);
/* Why a URL brought no page: how often others of its key are tried depends on it. */
enum online_failure {
	ONLINE_ABSENT,  /* the server has no such page, or not for us */
	ONLINE_PASSING, /* no answer, or an error that may pass */
	ONLINE_UNASKED, /* it was not asked */
	ONLINE_MOVED,   /* it led elsewhere */
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
	struct str failed; /* the URL that could not be got */
	struct online_skip *urls;
	size_t n;
	bool unproved; /* for further probes: the rule was not contradicted */
};

/*
 * False when there is none, or while what was given back before is still under way.
 * `ret` lives until the next call.
 */
bool dust_online_next_return(struct dust_online *o, struct online_return *ret);
/* Nothing is under way: whatever was given back has been answered, or was refused.  What
 * retracted rules still hold is left to the final sweep. */
void dust_online_idle(struct dust_online *o);
/*
 * There is nothing else to fetch: some of what rules on probation have skipped, for
 * further probes; when these prove nothing either the rule falls.  A rule at a time,
 * beginning with *at = 0, all of them before anything is awaited; false when there is no
 * more.
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
/* And took it back. */
void dust_online_restore_return(struct dust_online *o, struct str url);
/* It began to check these rules (as dust_online_check_rules() has them); and it did. */
void dust_online_restore_check(struct dust_online *o, struct str url, struct str rules);
void dust_online_restore_checked(struct dust_online *o, struct str url);
/* All of it has been told: what an earlier process owed returns, and rules whose check
 * was under way are on probation. */
void dust_online_restored(struct dust_online *o);
/* It fetched this; what that proved of the rules stands in their files. */
void dust_online_restore_page(struct dust_online *o, struct str url, uint64_t content);

/* Abort unless the invariants of online_rules.c and rule_life.h hold; for tests, after
 * each step, and before the rules are saved. */
void dust_online_assert(const struct dust_online *o);
/* All rules so far, by number; states and evidence are current. */
const struct rule_set *dust_online_rules(const struct dust_online *o);
#endif
