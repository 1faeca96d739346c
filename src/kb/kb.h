/*
 * kb.h - the knowledge base as its users see it: open, ask, change.
 */
#ifndef KB_KB_H
#define KB_KB_H

#include "kb/files.h"
#include "kb/results.h"

struct kb {
	struct store *store;
	struct cost_constants costs; /* as calibrated when the folder was made */
};

/*
 * `dir` NULL: in memory.  The costs of joins are measured once, when a folder is first
 * opened for writing, and kept there.
 */
must_use enum status kb_open(struct kb *ret, const char *dir,
			     const struct store_options *options, struct diag *why);
void kb_close(struct kb *k);

/* Parse and run; the writer is ended where that went well. */
must_use enum status kb_query(struct kb *k, struct str text, struct str base,
			      const struct query_options *options,
			      struct results_writer *to, struct diag *why);
must_use enum status kb_update(struct kb *k, struct str text, struct str base,
			       const struct query_options *options,
			       struct update_counts *ret, struct diag *why);
#endif
