#include "triples/row.h"

#include <string.h>

const uint8_t order_column[ORDERS][3] = { { 1, 2, 3 }, { 3, 1, 2 }, { 2, 3, 1 } };
const char *const order_name[ORDERS] = { "spo", "pos", "osp" };

#define INSERTION_MAX 24

static void insertion_sort(struct row *rows, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct row r = rows[i];
		size_t at = i;

		for (; at > 0 && row_cmp(&r, &rows[at - 1]) < 0; at--)
			rows[at] = rows[at - 1];
		rows[at] = r;
	}
}

/* The mark of a gone row is no part of its key. */
static inline size_t digit(const struct row *r, int c, unsigned shift)
{
	return ((c == 0 ? r->v[0] & ~ROW_GONE : r->v[c]) >> shift) & 255;
}

/* One stable pass over the byte at `shift` of column `c`. */
static void radix_pass(const struct row *from, struct row *to, size_t n, int c,
		       unsigned shift, const size_t *counts)
{
	size_t at[256], sum = 0;

	for (int b = 0; b < 256; b++) {
		at[b] = sum;
		sum += counts[b];
	}
	for (size_t i = 0; i < n; i++)
		to[at[digit(&from[i], c, shift)]++] = from[i];
}

/* Lowest byte of the last column first; bytes in which all agree are left out. */
void rows_sort(struct row *rows, struct row *scratch, size_t n)
{
	struct row *from = rows, *to = scratch;

	if (n <= INSERTION_MAX) {
		insertion_sort(rows, n);
		return;
	}
	for (int c = 3; c >= 0; c--) {
		size_t counts[8][256];

		memset(counts, 0, sizeof(counts));
		for (size_t i = 0; i < n; i++)
			for (unsigned b = 0; b < 8; b++)
				counts[b][digit(&from[i], c, 8 * b)]++;
		for (unsigned b = 0; b < 8; b++) {
			if (counts[b][digit(&from[0], c, 8 * b)] == n)
				continue;
			radix_pass(from, to, n, c, 8 * b, counts[b]);
			SWAP(from, to);
		}
	}
	if (from != rows)
		memcpy(rows, from, n * sizeof(*rows));
}
