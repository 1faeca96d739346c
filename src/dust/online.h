/*
 * online.h - rules learnt and used while a crawl runs.
 *
 * How a crawl uses it, for every URL it has normalised (web/normal):
 *
 *   dust_online_key(o, url, &k);                the key, and the rules that made it
 *   seen = the frontier's seen set has k.key    (the key is what goes into it, too)
 *   switch (dust_online_decide(o, url, &k, seen)) {
 *   case ONLINE_NEW:      fetch it
 *   case ONLINE_SEEN:     this URL was seen, or decided before: drop it
 *   case ONLINE_PROBE:    fetch it, to prove a rule that would have skipped it
 *   case ONLINE_EXPLORE:  fetch it, to watch a rule that is proved
 *   case ONLINE_SKIP:     do not fetch; the ledger names k.rule[0] and k.representative
 *   }
 *
 * and for every page it has fetched with status 200:
 *
 *   dust_online_page(o, url, content);          content: the same number for the same
 * page dust_online_same(o, url, other);            for redirects and rel=canonical
 *
 * `content` is a hash of the payload digest or, when the page is a verified
 * near-duplicate, the content of its representative.  Soft 404s, error pages
 * and template-only verdicts are not reported.  Learning happens only in
 *
 *   while (idle && dust_online_step(o)) ;       one site, a few milliseconds
 *   while (dust_online_next_retraction(o, &r))  queue r.urls again, log r.id
 *
 * Nobody but the owner waits for a step: all of it is one thread's, without
 * locks.  The clock is not read; the same calls give the same answers.
 *
 * A rule starts on probation: what it would skip is fetched, until `probes`
 * such fetches have found the page already known.  Then it skips, but for a
 * share of `explore` chosen by a hash of the URL.  A fetch that finds another
 * page contradicts it; when contradictions pass `fpr_max` of its probes it is
 * retracted, and what it skipped comes back.  A rule that `universal_sites`
 * sites have confirmed, and none retracted, is put on probation for all sites.
 *
 * Rules live in DIR/rules/: "learned.rules" is ours, every other *.rules there
 * is somebody's, applied first and never written.  A rule that a person
 * deletes from ours, or marks disabled, stays off.
 */
#ifndef DUST_ONLINE_H
#define DUST_ONLINE_H

#include "dust/rule.h"

struct online_options {
	double fpr_max;         /* contradictions a rule may have, of its probes */
	double explore;         /* share of skips that are fetched anyway */
	unsigned probes;        /* fetches that confirm a rule */
	unsigned min_freq;      /* clusters that must offer a rule */
	unsigned min_support;   /* pairs it must join */
	size_t universal_sites; /* 0: no rule becomes universal */
	size_t site_pages;      /* pages remembered of one site */
	size_t pages_max;       /* pages remembered in all */
	uint64_t seed;
};

/* 0, 3 %, 3 probes, 2 clusters, 2 pairs, 5 sites, 2048 and 1 M pages. */
extern const struct online_options online_standard;

struct dust_online;

struct dust_online *dust_online_new(const struct online_options *options);
void dust_online_release(struct dust_online **o);

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
	uint32_t rule[ONLINE_RULES_MAX]; /* numbers of the rules that changed the URL */
	size_t n_rules;
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

void dust_online_page(struct dust_online *o, struct str url, uint64_t content);
/* The site itself says that both are one page: evidence for a rule, but no proof. */
void dust_online_same(struct dust_online *o, struct str url, struct str other);

/* Learn from one site that has new evidence; false when there is none. */
bool dust_online_step(struct dust_online *o);

struct online_retraction {
	uint32_t rule;
	const struct str *urls; /* what it skipped */
	size_t n;
	bool complete; /* false: more was skipped than is remembered, or before this run;
			  the ledger has the rest, under the rule's id */
};

/* False when there is none.  `ret` lives until the next call. */
bool dust_online_next_retraction(struct dust_online *o, struct online_retraction *ret);

/* All rules so far, by number; states and evidence are current. */
const struct rule_set *dust_online_rules(const struct dust_online *o);
#endif
