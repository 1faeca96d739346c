/*
 * crawl_outcome.h - what a crawl, simulated or not, made of a recorded web.
 *
 * Counted from its journal: what was fetched, what was not and why, when new content
 * came, and which recorded pages it never fetched.  Reads the folder, writes nothing.
 */
#ifndef SIMULATE_CRAWL_OUTCOME_H
#define SIMULATE_CRAWL_OUTCOME_H

#include "policy/reason.h"
#include "simulate/relevance.h"

/* What became of a URL, at last. */
enum url_end {
	END_NEVER_FOUND,
	END_QUEUED, /* it was left in the queue: a budget ended the crawl */
	END_REFUSED,
	END_SKIPPED,
	END_DROPPED,
	END_FETCHED,
	URL_ENDS,
};

/* A new page, and all up to it. */
struct new_page {
	uint32_t request;  /* the number of the request that brought it */
	uint32_t relevant; /* relevant pages so far */
	double relevance;  /* of all pages so far, added up */
};

struct crawl_outcome {
	struct str name; /* borrowed */
	uint64_t requests;
	uint64_t pages, redirects, absent,
		failed;   /* by their answer: 2xx, 3xx, 4xx, rest */
	uint64_t unknown; /* requests for what is not in the archive */
	uint64_t found_new, duplicates, near_duplicates; /* of the pages */
	uint64_t bytes;
	int64_t duration_ms;
	uint64_t ends[URL_ENDS];
	uint64_t reasons[REASONS]; /* URLs that were not fetched */
	struct new_page *new_pages;
	size_t n_new, new_cap;
	uint64_t relevant; /* of the new pages */
	bool has_relevance;
	/* Recorded pages (200, HTML) that were not fetched, by what became of them. */
	uint64_t lost_pages, lost_ends[URL_ENDS], lost_reasons[REASONS];
	uint64_t lost_contents; /* payloads of theirs that no other URL brought */
};

/* Pages (200, HTML) of an archive and their distinct payloads. */
void crawl_outcome_archive(const struct recorded_web *w, uint64_t *ret_pages,
			   uint64_t *ret_contents);
/* Of the crawl in `dir`; `judge` may be NULL. */
must_use enum status crawl_outcome_read(struct crawl_outcome *ret,
					const struct recorded_web *w,
					struct relevance *judge, const char *dir,
					struct diag *why);
void crawl_outcome_release(struct crawl_outcome *o);
/* New pages among the first `requests`. */
size_t crawl_outcome_new_after(const struct crawl_outcome *o, uint64_t requests);
/* Relevance of these, added up. */
double crawl_outcome_relevance_after(const struct crawl_outcome *o, uint64_t requests);
/* Relevant ones among them. */
uint64_t crawl_outcome_relevant_after(const struct crawl_outcome *o, uint64_t requests);
/* Requests until so large a share of `contents` was found; 0 when it never was. */
uint64_t crawl_outcome_requests_for(const struct crawl_outcome *o, double share,
				    uint64_t contents);
#endif
