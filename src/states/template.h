/*
 * template.h - the set of ways to all elements of a state, whatever its tables hold.
 *
 * As tagpath_set(), but rows are data: a table without rows is the same template as
 * one with many.  So th counts as td, and thead, tbody and tfoot do not count.
 */
#ifndef STATES_TEMPLATE_H
#define STATES_TEMPLATE_H

#include "page/tagpath.h"

/* The next start or end tag that counts, as it counts; false at the end. */
bool template_next(struct html_tokenizer *z, struct html_token *ret);
/* At most `max` ways with classes, sorted hashes without repetition, in `a`. */
void template_set(struct str html, size_t max, struct arena *a, uint64_t **ret,
		  size_t *ret_n);
#endif
