/*
 * cost.h - what joins cost on this machine.
 *
 * Nanoseconds, measured once by cost_calibrate() and kept beside the store; the planner
 * compares orders and ways to read by them.
 */
#ifndef EVAL_COST_H
#define EVAL_COST_H

#include "base/buf.h"

struct cost_constants {
	double scan_ns;      /* a row read in order */
	double seek_ns;      /* a search for a key anywhere */
	double seek_near_ns; /* a search for a key just after the last one */
	double build_ns;     /* a row put into a hash table */
	double probe_ns;     /* a look-up in it */
	double row_ns;       /* a solution passed on */
};

extern const struct cost_constants cost_standard;
/* Measure on generated rows; takes a fraction of a second. */
void cost_calibrate(struct cost_constants *ret);
void cost_format(const struct cost_constants *c, struct buf *to);
/* False when the text is not one of cost_format(). */
bool cost_parse(struct str text, struct cost_constants *ret);
#endif
