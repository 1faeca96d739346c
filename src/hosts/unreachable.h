/*
 * unreachable.h - sites that could not be reached, and why: for the last words of a
 * crawl.
 *
 * The last failure of each site counts until an answer comes.  Bounded; owned by the loop
 * thread.
 */
#ifndef HOSTS_UNREACHABLE_H
#define HOSTS_UNREACHABLE_H

#include "base/arena.h"
#include "base/map.h"
#include "base/option.h"
#include "record/fetch.h"

struct unreachable {
	struct map sites; /* the frontier's number of a site -> index + 1 */
	struct unreachable_site {
		struct str origin, error;
		uint32_t failures;
		uint8_t cause; /* enum fetch_cause */
		bool is_over;  /* it answered since */
	} * v;
	size_t n, cap;
	struct arena bytes;
};

void unreachable_release(struct unreachable *u);
/* `error` says what went wrong where the cause alone does not. */
void unreachable_note(struct unreachable *u, uint32_t site, struct str origin,
		      enum fetch_cause cause, struct str error);
/* The first of all, while nobody has answered: somebody waits to be told.  A warning. */
void unreachable_say_first(const struct unreachable *u);
void unreachable_forget(struct unreachable *u, uint32_t site);
/* "https://a.org could not be reached: CAUSE (--OPTION)", `most` lines and one that
 * counts the others; strings in `a`. */
void unreachable_list(const struct unreachable *u, size_t most, struct arena *a,
		      struct str_list *ret);
#endif
