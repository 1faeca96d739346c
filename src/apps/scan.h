/*
 * scan.h - which application made this page, and what is it there?
 *
 * One pass over the tags of a page, and the regular expressions over its URL, HTTP
 * fields and text, give evidence; evidence gives a verdict.  Several patterns combine as
 * independent witnesses: two of 50 % are 75 %.  A descendant that is recognised is
 * preferred to its ancestor.  The scan belongs to one thread and is used again for the
 * next page; what it returns lives until then, or in the arena of the page.
 */
#ifndef APPS_SCAN_H
#define APPS_SCAN_H

#include "apps/library.h"
#include "url/url.h"

#define APP_CERTAIN   70 /* per cent, from where on an application is recognised */
#define LEVEL_CERTAIN 60

struct app_page {
	struct str url;    /* absolute */
	struct str fields; /* lines of the HTTP head, without the first; or empty */
	struct str html;   /* content encoding undone */
	struct str text;   /* what a reader sees; empty: text patterns are not tried */
	uint32_t links, own_links; /* of the page: all, and to its own host */
	uint32_t remembered;       /* application of its host so far, or APP_NONE */
};

struct app_evidence {
	uint32_t owner;   /* number of the pattern */
	struct str value; /* what it found */
};

struct app_verdict {
	uint32_t app;                  /* APP_NONE: unknown */
	const struct app_level *level; /* NULL: unknown */
	uint8_t confidence, level_confidence;
	bool is_remembered; /* by its host, not by the page */
};

struct app_scan {
	const struct app_library *library;
	bool no_history; /* links to earlier versions are left out */
	struct automaton_run run;
	struct regex_scratch heads, bodies, rules;
	struct html_tokenizer *tokens;
	uint32_t *stamps; /* per pattern: the page that it was last found on */
	uint32_t page_nr;
	struct app_evidence *evidence;
	size_t n_evidence, evidence_cap;
	struct app_score *scores;
	size_t n_scores, scores_cap;
	struct app_link_set *link_sets; /* per application, made when needed */
	struct map marked; /* links that paths of rules select: hash to number of rule */
	struct buf scratch[2];
};

void app_scan_init(struct app_scan *s, const struct app_library *l);
void app_scan_release(struct app_scan *s);
struct app_verdict app_scan_page(struct app_scan *s, const struct app_page *page,
				 struct arena *a);
/* Does this evidence speak for the verdict? */
bool app_evidence_counts(const struct app_scan *s, const struct app_verdict *v, size_t i);
/* "script vbulletin_global.js" */
void app_evidence_format(const struct app_scan *s, size_t i, struct buf *to);
extern const char *const app_place_names[PLACES];
#endif
