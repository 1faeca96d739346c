/*
 * check.h - the test web tests itself: serve in one thread, fetch a sample in
 * another, compare what came with what the manifest promises.
 */
#ifndef TESTWEB_CHECK_H
#define TESTWEB_CHECK_H

#include "base/buf.h"
#include "testweb/world.h"

struct check_row {
	const char *name; /* "blog pages", "alias session" */
	uint64_t asked, failed;
	double least, most; /* likeness to the canonical page, where that is compared */
	uint64_t bytes;
};

struct check {
	struct check_row *rows;
	size_t n, cap;
	uint64_t asked, failed;
	double seconds;
	char first_failure[512]; /* the URL and what was wrong with it */
};

/* `sample` requests a row. */
must_use enum status check_run(struct world *w, unsigned sample, struct check *ret,
			       struct diag *why);
void check_release(struct check *c);
void check_write(const struct check *c, struct buf *to);
#endif
