/*
 * check.h - what is wrong with a state, beyond what its page complains about itself.
 *
 * Rules of accessibility (check.js, apart from the page's scripts), and checks of the
 * user's: JavaScript that runs in the page and gives what is wrong as a text or a list of
 * texts; nothing, true or an empty list is fine, an exception or false is a problem.
 */
#ifndef OBSERVE_CHECK_H
#define OBSERVE_CHECK_H

#include "base/option.h"
#include "browser/tab.h"

#define CHECK_LINES_MAX 200 /* of one state */

/* A check of the user's. */
struct check {
	struct str name;   /* of its file, for the words */
	struct str script; /* an expression, or a function of nothing */
};

struct check_list {
	struct check *v;
	size_t n, cap;
	bool accessibility;
	bool html; /* by html_check.h: check_page() has nothing to do with it */
};

/* Lines "accessibility: ..." and "check: NAME: ...", appended. */
must_use enum status check_page(struct tab *t, const struct check_list *l, struct buf *to,
				struct diag *why);
#endif
