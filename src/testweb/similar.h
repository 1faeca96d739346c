/*
 * similar.h - how alike two pages are, counted the slow and exact way.
 *
 * For checking what the test web promises; the crawler's own sketches are
 * checked against the same promises, so they are not used here.
 */
#ifndef TESTWEB_SIMILAR_H
#define TESTWEB_SIMILAR_H

#include "base/str.h"

/* Jaccard coefficient of the 3-word shingles of the visible texts: 0 to 1. */
double similar_pages(struct str html_a, struct str html_b);
/* The same within <main> only: without navigation and footer. */
double similar_contents(struct str html_a, struct str html_b);
#endif
