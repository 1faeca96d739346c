/*
 * layout.h - where the states of a graph are drawn.
 *
 * Layers by distance from the start, left to right; within a layer in the order
 * that crosses few edges (barycentre, a fixed number of sweeps).  Pure, and the
 * same for the same graph.
 */
#ifndef OVERVIEW_LAYOUT_H
#define OVERVIEW_LAYOUT_H

#include "states/simulate.h"

struct place {
	double x, y; /* layer; position within it, centred on 0 */
};

/* `ret` has room for `n` places.  What is not reached stands in a last layer. */
void layout_graph(size_t n, const struct transition *edges, size_t edge_count,
		  struct place *ret);
#endif
