/*
 * counts.h - what a crawl adds up: from its answers while it runs, from its journal when
 * it goes on.
 */
#ifndef JOURNAL_COUNTS_H
#define JOURNAL_COUNTS_H

#include "policy/recrawl.h"
#include "record/purpose.h"
#include "record/verdict.h"

struct crawl_counts {
	uint64_t requests, done, received_bytes;
	/* by last answer: */
	uint64_t ok, not_modified, redirects, client_errors, server_errors, failed;
	uint64_t exact, near, soft_404, novel;
	uint64_t revisited, unchanged, changed, gone; /* of revisits */
	uint64_t rule_skips;                          /* URLs skipped by a URL rule */
	uint64_t unreachable; /* URLs dropped because their site could not be reached */
	uint64_t dropped, refused, known, retries, robots_denied;
	uint64_t types_refused;   /* bodies not downloaded, by their type */
	uint64_t identical_bytes; /* received, but not stored again */
	/* pages shown in a browser, and what they brought that nothing else had: */
	uint64_t rendered, render_failed, render_paid;
	uint64_t render_links, render_text_bytes;
	uint64_t render_refused;     /* requests of pages that were not sent */
	uint64_t render_from_memory; /* and that the crawl had the answer to */
	uint64_t render_wanted;      /* pages that show little, and there is no browser */
	/* pages for the module from outside; missed: it was too slow, or not there */
	uint64_t module_sent, module_answered, module_missed;
};

/* By the last answer of a URL. */
void counts_add_answer(struct crawl_counts *n, int code, uint64_t wire_bytes);
/* What it was worth, as crawl.log, the report and a later process count it: once judged.
 * `verdict` may be NULL. */
struct counted_page {
	uint8_t purpose; /* enum purpose */
	uint8_t change;  /* enum change, of a revisit */
	bool novel;
	const struct verdict *verdict;
};
void counts_add_page(struct crawl_counts *n, const struct counted_page *p);
/* No answer, or a 5xx, and no retry is left. */
static inline uint64_t counts_failed(const struct crawl_counts *n)
{
	return n->failed + n->server_errors;
}
#endif
