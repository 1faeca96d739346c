/*
 * crawl.h - a crawl from its seeds to its end, in one folder.
 *
 * crawl_run() does all of it: makes or resumes the folder, starts the threads,
 * turns the loop until there is nothing left to fetch, a limit is reached or
 * somebody says stop, and closes everything in order.  It only puts stages
 * together; what is decided is decided in policy/, what is written in the
 * writer.  The calling thread becomes the loop's.
 */
#ifndef CRAWL_CRAWL_H
#define CRAWL_CRAWL_H

#include "engine/state.h"

extern const struct crawl_outside real_outside;

/* What came of it; strings in `bytes`. */
struct crawl_result {
	enum crawl_end end;
	enum reason limit; /* of CRAWL_LIMIT: which */
	struct crawl_counts counts;
	struct str_list unreachable; /* a line for each site that could not be reached */
	struct arena bytes;
};

void crawl_result_release(struct crawl_result *r);
/*
 * Run the crawl in `dir`.  `seeds` are offered if it is a new one.  ST_OK for any
 * end but CRAWL_FAILED.
 */
must_use enum status crawl_run_in(const struct crawl_outside *outside, const char *dir,
				  struct crawl_settings *settings, struct str_list *seeds,
				  struct crawl_result *ret, struct diag *why);
/* In the real one. */
must_use enum status crawl_run(const char *dir, struct crawl_settings *settings,
			       struct str_list *seeds, struct crawl_result *ret,
			       struct diag *why);
#endif
