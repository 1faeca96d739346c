/*
 * simulate.h - the graph of an application at a chosen threshold.
 *
 * A crawl records raw states (every distinct observation, in discovery order)
 * and transitions between them, in order.  Which of them count as states is a
 * pure function of these and of two thresholds; the crawl uses it one
 * transition at a time, the overview's slider is the same algorithm in
 * JavaScript, and tests hold the two equal.
 *
 * Invariants:
 *  1. State 0 is kept.
 *  2. A transition whose source was never met changes nothing; one whose source was
 * absorbed starts at the state that absorbed it: merged is not silenced.
 *  3. A target met for the first time is absorbed by the kept state that is
 *     nearest, if one is within both thresholds; the earliest wins a tie.
 *     Otherwise it is kept.
 *  4. What was decided for a raw state is never changed by later transitions.
 */
#ifndef STATES_SIMULATE_H
#define STATES_SIMULATE_H

#include "base/base.h"

#define STATE_UNSEEN UINT32_MAX

/* Distances of two raw states on both axes, each 0 (equal) to 1 or more. */
struct state_distance {
	double of_template, of_content;
};

typedef struct state_distance state_distance_fn(const void *ctx, uint32_t a, uint32_t b);

struct state_thresholds {
	double of_template, of_content; /* near when both distances are at most these */
};

struct transition {
	uint32_t from, to; /* raw states */
	uint32_t action;   /* what was done; the crawl's number for it */
};

struct simulation {
	struct state_thresholds thresholds;
	state_distance_fn *distance;
	const void *ctx;
	uint32_t *absorbed_by;  /* by raw state: itself when kept, STATE_UNSEEN before */
	double *merge_distance; /* by raw state: of the template, to who absorbed it */
	size_t raw_count, raw_cap;
	uint32_t *kept; /* raw numbers, in order of keeping */
	size_t kept_count, kept_cap;
	struct transition
		*edges; /* between kept states, in order, repetitions left out */
	size_t edge_count, edge_cap;
};

/* State 0 is there and kept. */
void simulation_start(struct simulation *s, struct state_thresholds thresholds,
		      state_distance_fn *distance, const void *ctx);
void simulation_release(struct simulation *s);
/*
 * The next transition.  Returns the kept state that it leads to, or STATE_UNSEEN
 * when its source was never met; `ret_new` (may be NULL) tells whether it was kept now.
 */
uint32_t simulation_add(struct simulation *s, struct transition t, bool *ret_new);
/* All of them at once. */
void simulation_run(struct simulation *s, const struct transition *t, size_t n);
#endif
