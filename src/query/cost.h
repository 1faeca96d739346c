/*
 * cost.h - what joins cost on this machine, and where to run them.
 *
 * The constants are nanoseconds, measured once by cost_calibrate() and kept beside
 * the store.  Every join asks executor_choose(): local, or spread over workers,
 * by H2RDF's comparison of what each would take.  There is a local executor
 * only so far; a distributed one adds workers to the constants.
 */
#ifndef QUERY_COST_H
#define QUERY_COST_H

#include "base/buf.h"

struct cost_constants {
	double scan_ns;      /* a row read in order */
	double seek_ns;      /* a search for a key anywhere */
	double seek_near_ns; /* a search for a key just after the last one */
	double build_ns;     /* a row put into a hash table */
	double probe_ns;     /* a look-up in it */
	double row_ns;       /* a solution passed on */
	unsigned workers;    /* machines to spread a join over; 0: none */
	double start_ns;     /* starting a distributed join */
	double ship_ns;      /* moving a row to another machine */
};

extern const struct cost_constants cost_standard;
/* Measure on generated rows; takes a fraction of a second. */
void cost_calibrate(struct cost_constants *ret);
void cost_format(const struct cost_constants *c, struct buf *to);
/* False when the text is not one of cost_format(). */
bool cost_parse(struct str text, struct cost_constants *ret);

enum executor_kind { EXECUTOR_LOCAL, EXECUTOR_DISTRIBUTED };

/* One input of a join: how many bindings of the variable, and rows for each. */
struct join_input {
	double bindings, rows_each;
};

double executor_cost(const struct cost_constants *c, enum executor_kind kind,
		     const struct join_input *inputs, size_t n);
enum executor_kind executor_choose(const struct cost_constants *c,
				   const struct join_input *inputs, size_t n);

/* The worker that owns a subject: stars are joined without shipping. */
unsigned partition_of(uint64_t id, unsigned workers);
enum partitioning { PARTITION_STAY, PARTITION_BROADCAST, PARTITION_REPARTITION };
/* How to bring two inputs together: which moves fewer rows. */
enum partitioning partition_choose(const struct cost_constants *c, double left_rows,
				   double right_rows, bool same_subject);
#endif
