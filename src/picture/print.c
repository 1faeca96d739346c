#include "picture/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 32
#define LOW  8

/* The mean of the pixels of each cell; a cell has at least one. */
static void shrink(const struct grey_picture *p, unsigned columns, unsigned rows,
		   double *ret)
{
	for (unsigned j = 0; j < rows; j++)
		for (unsigned i = 0; i < columns; i++) {
			size_t x0 = (size_t)p->width * i / columns;
			size_t x1 = MAX((size_t)p->width * (i + 1) / columns, x0 + 1);
			size_t y0 = (size_t)p->height * j / rows;
			size_t y1 = MAX((size_t)p->height * (j + 1) / rows, y0 + 1);
			uint64_t sum = 0;

			for (size_t y = y0; y < y1; y++)
				for (size_t x = x0; x < x1; x++)
					sum += p->v[y * p->width + x];
			ret[j * columns + i] =
				(double)sum / (double)((x1 - x0) * (y1 - y0));
		}
}

/* Rows 1 to 8 and columns 1 to 8 of the cosine transform. */
static void low_frequencies(const double *v, double ret[LOW * LOW])
{
	double wave[LOW][SIDE], half[LOW][SIDE] = { 0 };

	for (unsigned k = 0; k < LOW; k++)
		for (unsigned i = 0; i < SIDE; i++)
			wave[k][i] = cos(M_PI * (k + 1) * (2 * i + 1) / (2.0 * SIDE));
	for (unsigned k = 0; k < LOW; k++)
		for (unsigned y = 0; y < SIDE; y++)
			for (unsigned x = 0; x < SIDE; x++)
				half[k][y] += v[y * SIDE + x] * wave[k][x];
	memset(ret, 0, LOW * LOW * sizeof(*ret));
	for (unsigned j = 0; j < LOW; j++)
		for (unsigned k = 0; k < LOW; k++)
			for (unsigned y = 0; y < SIDE; y++)
				ret[j * LOW + k] += half[k][y] * wave[j][y];
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Below this a frequency is the rounding of another: an even picture has none. */
#define NOISE 1e-6

static uint64_t frequencies(const struct grey_picture *p)
{
	double v[SIDE * SIDE], low[LOW * LOW], sorted[LOW * LOW];
	uint64_t bits = 0;

	shrink(p, SIDE, SIDE, v);
	low_frequencies(v, low);
	memcpy(sorted, low, sizeof(low));
	qsort(sorted, LOW * LOW, sizeof(*sorted), by_size);
	double median = (sorted[LOW * LOW / 2 - 1] + sorted[LOW * LOW / 2]) / 2;
	for (unsigned i = 0; i < LOW * LOW; i++)
		bits |= (uint64_t)(low[i] > median + NOISE) << i;
	return bits;
}

static uint64_t edges(const struct grey_picture *p)
{
	double v[(LOW + 1) * LOW];
	uint64_t bits = 0;

	shrink(p, LOW + 1, LOW, v);
	for (unsigned y = 0; y < LOW; y++)
		for (unsigned x = 0; x < LOW; x++)
			bits |= (uint64_t)(v[y * (LOW + 1) + x] <
					   v[y * (LOW + 1) + x + 1])
				<< (y * LOW + x);
	return bits;
}

struct picture_print picture_print(const struct grey_picture *p)
{
	return (struct picture_print){ frequencies(p), edges(p) };
}
