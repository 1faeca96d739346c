/* online_internal.h - what the files of the online learner share. */
#ifndef ONLINE_ONLINE_INTERNAL_H
#define ONLINE_ONLINE_INTERNAL_H

#include "base/hash.h"
#include "base/intern.h"
#include "dust/index.h"
#include "online/online.h"
#include "online/skip_store.h"

enum page_state {
	PAGE_CLAIMED, /* only the site says so; no content was compared */
	PAGE_QUEUED,  /* will be fetched */
	PAGE_FETCHED, /* its content is known */
	PAGE_FAILED,  /* could not be got: represents nothing */
};

struct page {
	uint32_t url, form; /* in the site's text: varint length, bytes */
	uint64_t content;   /* of claimed and fetched ones, as online_label() has it */
	uint8_t state;      /* enum page_state */
	struct likeness like;
};

static inline bool page_has_content(const struct page *p)
{
	return p->state == PAGE_FETCHED || p->state == PAGE_CLAIMED;
}

/* What the fetch of two URLs of one key says of the rules that made it. */
enum comparison {
	COMPARE_SAME,
	COMPARE_NOTHING, /* there is too little on them to tell */
	COMPARE_DOUBT,
	COMPARE_OTHER,
};

/* Some rules, compiled, with their numbers. */
struct view {
	struct rule_set set; /* borrows from the set of all */
	uint32_t *numbers;
	struct rule_index index;
};

/*
 * What is known of one site.  `form` is a URL after the rules that hold
 * everywhere; the site's own rules are learnt from forms and applied to them.
 */
struct site {
	uint32_t nr;
	struct buf text;
	struct page *pages;
	size_t n, cap;
	struct map by_url;     /* hash of URL -> page + 1 */
	struct map by_key;     /* hash of key -> page + 1 that represents it */
	struct map by_content; /* content -> pages that have it */
	struct map by_main;    /* hash of main content -> page + 1 that came last */
	struct map same;       /* content -> another one that was found to be the same */
	uint32_t *rules;       /* numbers of its own rules, instances included */
	size_t n_rules, rules_cap;
	struct view own;
	struct view
		*general; /* without what the site has retracted; NULL: as everywhere */
	uint32_t evidence, evidence_learnt; /* duplicates seen, and at the last step */
	uint32_t age; /* of the general rules its forms were made with */
	bool waiting; /* in the queue of dust_online_step() */
};

#define SITE_GENERAL UINT32_MAX

/* What is kept of a rule beside its text and evidence, by its number. */
struct rule_note {
	uint32_t site;     /* where it is applied, or SITE_GENERAL */
	uint32_t general;  /* the rule it is an instance of, or RULE_NONE */
	uint32_t issued;   /* probes given out */
	uint32_t owed;     /* of what it skipped: given back, under way */
	uint32_t doubts;   /* of its probes */
	uint32_t silent;   /* probes that said nothing, and were given out again */
	uint64_t settled;  /* its probes when it was last asked to settle, and one more */
	uint64_t proved;   /* what it had proved when it was put on trial again */
	uint32_t evidence; /* of its site when it was retracted */
	uint8_t returns;   /* how often it was learnt again */
	uint32_t *skips;
	size_t n_skips, skips_cap;
	bool foreign; /* from a file that is not ours */
	bool written; /* stands in a file: when it is gone from there, somebody removed it
		       */
};

struct skip {
	uint64_t at;    /* in the store, or SKIP_RETURNED */
	uint32_t older; /* with the same key, or UINT32_MAX */
};
#define SKIP_RETURNED UINT64_MAX

struct orphan {
	uint64_t key;
	uint32_t skip;
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

/* A proved rule is contradicted: is the page, asked again, still another one? */
struct check {
	struct str url;         /* of the page that is asked again */
	struct likeness before; /* of that page; may be empty */
	struct likeness other;  /* of the page that differs */
	struct online_key rules;
	uint32_t site;
	bool asked;
};

struct dust_online {
	struct online_options o;
	struct rule_set all; /* every rule, by number; never shrinks */
	struct rule_note *notes;
	size_t notes_cap;
	uint32_t *general_rules; /* numbers of the rules that hold everywhere */
	size_t n_general, general_cap;
	struct view general;
	uint32_t age; /* changes with them */
	struct intern names;
	struct site **sites; /* by number of name */
	size_t sites_cap;
	uint32_t *queue; /* sites to learn from */
	size_t n_queue, queue_cap, queue_head;
	struct skip *skips;
	size_t n_skips, skips_cap;
	struct map skips_by_key; /* -> the latest + 1 */
	struct skip_store store; /* text of skips */
	struct arena names_kept; /* URLs of checks and failures */
	struct orphan *orphans;  /* skips by rules that are not known any more */
	size_t n_orphans, orphans_cap;
	struct map kinds;    /* of rules and pages that were fetched to prove them */
	struct map restored; /* hash of a URL that an earlier process skipped -> skip */
	struct returning *returning;
	size_t n_returning, returning_cap, returning_head;
	struct returning *fallen; /* rules; what they skipped goes in portions */
	size_t n_fallen, fallen_cap;
	struct map owed; /* hashes of URLs given back, under way -> rule */
	struct check *checks;
	size_t n_checks, checks_cap;
	struct map answered;   /* of the last reckoning: keys under which a page came */
	struct map reckoned;   /* keys that a reckoning has asked for */
	struct map pointed_at; /* of the last one: hashes of URLs that others led to */
	bool is_reckoned;      /* and nothing was skipped, and no rule fell, since */
	bool only_proved;      /* during one: rules on probation are not applied */
	struct map failed;     /* key -> how often its skips have returned */
	struct online_skip *returned; /* for the caller */
	size_t n_returned, returned_cap;
	struct arena returned_text;
	size_t n_pages;
	uint32_t next_forgotten; /* site whose pages go first when there are too many */
	struct rule_scratch scratch, second;
	struct buf key, form;
	size_t step_cost; /* of the last step: pages */
	bool dirty;
	uint64_t file_mark; /* hash of learned.rules as last read or written */
};

/* The site of a URL, made when it is new; and with its rules up to date. */
struct site *online_site(struct dust_online *o, struct str url);
struct site *online_current_site(struct dust_online *o, struct str url);
struct str page_url(const struct site *s, const struct page *p);
struct str page_form(const struct site *s, const struct page *p);
/* The page known under a key that still may represent it; NULL for none. */
struct page *online_representative(const struct site *s, uint64_t key);
/* The key of a URL and the numbers of the rules that made it; general ones as such. */
void online_make_key(struct dust_online *o, const struct site *s, struct str url,
		     struct online_key *ret);
/* After a change of its rules or of its pages: views, forms and keys anew. */
void online_rebuild(struct dust_online *o, struct site *s);
void online_rebuild_general(struct dust_online *o);

/* Add a rule to a site, or with NULL to those that hold everywhere; its number. */
uint32_t online_add_rule(struct dust_online *o, struct site *s, const struct rule *r,
			 bool foreign);
/* The site's rule of this text, or RULE_NONE. */
uint32_t online_find_rule(const struct dust_online *o, const struct site *s,
			  struct str text);
/* The rule of this text at the site of the URL, or the site's instance of it. */
uint32_t online_rule_at(struct dust_online *o, struct str url, struct str text);
/* Take the first rule of such a text as dust_online_put_rules() writes; RULE_NONE when it
 * is not known any more. */
bool online_take_rule(struct dust_online *o, struct str url, struct str *names,
		      uint32_t *ret_nr);
/* Only those rules of `k`, general ones as such, that make the two URLs one. */
void online_narrow(struct dust_online *o, struct str url, struct str other,
		   struct online_key *k);
/* To the rules that changed `url` those that changed `other`, then only those without
 * which the two would not be one, as instances of the site's. */
void online_rules_between(struct dust_online *o, struct site *s, struct str url,
			  struct str other, struct online_key *ret);
/* Of the rules of `k` those that only spell a URL in another way. */
void online_keep_spellings(const struct dust_online *o, struct online_key *k);
/* General rules among those of `k` become the site's instances of them. */
void online_localize(struct dust_online *o, struct site *s, struct str url,
		     struct online_key *k);
/* A fetch on site `s` tested the rules of `k`. */
void online_probe(struct dust_online *o, struct site *s, const struct online_key *k,
		  enum comparison result);
void online_retract(struct dust_online *o, uint32_t nr);
/* A rule that came back has to prove more than the first time. */
uint32_t online_probes_wanted(const struct dust_online *o, uint32_t nr);

/* What a fetched page of this content says beside page `p`; `like` may be NULL. */
enum comparison online_compare(const struct site *s, const struct page *p,
			       uint64_t content, const struct likeness *like);
/* What claims call the content of a page that nobody has seen. */
static inline uint64_t online_claim(struct str url)
{
	return hash64(url);
}
/* The two contents are those of one page, whatever else is on it: learn so. */
void online_unite(struct site *s, uint64_t content, uint64_t with);
/* `url` brought this: unite it with what claims took that to be, and with what a page
 * like it has, under whatever URL. */
void online_recognise(struct site *s, struct str url, uint64_t content,
		      const struct likeness *like);
/* The content that this one was united with, or itself. */
uint64_t online_label(const struct site *s, uint64_t content);
/* Not known to be the same page, but to have too much in common for another one. */
bool online_is_alike(const struct likeness *a, const struct likeness *b);
/*
 * Page `p` and one like `other` contradict the rules of `k`: ask again before they are
 * believed.  False when the rules need no such care, or it cannot be had.
 */
bool online_dispute(struct dust_online *o, const struct site *s, const struct page *p,
		    const struct likeness *other, const struct online_key *k);
bool online_is_disputed(const struct dust_online *o, uint32_t rule);
/* The page that was to be asked again did not come: what it should check stands. */
void online_check_failed(struct dust_online *o, struct str url);
/* What an earlier process was about to check cannot be judged: its rules prove themselves
 * anew. */
void online_restore_disputes(struct dust_online *o);
/* It has never been proved here; what is on trial again has. */
bool online_is_on_first_trial(const struct dust_online *o, uint32_t nr);
/* What a proved rule has shown so far is in doubt: it asks for probes again. */
void online_try_again(struct dust_online *o, uint32_t nr);

/* Whether a learnt rule of `k` has not been tried on this kind of page, or on one of the
 * parameters that it loses; it has now. */
bool online_is_first_of_kind(struct dust_online *o, struct str url,
			     const struct online_key *k);
/* Whether all of them are beyond probation. */
bool online_are_proved(const struct dust_online *o, const struct online_key *k);
/* False when it cannot be, and is not to be skipped: its rules may be wrong. */
bool online_remember_skip(struct dust_online *o, struct str url,
			  const struct online_key *k);
/* What rule `nr` skipped, or what was skipped for a URL, is to return. */
void online_return(struct dust_online *o, const struct returning *r);
/* Hand a skip out: it is one no longer.  False when it is none, or cannot be read. */
bool online_give_back(struct dust_online *o, uint32_t nr, struct online_skip *ret);
void online_skips_release(struct dust_online *o);
#endif
