#include "calibrate/levenshtein.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define WORD 64

static void trim_common(struct str *a, struct str *b)
{
	size_t n = 0, most = MIN(a->n, b->n);

	while (n < most && a->p[n] == b->p[n])
		n++;
	*a = str_skip(*a, n);
	*b = str_skip(*b, n);
	while (a->n && b->n && a->p[a->n - 1] == b->p[b->n - 1]) {
		a->n--;
		b->n--;
	}
}

/* The vertical differences of a column: where it grows, and where it falls. */
struct block {
	uint64_t plus, minus;
};

/*
 * One text byte through one block.  `carry` is the horizontal difference above it, -1, 0
 * or 1; returns the one below the bit `last`.
 */
static int step(struct block *b, uint64_t eq, int carry, unsigned last)
{
	uint64_t xv = eq | b->minus, xh, ph, mh;
	int out;

	if (carry < 0)
		eq |= 1;
	xh = (((eq & b->plus) + b->plus) ^ b->plus) | eq;
	ph = b->minus | ~(xh | b->plus);
	mh = b->plus & xh;
	out = (int)(ph >> last & 1) - (int)(mh >> last & 1);
	ph = ph << 1 | (uint64_t)(carry > 0);
	mh = mh << 1 | (uint64_t)(carry < 0);
	b->plus = mh | ~(xv | ph);
	b->minus = ph & xv;
	return out;
}

static size_t distance(struct str pattern, struct str text)
{
	size_t blocks = (pattern.n + WORD - 1) / WORD, d = pattern.n;
	uint64_t *eq = xcalloc(256 * blocks, sizeof(*eq));
	struct block *v = xcalloc(blocks, sizeof(*v));

	for (size_t i = 0; i < pattern.n; i++)
		eq[(unsigned char)pattern.p[i] * blocks + i / WORD] |= UINT64_C(1)
								       << i % WORD;
	for (size_t k = 0; k < blocks; k++)
		v[k].plus = UINT64_MAX;
	for (size_t i = 0; i < text.n; i++) {
		const uint64_t *row = &eq[(unsigned char)text.p[i] * blocks];
		int carry = 1; /* the first row counts the text */

		for (size_t k = 0; k + 1 < blocks; k++)
			carry = step(&v[k], row[k], carry, WORD - 1);
		carry = step(&v[blocks - 1], row[blocks - 1], carry,
			     (unsigned)((pattern.n - 1) % WORD));
		d = carry < 0 ? d - 1 : d + (size_t)carry;
	}
	free(eq);
	free(v);
	return d;
}

size_t levenshtein(struct str a, struct str b)
{
	trim_common(&a, &b);
	if (a.n > b.n)
		SWAP(a, b);
	return a.n ? distance(a, b) : b.n;
}
