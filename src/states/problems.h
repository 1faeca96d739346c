/*
 * problems.h - what pages complained about, counted once each: exceptions, console
 * errors, failed requests, answers of 400 and more, crashes; and what checks found.
 *
 * Dialogs, windows, downloads and what we held back ourselves are notes, not problems.
 */
#ifndef STATES_PROBLEMS_H
#define STATES_PROBLEMS_H

#include "base/map.h"
#include "states/model.h"

enum problem_kind {
	PROBLEM_EXCEPTION,
	PROBLEM_CONSOLE,
	PROBLEM_REQUEST,
	PROBLEM_STATUS,
	PROBLEM_CRASH,
	PROBLEM_CHECK,         /* of the user's own, see check.h */
	PROBLEM_ACCESSIBILITY, /* likewise */
	PROBLEM_HTML,          /* see html_check.h */
	PROBLEM_KINDS
};

struct problem {
	enum problem_kind kind;
	struct str text; /* borrowed from the model */
	uint32_t state;  /* where it was first met */
};

struct problems {
	struct problem *v;
	size_t n, cap;
	uint64_t counts[PROBLEM_KINDS];
	struct map seen;
};

void problems_find(const struct model *m, struct problems *ret);
void problems_release(struct problems *p);
const char *problem_kind_name(enum problem_kind kind);
/* DIR/overview/junit.xml: a case a state, failed when it has problems. */
must_use enum status problems_write_junit(const struct model *m, const struct problems *p,
					  struct diag *why);
#endif
