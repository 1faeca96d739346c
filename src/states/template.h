/*
 * template.h - the set of ways to all elements that a state shows.
 *
 * A way is the names from the root, and the classes of the element itself: a class that
 * changes on <body> must not change all ways.  What does not show (x-unseen, see
 * observe.js) is left out.  Rows are data: a table without rows is the same template as
 * one with many.  So th counts as td, and thead, tbody and tfoot do not count.
 */
#ifndef STATES_TEMPLATE_H
#define STATES_TEMPLATE_H

#include "html/tagpath.h"

/* The next start or end tag that counts, as it counts; false at the end. */
bool template_next(struct html_tokenizer *z, struct html_token *ret);
/* The number of an element that tagpath_open() returned. */
uint64_t template_way(struct tagpath *t, const struct tagpath_entry *e);
/* At most `max` ways with classes, sorted hashes without repetition, in `a`. */
void template_set(struct str html, size_t max, struct arena *a, uint64_t **ret,
		  size_t *ret_n);
#endif
