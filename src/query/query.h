/*
 * query.h - ask a snapshot of the store, or change the store, by SPARQL 1.1.
 *
 * Answers are streamed to a sink while they are found.  Every query has limits
 * and can be cancelled from another thread; which limit it hit is in the diag.
 */
#ifndef QUERY_QUERY_H
#define QUERY_QUERY_H

#include "eval/query_options.h"

must_use enum status query_run(struct snapshot *from, const struct request *r,
			       const struct query_options *options,
			       struct result_sink sink, struct diag *why);

struct update_counts {
	uint64_t inserted, deleted; /* as asked for, doubles included */
};

/* All operations of the request, or none. */
must_use enum status update_run(struct store *s, const struct request *r,
				const struct query_options *options,
				struct update_counts *ret, struct diag *why);
#endif
