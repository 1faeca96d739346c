/*
 * pattern_list.h - which of these regular expressions matches?
 *
 * A few patterns are tried one after the other with PCRE2's compiler to machine
 * code; long lists go through Hyperscan first, in one pass for all, and what it
 * cannot express is tried by PCRE2.  Both search anywhere in the text unless a
 * pattern is anchored.  Pathological patterns end at a match limit and count as
 * "no match".  Built once, then read-only but for scratch space: one thread.
 */
#ifndef POLICY_PATTERN_LIST_H
#define POLICY_PATTERN_LIST_H

#include "base/str.h"

#define PATTERN_NONE SIZE_MAX

struct pattern_list {
	struct pattern *v;
	size_t n, cap;
	struct pattern_set *fast; /* NULL for short lists */
};

/* ST_SYNTAX names what is wrong, and where. */
must_use enum status pattern_list_add(struct pattern_list *l, struct str regex,
				      struct diag *why);
/* After the last pattern_list_add(), before the first question. */
void pattern_list_finish(struct pattern_list *l);
/* The number of the first pattern that matches, or PATTERN_NONE. */
size_t pattern_list_find(const struct pattern_list *l, struct str text);
/* As it was added. */
struct str pattern_text(const struct pattern_list *l, size_t i);
void pattern_list_release(struct pattern_list *l);
#endif
