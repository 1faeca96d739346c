/*
 * worth.h - what is worth trying: the budgets that end the crawl of an application
 * with more states than anybody wants to see.
 *
 * New is an element, as the template names it, that no state showed before; there are
 * only so many in an application, while its states combine them without end (every set
 * of open notes is one).  Where the contents count, too, a new state is new.
 * Pure: the same events give the same answers, so that a resumed crawl decides alike.
 */
#ifndef STATES_WORTH_H
#define STATES_WORTH_H

#include "base/map.h"
#include "states/identity.h"

/* Each limit is 0 for none. */
struct worth_limits {
	uint64_t repeats; /* of one control, in whatever states, in a row without novelty
			   */
	uint64_t alike; /* controls of one kind in one state, in a row without novelty */
	uint64_t combinations; /* events tried before in another state that brought
				  nothing; and COMBINATIONS_A_STATE more for each state
				  that did */
};

#define COMBINATIONS_A_STATE 5

struct worth {
	struct map ways;    /* of all states that events led to, and of the first */
	struct map repeats; /* control -> how often in a row it led to nothing new */
	struct map alike;   /* kind of control and state -> likewise */
	uint64_t stale;     /* events tried before elsewhere that led to nothing new */
	uint64_t states;    /* that showed something new */
};

/* One event of one control. */
struct attempt {
	const struct candidate *control;
	uint32_t state;
	uint8_t event;
};

void worth_release(struct worth *n);
/* It led to `to`; true when that shows an element never seen.  `is_kept`: to a state that
 * counts as new although its elements are not. */
bool worth_add(struct worth *n, const struct attempt *a, const struct identity *to,
	       bool is_kept);
/* The first state of all. */
void worth_start(struct worth *n, const struct identity *first);
/* Why it is not worth its time, in static words; NULL: it is. */
const char *worth_refuses(const struct worth *n, const struct attempt *a,
			  const struct worth_limits *limits);
#endif
