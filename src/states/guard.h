/*
 * guard.h - what must not be clicked: logout, delete, pay, unsubscribe.
 *
 * Judged by what an element says, where it leads and how it asks.  A refusal is
 * reported with its reason, never silent.  Pure.
 */
#ifndef STATES_GUARD_H
#define STATES_GUARD_H

#include "states/observe.h"

struct guard_options {
	bool allow_destructive;  /* the user knows what the application can lose */
	struct str_list exclude; /* texts that are never touched; see also candidate */
	struct str_list include; /* when given, only these are */
	struct str origin; /* "https://host": links that leave it are not followed */
};

/* NULL when it may be done; otherwise the reason, in static words. */
const char *guard_refuses(const struct guard_options *g, const struct candidate *c);
#endif
