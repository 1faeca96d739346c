/*
 * extract.h - objects and their fields out of a page whose level is known.
 *
 * XPath 1.0 by libxml2, with has-class('x'), re:test(text, regex) and re:replace(text,
 * regex, flags, with) besides.  An expression that fails gives nothing: the page is what
 * the server made it.  Work per expression is bounded.  Pure; any thread.
 */
#ifndef APPS_EXTRACT_H
#define APPS_EXTRACT_H

#include "apps/scan.h"

#define EXTRACT_HTML_MAX    ((size_t)8 << 20)
#define EXTRACT_OBJECTS_MAX 10000

/* ST_SYNTAX says what is wrong with an XPath expression. */
must_use enum status xpath_check(struct str expression, struct diag *why);

struct extract_counts {
	size_t objects;
	bool has_total;
	uint64_t total; /* objects that the whole has over all its pages, as it says */
};

/*
 * Add one line of JSON per object:
 * {"url":…,"application":…,"level":…,"object":…, fields…}.
 */
struct extract_counts app_extract(const struct app_library *l,
				  const struct app_verdict *v,
				  const struct app_page *page, struct buf *to);
#endif
