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
	uint64_t combinations; /* states that show nothing new; when there are more, they
				  get no events, and others none that was tried elsewhere
				*/
};

struct worth {
	struct map ways;       /* of all states that events led to, and of the first */
	struct map repeats;    /* control -> how often in a row it led to nothing new */
	struct map alike;      /* kind of control and state -> likewise */
	uint64_t combinations; /* states that showed nothing new */
};

/* One event of one control. */
struct attempt {
	const struct candidate *control;
	uint32_t state;
	uint8_t event;
	bool in_combination; /* the state shows nothing new */
};

void worth_release(struct worth *w);
enum arrival {
	ARRIVAL_KNOWN,   /* at a state that was known */
	ARRIVAL_STATE,   /* at a new one, by its elements or their combination */
	ARRIVAL_CONTENT, /* at one that its contents make new */
};
/* It led to `to`; true when that shows an element never seen. */
bool worth_add(struct worth *w, const struct attempt *a, const struct identity *to,
	       enum arrival arrival);
/* The same control in different states: by what one sees of it, not by its place. */
uint64_t worth_control(const struct candidate *control, uint8_t event);
/* The first state of all. */
void worth_start(struct worth *w, const struct identity *first);
/* Why it is not worth its time, in static words; NULL: it is. */
const char *worth_refuses(const struct worth *w, const struct attempt *a,
			  const struct worth_limits *limits);
#endif
