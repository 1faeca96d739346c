/*
 * comparison.h - outcomes side by side: as text, for programs, and as a page with plots.
 *
 * Pure: the same outcomes give the same bytes.
 */
#ifndef SIMULATE_COMPARISON_H
#define SIMULATE_COMPARISON_H

#include "base/buf.h"
#include "simulate/crawl_outcome.h"

#define COLUMNS_MAX 8
#define CURVE_STEPS 100 /* of a curve; one point more */
#define PERIODS     20  /* over which relevance is averaged */

struct comparison {
	const struct crawl_outcome *v;
	size_t n;                          /* COLUMNS_MAX at most */
	uint64_t answers, pages, contents; /* of the archive */
};

/* One line of the table: a number of each outcome. */
struct comparison_row {
	const char *name;  /* for programs */
	const char *label; /* for people; indented when it is part of the one before */
	size_t offset;     /* in struct crawl_outcome, uint64_t */
};
extern const struct comparison_row comparison_rows[]; /* ended by a NULL name */

static inline uint64_t comparison_value(const struct crawl_outcome *o,
					const struct comparison_row *r)
{
	return *(const uint64_t *)((const char *)o + r->offset);
}
/* True when some outcome has URLs that were not fetched (or lost) for this reason. */
bool comparison_has_reason(const struct comparison *c, enum reason r, bool lost);
/* True when relevance was judged. */
bool comparison_has_relevance(const struct comparison *c);
/* Relevance per request in the period `at` of PERIODS; 0 past the end of the crawl. */
double comparison_period(const struct comparison *c, size_t k, size_t at);
/* The most requests of any of them: the right end of the curves. */
uint64_t comparison_requests(const struct comparison *c);

void comparison_add_text(const struct comparison *c, struct buf *to);
void comparison_write_json(const struct comparison *c, struct buf *to);
/* A page of its own: nothing is loaded from anywhere. */
void comparison_add_html(const struct comparison *c, struct buf *to);
#endif
