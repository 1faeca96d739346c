#include "report/plot.h"

#include <math.h>

#define WIDTH  480
#define HEIGHT 240
#define LEFT   56
#define BOTTOM 28
#define TOP    8
#define RIGHT  20

double plot_round_up(double v)
{
	static const double steps[] = { 1, 2, 5, 10 };
	double power = pow(10, floor(log10(v > 0 ? v : 1)));

	for (size_t i = 0; i < COUNT(steps); i++)
		if (v <= steps[i] * power)
			return steps[i] * power;
	return 10 * power;
}

static double at_x(double share)
{
	return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double at_y(double share)
{
	return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP);
}

static void add_number(struct buf *to, double v)
{
	if (v >= 1e6)
		buf_addf(to, "%.3gM", v / 1e6);
	else if (v >= 1e4)
		buf_addf(to, "%.3gk", v / 1e3);
	else
		buf_addf(to, "%g", v);
}

static void add_grid(const struct plot *p, double top, struct buf *to)
{
	for (int i = 0; i <= 4; i++) {
		double share = i / 4.0;

		buf_addf(to, "<path class=grid d='M%d %.1fH%d'/>", LEFT, at_y(share),
			 WIDTH - RIGHT);
		buf_addf(to, "<text x=%d y=%.1f text-anchor=end>", LEFT - 6,
			 at_y(share) + 4);
		add_number(to, top * share);
		buf_addf(to, "</text><text x=%.1f y=%d text-anchor=middle>", at_x(share),
			 HEIGHT - BOTTOM + 14);
		/* A crawl of three seconds has no use for "1, 1, 2". */
		add_number(to, p->x_max < 8 ? round(p->x_max * share * 10) / 10
					    : round(p->x_max * share));
		buf_add(to, STR("</text>"));
	}
	buf_addf(to, "<text x=%d y=%d text-anchor=middle>%s</text>", (WIDTH + LEFT) / 2,
		 HEIGHT - 2, p->x_name);
}

static void add_line(const double *y, size_t n, double top, struct buf *to)
{
	for (size_t i = 0; i < n; i++)
		buf_addf(to, "%c%.1f %.1f", i ? 'L' : 'M',
			 at_x((double)i / (double)(n - 1)), at_y(y[i] / top));
	buf_add(to, STR("'/>"));
}

static double highest(const double *y, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, y[i]);
	return most;
}

void plot_line(const struct plot *p, struct buf *to)
{
	double most = highest(p->y, p->n);

	for (size_t k = 0; p->others[k]; k++)
		most = fmax(most, highest(p->others[k], p->n));
	if (p->n < 2 || most <= 0) {
		buf_add(to, STR("<p class=mut>nothing to draw yet</p>"));
		return;
	}
	double top = plot_round_up(most);
	buf_addf(to, "<svg viewBox='0 0 %d %d' role=img aria-label='plot over %s'>",
		 WIDTH, HEIGHT, p->x_name);
	add_grid(p, top, to);
	if (p->ideal) {
		double reach = fmin(1, top / fmax(p->x_max, 1));

		buf_addf(to, "<path class=ideal d='M%.1f %.1fL%.1f %.1f'/>", at_x(0),
			 at_y(0), at_x(reach), at_y(reach * p->x_max / top));
	}
	for (size_t k = 0; p->others[k]; k++) {
		buf_addf(to, "<path class=line%zu d='", k + 1);
		add_line(p->others[k], p->n, top, to);
	}
	buf_add(to, STR("<path class=line d='"));
	add_line(p->y, p->n, top, to);
	buf_add(to, STR("</svg>"));
}
