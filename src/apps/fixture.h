/*
 * fixture.h - a description against a page that it was written for.
 *
 * Is the application recognised, and the level?  Do links get the advice, and do the
 * objects have the values that the fixture names?  Pure but for the scan.
 */
#ifndef APPS_FIXTURE_H
#define APPS_FIXTURE_H

#include "apps/scan.h"

struct fixture_result {
	unsigned failures;               /* application, level, links */
	unsigned expected, found, right; /* fields */
};

/*
 * `objects` are the lines of JSON that extraction should give, without url, application
 * and level; empty: not compared.  What is wrong goes to `problems`, a line each.
 */
struct fixture_result fixture_check(struct app_scan *s, uint32_t app,
				    const struct app_fixture *f, struct str html,
				    struct str objects, struct buf *problems);
/* Of fields: the harmonic mean of precision and recall, 0 to 1. */
double fixture_f1(const struct fixture_result *r);
#endif
