/*
 * online_internal.h - what the files of the online learner share.
 *
 * struct dust_online is made of parts, each with its own file: the table of rules
 * (online_rules.c), sites and their pages (online.c), skips (online_skips.c), returns
 * (online_returns.c), checks (online_check.c) and the final sweep (final_sweep.c).  A
 * function takes the part it needs; one that takes the whole needs several.
 */
#ifndef ONLINE_ONLINE_INTERNAL_H
#define ONLINE_ONLINE_INTERNAL_H

#include "base/hash.h"
#include "base/intern.h"
#include "dust/index.h"
#include "online/online.h"
#include "online/rule_life.h"
#include "online/skip_store.h"

/* --- sites and pages --- */

enum online_page_state {
	PAGE_CLAIMED, /* only the site says so; no content was compared */
	PAGE_QUEUED,  /* will be fetched */
	PAGE_FETCHED, /* its content is known */
	PAGE_FAILED,  /* could not be fetched: represents nothing */
};

struct online_page {
	uint32_t url, form; /* in the site's text: varint length, bytes */
	uint64_t content;   /* of claimed and fetched ones, as online_label() has it */
	uint8_t state;      /* enum online_page_state */
	struct likeness like;
};

static inline bool page_has_content(const struct online_page *p)
{
	return p->state == PAGE_FETCHED || p->state == PAGE_CLAIMED;
}

/* Some rules, compiled, with their numbers. */
struct rule_view {
	struct rule_set set; /* borrows from the set of all */
	uint32_t *numbers;
	struct rule_index index;
};

/*
 * What is known of one site.  `form` is a URL after the rules that hold
 * everywhere; the site's own rules are learnt from forms and applied to them.
 */
struct online_site {
	uint32_t nr;
	struct buf text;
	struct online_page *pages;
	size_t n, cap;
	struct map by_url;     /* hash of URL -> page + 1 */
	struct map by_key;     /* hash of key -> page + 1 that represents it */
	struct map by_content; /* content -> pages that have it */
	struct map by_main;    /* hash of main content -> page + 1 that came last */
	struct map same;       /* content -> another one that was found to be the same */
	uint32_t *rules;       /* numbers of its own rules, instances included */
	size_t n_rules, rules_cap;
	struct rule_view own;
	struct rule_view *general; /* without what the site has retracted; NULL: as
				      everywhere */
	uint32_t evidence, evidence_learnt; /* duplicates seen, and at the last step */
	uint32_t age;   /* of the general rules its forms were made with */
	bool is_queued; /* for dust_online_step() */
};

struct site_table {
	struct intern names;
	struct online_site **v; /* by number of name */
	size_t cap;
	uint32_t *queue; /* sites to learn from */
	size_t n_queue, queue_cap, queue_head;
	size_t n_pages;          /* of all sites */
	uint32_t next_forgotten; /* site whose pages go first when there are too many */
	size_t step_cost;        /* of the last step of learning: pages */
};

/* --- rules --- */

#define SITE_GENERAL UINT32_MAX

/* What is kept of a rule beside its text and evidence, by its number. */
struct rule_record {
	struct rule_life life;
	uint32_t site;          /* where it is applied, or SITE_GENERAL */
	uint32_t general;       /* the rule it is an instance of, or RULE_NONE */
	uint32_t in_flight;     /* of what it skipped: returned, not yet answered */
	uint32_t site_evidence; /* of its site when it was retracted */
	uint32_t *skips;        /* numbers in the skip table */
	size_t n_skips, skips_cap;
	bool foreign; /* from a file that is not ours */
	bool written; /* stands in a file: when it is gone from there, somebody removed it
		       */
};

struct rule_table {
	struct rule_set all; /* every rule, by number; never shrinks */
	struct rule_record *records;
	size_t records_cap;
	uint32_t *general; /* numbers of the rules that hold everywhere */
	size_t n_general, general_cap;
	struct rule_view general_view;
	uint32_t age;       /* changes with them */
	bool only_proved;   /* during the final sweep rules on trial are not applied */
	struct map kinds;   /* of rules and pages that were fetched to prove them */
	bool dirty;         /* learned.rules is to be written */
	uint64_t file_mark; /* hash of learned.rules as last read or written */
};

/* --- skips, returns, checks, final sweep --- */

struct skip {
	uint64_t at;    /* in the store, or SKIP_RETURNED */
	uint32_t older; /* with the same key, or UINT32_MAX */
};
#define SKIP_RETURNED UINT64_MAX

/* A skip by a rule that is not known any more. */
struct orphan {
	uint64_t key;
	uint32_t skip;
};

struct skip_table {
	struct skip *v;
	size_t n, cap, max;
	struct map by_key;       /* -> the latest + 1 */
	struct skip_store store; /* their text */
	struct map restored; /* hash of a URL that an earlier process skipped -> skip */
	struct orphan *orphans;
	size_t n_orphans, orphans_cap;
};

/* A rule or a URL whose skips return, not yet all reported. */
struct returning {
	uint32_t rule;
	struct str failed;
	struct str first; /* the URL that returns before the others, or empty */
	bool alone;       /* and they do not */
	uint64_t key;
	uint8_t cause; /* enum online_failure, when a URL failed */
};

struct return_queue {
	struct returning *by_key; /* for a URL that failed; first come, first served */
	size_t n_by_key, by_key_cap, head;
	struct returning
		*by_rule; /* retracted ones; what they skipped goes in portions */
	size_t n_by_rule, by_rule_cap;
	struct map in_flight;    /* hashes of URLs returned and not answered -> rule */
	struct map times;        /* key -> how often its skips have returned */
	struct online_skip *out; /* for the caller */
	size_t n_out, out_cap;
	struct arena out_text, urls;
};

/* A proved rule is contradicted: is the page, fetched again, still another one? */
struct rule_check {
	struct str url;         /* of the page that is fetched again */
	struct likeness before; /* of that page; may be empty */
	struct likeness other;  /* of the page that differs */
	struct online_key rules;
	uint32_t site;
	bool is_requested;
};

struct check_table {
	struct rule_check *v;
	size_t n, cap;
	struct arena urls;
};

struct final_sweep {
	struct map answered;      /* keys under which a page came */
	struct map swept;         /* keys of which a skip was given out, ever */
	struct map redirected_to; /* hashes of URLs that others led to */
	bool is_done; /* and nothing was skipped, and no rule was retracted, since */
};

/* For making keys. */
struct key_scratch {
	struct rule_scratch scratch, second;
	struct buf key,
		form; /* of the URL at hand; the form is without the site's rules */
};

struct dust_online {
	struct online_options o;
	struct rule_table rules;
	struct site_table sites;
	struct skip_table skips;
	struct return_queue returns;
	struct check_table checks;
	struct final_sweep sweep;
	struct key_scratch keys;
};

/* --- online.c: sites, pages and keys --- */

/* Of online_rules.c; dust_online_assert() has it and the sites'. */
void assert_rule_table(const struct dust_online *o);
/* The site of a URL, made when it is new; and with its rules up to date. */
struct online_site *online_site_of(struct dust_online *o, struct str url);
struct online_site *online_current_site(struct dust_online *o, struct str url);
struct str page_url(const struct online_site *s, const struct online_page *p);
struct str page_form(const struct online_site *s, const struct online_page *p);
/* The page known under a key that still may represent it; NULL for none. */
struct online_page *online_representative(const struct online_site *s, uint64_t key);
/* The key of a URL and the numbers of the rules that made it; general ones as such. */
void online_make_key(struct dust_online *o, const struct online_site *s, struct str url,
		     struct online_key *ret);
/* After a change of its rules or of its pages: views, forms and keys anew. */
void online_rebuild(struct dust_online *o, struct online_site *s);
/* To the rules that changed `url` those that changed `other`, then only those without
 * which the two would not be one, as instances of the site's. */
void online_rules_between(struct dust_online *o, struct online_site *s, struct str url,
			  struct str other, struct online_key *ret);

/* --- online_rules.c: the table of rules --- */

void rule_view_release(struct rule_view *v);
/* Empty, with room for so many. */
void rule_view_clear(struct rule_view *v, size_t room);
void rule_view_add(const struct rule_table *t, struct rule_view *v, uint32_t nr);
void rule_table_release(struct rule_table *t);
/* It is applied now: active, and during the final sweep not on trial. */
bool rule_is_applied(const struct rule_table *t, uint32_t nr);
/* After a change of the rules that hold everywhere. */
void rule_table_rebuild_general(struct rule_table *t);
/* Add a rule to a site, or with NULL to those that hold everywhere; its number.  It has
 * no life yet: the caller gives it one by an event, or by what its file says. */
uint32_t rule_table_add(struct rule_table *t, struct online_site *s, const struct rule *r,
			bool foreign);
/* rule_transition() of the rule of this number. */
void rule_table_event(struct rule_table *t, uint32_t nr, enum rule_event event);
static inline enum rule_life_state rule_table_state(const struct rule_table *t,
						    uint32_t nr)
{
	return t->records[nr].life.state;
}
/* The site's rule of this text, or RULE_NONE; a general one. */
uint32_t rule_table_find(const struct rule_table *t, const struct online_site *s,
			 struct str text);
uint32_t rule_table_find_general(const struct rule_table *t, struct str text);
/* The rule of this text at the site of the URL, or the site's instance of it. */
uint32_t online_rule_at(struct dust_online *o, struct str url, struct str text);
/* General rules among those of `k` become the site's instances of them. */
void rule_table_localize(struct rule_table *t, struct online_site *s, struct str url,
			 struct online_key *k);
/* A site has proved, or retracted, its instance `nr`: what becomes of the general rule.
 */
void online_consider_universal(struct dust_online *o, uint32_t nr);
void online_consider_exception(struct dust_online *o, uint32_t general);
/* Whether all of them are believed. */
bool rule_table_are_believed(const struct rule_table *t, const struct online_key *k);

/* Take the first rule of such a text as dust_online_put_rules() writes; RULE_NONE when it
 * is not known any more. */
bool online_take_rule(struct dust_online *o, struct str url, struct str *names,
		      uint32_t *ret_nr);
/* Only those rules of `k`, general ones as such, that make the two URLs one. */
void online_narrow(struct dust_online *o, struct str url, struct str other,
		   struct online_key *k);
/* Of the rules of `k` those that only spell a URL in another way. */
void online_keep_spellings(const struct rule_table *t, struct online_key *k);
/* Whether a learnt rule of `k` has not been tried on this kind of page, or on one of the
 * parameters that it loses; it has now. */
bool online_is_first_of_kind(struct dust_online *o, struct str url,
			     const struct online_key *k);

/* --- online_evidence.c, online_compare.c: what fetches prove --- */

/* What the fetch of two URLs of one key says of the rules that made it. */
enum comparison {
	COMPARE_SAME,
	COMPARE_NOTHING, /* there is too little on them to tell */
	COMPARE_DOUBT,
	COMPARE_OTHER,
};

/* A fetch tested the rules of `k`, which are its site's. */
void online_probe(struct dust_online *o, const struct online_key *k,
		  enum comparison result);
void online_retract(struct dust_online *o, uint32_t nr);
/* What a believed rule has shown so far is in doubt: it asks for probes again. */
void rule_table_doubt(struct rule_table *t, uint32_t nr);

/* What a fetched page of this content says beside page `p`; `like` may be NULL. */
enum comparison online_compare(const struct online_site *s, const struct online_page *p,
			       uint64_t content, const struct likeness *like);
/* `content` is named after a page that `url` nearly repeats (its hash, with the last bit
 * set): its own, when what differs is content. */
uint64_t online_own_content(const struct online_site *s, struct str url, uint64_t content,
			    const struct likeness *like);
/* What claims call the content of a page that nobody has seen. */
static inline uint64_t online_claim(struct str url)
{
	return hash64(url);
}
/* The two contents are those of one page, whatever else is on it: learn so. */
void online_unite(struct online_site *s, uint64_t content, uint64_t with);
/* `url` brought this: unite it with what claims took that to be, and with what a page
 * like it has, under whatever URL. */
void online_recognise(struct online_site *s, struct str url, uint64_t content,
		      const struct likeness *like);
/* The content that this one was united with, or itself. */
uint64_t online_label(const struct online_site *s, uint64_t content);
/* Not known to be the same page, but to have too much in common for another one. */
bool online_is_alike(const struct likeness *a, const struct likeness *b);

/* --- online_check.c --- */

/*
 * Page `p` and one like `other` contradict the rules of `k`: fetch it again before they
 * are believed.  False when the rules need no such care, or it cannot be had.
 */
bool online_start_check(struct dust_online *o, const struct online_site *s,
			const struct online_page *p, const struct likeness *other,
			const struct online_key *k);
void check_table_release(struct check_table *t);
bool check_table_has_rule(const struct check_table *t, uint32_t rule);
/* The page that was to be fetched again did not come: what it should check stands. */
void online_check_failed(struct dust_online *o, struct str url);
/* What an earlier process was about to check cannot be judged: its rules prove themselves
 * anew. */
void online_restore_checks(struct dust_online *o);

/* --- online_skips.c --- */

/* False when there is no room for it. */
bool skip_table_add(struct skip_table *t, const struct online_skip *what, uint64_t key,
		    uint32_t *ret);
/* The latest skip of this key is `nr`. */
void skip_table_file(struct skip_table *t, uint32_t nr, uint64_t key);
/* Read a skip that has not returned. */
bool skip_table_read(const struct skip_table *t, uint32_t nr, struct arena *a,
		     struct online_skip *ret);
/* The latest of a key, or UINT32_MAX. */
uint32_t skip_table_latest(const struct skip_table *t, uint64_t key);
/* Hand a skip out: it is one no longer.  False when it is none, or cannot be read. */
bool skip_table_take(struct skip_table *t, uint32_t nr, struct arena *a,
		     struct online_skip *ret);
void skip_table_release(struct skip_table *t);
/* False when it cannot be, and is not to be skipped: its rules may be wrong. */
bool online_remember_skip(struct dust_online *o, struct str url,
			  const struct online_key *k);

/* --- online_returns.c --- */

/* What rule `r->rule` skipped, or what was skipped for a URL, is to return. */
void online_return(struct dust_online *o, const struct returning *r);
void return_queue_release(struct return_queue *q);

/* --- final_sweep.c --- */

void final_sweep_release(struct final_sweep *s);
#endif
