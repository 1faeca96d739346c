/*
 * adapt.h - expressions that have stopped finding what is on the pages, repaired.
 *
 * The objects that were archived say what is to be found; the same pages under a new
 * template say where it stands now.  Candidates are the old expression, relaxed step by
 * step, and the elements that hold the known values now; each is measured by running it
 * (apps/extract.h) and comparing values.  What is proposed carries its confidence: the
 * mean over fields of the harmonic mean of precision and recall.  Pure; one thread.
 */
#ifndef APPLEARN_ADAPT_H
#define APPLEARN_ADAPT_H

#include "apps/extract.h"

#define ADAPT_TRUSTED 0.9 /* from here on a repair is used */
#define ADAPT_WORKS   0.8 /* an expression that still finds so much is left alone */

/* A page as it is now, and the lines of JSON that were once taken out of it. */
struct adapt_page {
	struct app_page page;
	struct app_verdict verdict;
	struct str objects;
};

struct adapt_change {
	struct str what;      /* "post", "post/author" */
	struct str old, made; /* XPath */
	struct str match, to; /* of a field, when they changed; or empty */
	uint32_t line;        /* in the description */
	double before, after; /* how much of what is known was found */
};

struct adaptation {
	struct arena arena;
	struct adapt_change *v;
	size_t n, cap;
	double before, after; /* of all fields of the object */
};

/*
 * Repair object `kind` of a level, over pages of that level.  Nothing is changed when it
 * still works; then `ret->n` is 0.
 */
void adapt_object(const struct app_library *l, const struct app_level *level, size_t kind,
		  const struct adapt_page *pages, size_t n, struct adaptation *ret);
void adaptation_release(struct adaptation *a);
/* The text of a description with the changes; false: an expression was not found. */
bool adaptation_apply(const struct adaptation *a, struct str xml, struct buf *to);
#endif
