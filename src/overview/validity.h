/*
 * validity.h - the faults of many pages: states of a crawl, or files.
 *
 * Of a crawl the DOM of every state is judged for faults of the document, and the answer
 * that the server gave at its address, if the archive has one, for faults of markup: a
 * browser's DOM has lost these.  A file is judged for both.  In DOMs a place is known by
 * its way and what it is about, so that the same fault in ten states is one place; in
 * bytes by line and column.
 */
#ifndef OVERVIEW_VALIDITY_H
#define OVERVIEW_VALIDITY_H

#include "base/map.h"
#include "validate/validate.h"

#define VALIDITY_PLACES_MAX 100000 /* kept; all are counted */
#define VALIDITY_PAGE_MAX   ((size_t)64 << 20)

struct validity_place {
	struct fault fault; /* of the page where it was first met */
	struct str page;    /* its name: "state 3", an address, a file */
	bool is_dom;        /* line and column mean nothing */
	uint64_t times;
	uint32_t pages; /* states or files that have it */
	uint32_t last;  /* the last of them */
};

struct validity {
	struct validity_place *v; /* in the order in which they were met */
	size_t n, cap;
	struct map seen;
	uint64_t times[FAULT_KINDS];
	uint32_t pages[FAULT_KINDS];
	uint32_t files, states;
	uint32_t answers;    /* judged, one per address */
	uint32_t unanswered; /* states at whose address there is none */
	uint32_t others; /* states that are no HTML, as JSON in a browser: not judged */
	uint32_t page_count; /* judged so far, of whatever kind */
	struct arena memory;
};

void validity_release(struct validity *v);
/* Judge one page, which stands for `weight` states or files. */
void validity_add(struct validity *v, struct str name, const struct validate_input *in,
		  bool markup_only, uint32_t weight);
must_use enum status validity_add_file(struct validity *v, const char *path,
				       struct diag *why);
/* A folder of `thresh states` or of `thresh calibrate record`. */
must_use enum status validity_add_crawl(struct validity *v, const char *dir,
					struct diag *why);
#endif
