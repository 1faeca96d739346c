/* online_internal.h - what the files of the online learner share. */
#ifndef DUST_ONLINE_INTERNAL_H
#define DUST_ONLINE_INTERNAL_H

#include "base/hash.h"
#include "base/intern.h"
#include "dust/index.h"
#include "dust/online.h"

/* URLs remembered of one rule's skips; the ledger has all of them. */
#define SKIPS_MAX 65536
/* Decisions remembered, so that the next link to the same URL is not decided again. */
#define DECIDED_MAX ((size_t)1 << 21)

struct page {
	uint32_t url, form; /* in the site's text: varint length, bytes */
	uint64_t content;
	bool claimed; /* only the site says so; no content was compared */
};

/*
 * What is known of one site.  `form` is a URL after the rules that hold
 * everywhere; the site's own rules are learnt from forms and applied to them.
 */
struct site {
	struct buf text;
	struct page *pages;
	size_t n, cap;
	struct map by_url;     /* hash of URL -> page + 1 */
	struct map by_key;     /* hash of key -> page + 1 */
	struct map by_content; /* content -> pages that have it */
	uint32_t *rules;       /* numbers of its own rules */
	size_t n_rules, rules_cap;
	struct rule_set view; /* those of them that are active, for the index */
	uint32_t *numbers;    /* by place in the view */
	struct rule_index index;
	uint32_t evidence, evidence_learnt; /* duplicates seen, and at the last step */
	uint32_t age; /* of the general rules its forms were made with */
	bool waiting; /* in the queue of dust_online_step() */
};

struct skips {
	struct str *urls;
	size_t n, cap;
	bool lost; /* some are not here */
};

struct dust_online {
	struct online_options o;
	struct rule_set all; /* every rule, by number; never shrinks */
	struct skips *skips; /* by number */
	size_t skips_cap;
	struct arena skipped; /* text of skips */
	bool *foreign;        /* by number: from a file that is not ours */
	size_t foreign_cap;
	struct site general; /* rules that hold everywhere; has no pages */
	uint32_t age;        /* changes with them */
	struct intern names;
	struct site **sites; /* by number of name */
	size_t sites_cap;
	uint32_t *queue; /* sites to learn from */
	size_t n_queue, queue_cap, queue_head;
	uint32_t *retracted; /* rules not yet reported */
	size_t n_retracted, retracted_cap, retracted_head;
	size_t n_pages;
	uint32_t next_forgotten; /* site whose pages go first when there are too many */
	struct map decided;      /* hash of URL: probed, explored or skipped */
	struct rule_scratch scratch, second;
	struct buf key, form;
	bool dirty;
	uint64_t file_mark; /* hash of learned.rules as last read or written */
};

/* The site of a URL, made when it is new. */
struct site *online_site(struct dust_online *o, struct str url);
struct str page_url(const struct site *s, const struct page *p);
struct str page_form(const struct site *s, const struct page *p);
void site_release(struct site *s);
/* After a change of its rules or of its pages: view, index and keys anew. */
void online_rebuild(struct dust_online *o, struct site *s);
/* Add a rule; returns its number. */
uint32_t online_add_rule(struct dust_online *o, struct site *s, const struct rule *r,
			 bool foreign);
/* A fetch on site `s` tested rule `nr`: it found the known page, or another one. */
void online_probe(struct dust_online *o, const struct site *s, uint32_t nr, bool same);
#endif
