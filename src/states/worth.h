/*
 * worth.h - what is worth trying, and what first.
 *
 * New is, in this order: an element, as the template names it, that no state showed
 * before (there are only so many in an application, while its states combine them without
 * end); a control that no state offered before; an address.  Where the contents count,
 * too, a new state is new. What the like of a control brought so far is what it promises;
 * budgets end what brings nothing, and spare only what has been tried, or others of its
 * kind many times. Pure: the same events give the same answers, so that a resumed crawl
 * decides alike.
 */
#ifndef STATES_WORTH_H
#define STATES_WORTH_H

#include "base/map.h"
#include "states/identity.h"

/* Each limit is 0 for none. */
struct worth_limits {
	uint64_t repeats; /* of one control, in whatever states, in a row without novelty
			   */
	uint64_t alike;  /* controls of one kind in one state, in a row without novelty */
	uint64_t series; /* controls of one kind anywhere, in a row without a new element:
			    beyond, those of merged states are not tried */
	uint64_t combinations; /* states that show nothing new; when there are more,
				  nothing is tried again in another state */
};

struct worth {
	struct map ways;       /* of all states that events led to, and of the first */
	struct map controls;   /* that any state offered */
	struct map addresses;  /* of states, without query and fragment */
	struct map spots;      /* control and address where it was fired */
	struct map repeats;    /* control -> how often in a row it led to nothing new */
	struct map alike;      /* kind of control and state -> likewise */
	struct map tries;      /* kind of control -> events */
	struct map gains;      /* kind of control -> what they brought, in tenths */
	struct map series;     /* kind of control -> in a row without a new element */
	uint64_t combinations; /* states that showed nothing new */
	uint64_t quiet;        /* events since one last brought an element or a control */
};

/* One event of one control. */
struct attempt {
	const struct candidate *control;
	uint32_t state;
	uint8_t event;
	bool in_combination; /* the state shows nothing new */
	struct str url;      /* of the state */
	bool merged;         /* the state was merged into another */
};

void worth_release(struct worth *w);
enum arrival {
	ARRIVAL_KNOWN,   /* at a state that was known */
	ARRIVAL_STATE,   /* at a new one, by its elements or their combination */
	ARRIVAL_CONTENT, /* at one that its contents make new */
};
/* What an event brought; the greatest counts. */
enum gain { GAIN_NOTHING, GAIN_ADDRESS, GAIN_CONTROL, GAIN_ELEMENT };

/* It led to a state: `to` and `seen` (may be NULL) say which. */
enum gain worth_add(struct worth *w, const struct attempt *a, const struct identity *to,
		    const struct observation *seen, enum arrival arrival);
/* Does it offer a control that no state offered?  Not before the first event. */
bool worth_offers_new(const struct worth *w, const struct observation *seen);
/* The same control in different states: by what one sees of it, not by its place. */
uint64_t worth_control(const struct candidate *control, uint8_t event);
/* The first state of all. */
void worth_start(struct worth *w, const struct identity *first,
		 const struct observation *seen);
/* Was it fired in any state? */
bool worth_is_tried(const struct worth *w, uint64_t control);
/*
 * A link is one wherever it stands; a button that looks like another on a page of another
 * address is another: the number of the control at an address.
 */
uint64_t worth_spot(const struct candidate *c, uint64_t control, struct str url);
bool worth_is_tried_at(const struct worth *w, uint64_t spot);
/* Controls at the same place but for the numbers, as those of a list, on whatever page.
 */
uint64_t worth_kind(const struct candidate *control, uint8_t event);
/*
 * How likely the event brings something new, in tenths, 0 to 10: by what its kind
 * brought, and, where it was tried in another state, by what came of that.
 */
unsigned worth_promise(const struct worth *w, uint64_t control, uint64_t kind,
		       uint8_t event);
/* Why it is not worth its time, in static words; NULL: it is. */
const char *worth_refuses(const struct worth *w, const struct attempt *a,
			  const struct worth_limits *limits);
#endif
