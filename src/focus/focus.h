/*
 * focus.h - what a crawl is looking for, and how much a link promises of it.
 *
 * A focus is compiled once from the crawl's specification and is read-only afterwards.
 * Each worker has a `struct focus_worker` with its own scratch and scores the links of a
 * page in three phases: regions (the text of the page is its main content, where that is
 * known), modules (one file each behind `struct focus_module`), and aggregation, which
 * the loop finishes (focus/crowd.h), for it alone knows hosts and other pages.  A module
 * gives a score, or none, or a veto, which overrides all scores.
 */
#ifndef FOCUS_FOCUS_H
#define FOCUS_FOCUS_H

#include "base/option.h"
#include "focus/scores.h"
#include "focus/terms.h"
#include "policy/pattern_list.h"
#include "record/discovery.h"
#include "record/fetch.h"
#include "record/page.h"

/* As the user gave it; the lists are the caller's. */
struct focus_spec {
	const struct str_list *want;      /* terms, see terms_add() */
	struct str want_file;             /* text of a file of them */
	const struct str_list *want_urls; /* regular expressions */
	const struct str_list *avoid_urls;
	struct str blacklist;           /* text of a file, see blacklist.h */
	const struct str_list *weights; /* "anchor=0.5" */
	int64_t since_ms, until_ms;     /* wanted dates; 0: open */
	bool any_match;                 /* one match is a score of 1 */
};

struct blacklist;

struct focus {
	struct terms terms;
	struct blacklist *blacklist; /* NULL for none */
	const struct str_list *want_urls, *avoid_urls, *blacklist_urls;
	float weights[PARTS];
	int64_t since_ms, until_ms;
	bool any_match;
	struct arena bytes;
};

/* Is anything wanted, or black-listed, at all? */
bool focus_is_wanted(const struct focus_spec *s);
must_use enum status focus_open(struct focus *f, const struct focus_spec *s,
				struct diag *why);
void focus_close(struct focus *f);

struct focus_worker {
	const struct focus *focus;
	struct pattern_list want_urls, avoid_urls; /* not to be shared by threads */
	struct term_scratch matches, few;
	float *blocks; /* score of each paragraph of the page */
	size_t blocks_cap;
	uint32_t *seen; /* of each term: how often in the document */
	uint32_t *touched;
	size_t n_touched, touched_cap;
	struct buf scratch, decoded;
};

must_use enum status focus_worker_open(struct focus_worker *w, const struct focus *f,
				       struct diag *why);
void focus_worker_close(struct focus_worker *w);

struct focus_input {
	const struct page *page; /* NULL: no text is known */
	const struct fetch_task *task;
	struct discovery *links;
	const struct link *const *origins; /* where each stood; NULL: in the head */
	size_t n;
	const struct page_advice *application;
	int64_t modified_ms; /* of the page; 0: unknown */
	int64_t now_ms;
};

/* The links of one page while they are scored. */
struct focus_page {
	struct focus_worker *w;
	const struct focus_input *in;
	struct focus_scores *links; /* one per discovery */
	float relevance;            /* of the document itself: 0 to 1 */
};

struct focus_module {
	struct str name;
	void (*score)(struct focus_page *p);
};

/*
 * Score the links: `scores` and `veto` of each discovery are set, in memory of `a`.
 * Returns how relevant the page itself is, 0 to 1.
 */
float focus_score_page(struct focus_worker *w, const struct focus_input *in,
		       struct arena *a);

/* The modules. */
void module_text(struct focus_page *p);
void module_url_words(struct focus_page *p);
void module_url_pattern(struct focus_page *p);
void module_blacklist(struct focus_page *p);
void module_application(struct focus_page *p);
void module_depth(struct focus_page *p);
void module_freshness(struct focus_page *p);
void module_position(struct focus_page *p);
void module_plain_url(struct focus_page *p);
/* The same for URLs of one host that are made alike. */
uint32_t focus_form_of(struct str url);

/* --- aggregation --- */

/* Weighted average of what was said; 0.5 when nobody said anything.  Weights are noted.
 */
float focus_average(const float weights[PARTS], struct focus_scores *s);
/* Of terms found: their weights to a score. */
float focus_term_score(float sum, bool any_match);
#endif
