/* plot.h - a line over a grid, as SVG. */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include "base/buf.h"

#define PLOT_OTHERS 7

struct plot {
	const double *y;
	size_t n;
	double x_max;       /* of the last point; the first is at 0 */
	const char *x_name; /* under the axis */
	bool ideal;         /* also a line where y is x */
	/* Further lines of `n` points each, of the classes line1, line2, ...; NULL-ended.
	 */
	const double *others[PLOT_OTHERS + 1];
};

/* Nothing but a word when there is nothing to draw. */
void plot_line(const struct plot *p, struct buf *to);
/* The next of 1, 2, 5, 10, 20, 50 ... that is at least `v`. */
double plot_round_up(double v);
#endif
