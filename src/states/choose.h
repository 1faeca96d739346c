/*
 * choose.h - which event is next.
 *
 * Of all events that nothing is known of, the one that promises most (worth.h); among
 * equals what the last event led to, or where it was fired, then the state seen first,
 * then document order.  A state that was merged into another has only what was tried
 * nowhere.  A function of the model alone: it does not depend on where the browser is.
 */
#ifndef STATES_CHOOSE_H
#define STATES_CHOOSE_H

#include "states/model.h"

/* The keys of a new state's controls. */
void choose_prepare(struct raw_state *s);
/* False when nothing is left. */
bool choose_next(const struct model *m, uint32_t max_depth, struct deed *ret);
/* Any event of this state that nothing is known of. */
bool choose_in(const struct model *m, uint32_t state, struct deed *ret);
/* How many there are in all. */
size_t choose_count(const struct model *m, uint32_t max_depth);

/*
 * How many states there are, by how often each was met: Chao's lower bound for the number
 * of species, with the 95 % interval of its logarithm.
 */
struct species {
	double estimate, low, high;
};
struct species choose_species(const struct model *m);
#endif
