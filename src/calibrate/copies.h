/*
 * copies.h - seed 003's threshold study: pages against copies of themselves with other
 * advertisements, timestamps and counters.
 *
 * The seed made such copies by hand, wrote a table (file 1, file 2, SSM) and took the
 * mean of its values as the threshold.  Here copies are made from a seed, of any
 * documents and for any method; what the seed did not look at, different pages, is
 * measured as well: a threshold is as good as what it says of both.  Deterministic.
 */
#ifndef CALIBRATE_COPIES_H
#define CALIBRATE_COPIES_H

#include "base/rng.h"
#include "calibrate/detector.h"

enum copy_kind {
	COPY_ADVERTISEMENTS,
	COPY_TIMESTAMPS,
	COPY_COUNTERS,
	COPY_ALL, /* of the three */
};
#define COPY_KINDS 4
extern const char *const copy_kind_names[COPY_KINDS];

/* A copy of the page: its HTML where it has some, otherwise its text. */
void copy_make(const struct sample *of, enum copy_kind kind, struct rng *r,
	       struct buf *to);

struct copies_row {
	uint32_t page; /* in the set */
	uint8_t kind;  /* enum copy_kind */
	double value;  /* not finite: the method compares them not at all */
};

struct copies_options {
	const struct detector *detector;
	unsigned copies; /* of each kind per page */
	size_t strangers_max;
	uint64_t seed;
	bool main_content;
};

struct copies_study {
	struct copies_row *v;
	size_t n, cap;
	double *strangers; /* between different pages, those comparable */
	size_t n_strangers, strangers_cap;
	size_t compared;       /* copies whose value is finite */
	size_t stranger_pairs; /* looked at */
	double mean;           /* of the copies: the seed's threshold */
	double median, most;   /* of the copies; the farthest */
	double covers; /* the strictest threshold at which 95 % of the copies are near */
};

void copies_study_make(const struct sample_set *s, const struct copies_options *o,
		       struct copies_study *ret);
void copies_study_release(struct copies_study *c);
/* Near at the threshold: copies, and pairs of different pages. */
size_t copies_near(const struct copies_study *c, const struct detector *d,
		   double threshold);
size_t strangers_near(const struct copies_study *c, const struct detector *d,
		      double threshold);
#endif
