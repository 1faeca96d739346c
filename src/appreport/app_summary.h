/*
 * app_summary.h - what a crawl has of each application, and what is missing of it.
 *
 * Read from a crawl folder: apps.jsonl (pages of known applications), objects.jsonl and
 * crawl.log.  Pages that lead to each other as "next" are one whole: a thread of four
 * pages, a list of twelve.  A whole is complete when each of its pages was answered and
 * it has as many objects as it says itself.  Lines that make no sense are counted and
 * passed over; memory is bounded by the number of such pages.
 */
#ifndef APPREPORT_APP_SUMMARY_H
#define APPREPORT_APP_SUMMARY_H

#include "base/arena.h"
#include "base/buf.h"

#define MISSING_MAX 20 /* pages of a whole that are named */

struct app_level_sum {
	struct str level;
	uint64_t pages, objects, wholes, incomplete;
};

/* A thread, a list, an article, over all its pages. */
struct app_whole_sum {
	struct str url, level; /* of its first page */
	uint32_t site;
	uint64_t pages, objects; /* distinct */
	bool has_total;
	uint64_t total;     /* objects, as its pages say */
	uint64_t n_missing; /* pages that were never answered */
	struct str missing[MISSING_MAX];
};

/* One application on one server. */
struct app_site {
	struct str application, server;
	uint64_t pages, objects, wanted, left_out, failed;
	struct app_level_sum *levels;
	size_t n_levels, levels_cap;
};

struct app_summary {
	struct arena arena;
	struct app_site *sites; /* in the order of their first pages */
	size_t n, cap;
	struct app_whole_sum *wholes; /* with more pages than one, or a total */
	size_t n_wholes, wholes_cap;
	uint64_t bad_lines;
};

/* The text of the three files. */
struct app_summary_input {
	struct str pages, objects, log;
};

void app_summary_read(struct app_summary *ret, const struct app_summary_input *in);
/* A folder without such files gives an empty summary. */
must_use enum status app_summary_load(struct app_summary *ret, const char *dir,
				      struct diag *why);
void app_summary_release(struct app_summary *s);
bool app_whole_is_complete(const struct app_whole_sum *w);
/* "41 of 41 posts" and the like: "41 of 41; 2 pages missing: URL, URL". */
void app_whole_format(const struct app_whole_sum *w, struct buf *to);
void app_summary_json(const struct app_summary *s, struct buf *to);
void app_summary_text(const struct app_summary *s, bool all_wholes, struct buf *to);
#endif
