/*
 * score.h - a crawl of the test web against the truth.
 *
 * Found means kept: the crawl folder's index has a whole copy of some URL that
 * shows the page.  Requests are those of the server's log where there is one
 * (nothing can be left out of it), else those of crawl.log.
 */
#ifndef TESTWEB_SCORE_H
#define TESTWEB_SCORE_H

#include "testweb/politeness.h"
#include "testweb/way.h"

#define CURVE_POINTS 20u

struct score_options {
	const char *dir;      /* a crawl folder */
	const char *manifest; /* as 'testweb manifest' wrote it */
	const char *log;      /* the server's; NULL: judged by crawl.log alone */
	struct str topic;     /* only pages about this must be kept; empty: all */
	struct politeness_options polite;
	size_t examples; /* lost pages to name, at most */
};

/* Why a page that must be kept is not. */
enum loss {
	LOSS_UNREQUESTED, /* never requested, and not in the ledger */
	LOSS_SKIPPED,     /* in skipped.jsonl */
	LOSS_FAILED,      /* requested, but not answered */
	LOSS_DROPPED,     /* answered, but not stored */
	LOSSES
};
extern const char *const loss_names[LOSSES];

struct lost_page {
	struct str page;
	uint8_t loss; /* enum loss */
};

struct waste {
	struct str name; /* class and detail: "alias session", "trap calendar" */
	uint64_t requests, bytes;
};

struct curve_point {
	uint64_t requests, pages;
};

struct score {
	uint64_t must_keep, found, lost[LOSSES];
	/* Of these, what is reached in one way only. */
	uint64_t way_must_keep[WAYS], way_found[WAYS];
	uint64_t requests, bytes;
	uint64_t useful_requests, useful_bytes; /* brought a page that must be kept */
	uint64_t overhead_requests;             /* robots.txt, sitemaps, feeds */
	uint64_t records;                       /* in the crawl's index */
	struct waste *wastes;                   /* most requests first */
	size_t n_wastes, cap_wastes;
	struct curve_point curve[CURVE_POINTS];
	bool has_log;
	struct politeness politeness;
	struct arena bytes_of_names;
	struct lost_page *examples;
	size_t n_examples, cap_examples;
};

must_use enum status score_crawl(const struct score_options *o, struct score *ret,
				 struct diag *why);
void score_release(struct score *s);
/* For people, and for machines. */
void score_write_table(const struct score *s, struct buf *to);
void score_write_json(const struct score *s, struct buf *to);
#endif
