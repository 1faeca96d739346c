/*
 * sort.h - radix sort for the keys that come in millions.
 *
 * Stable, eight bits a pass, passes in which all keys agree are left out;
 * small arrays are sorted by insertion.  `scratch` holds `n` elements too and
 * is left undefined; the result is always in the first array.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include "base/hash.h"

struct sort_pair {
	uint64_t key, value;
};

void sort_u64(uint64_t *keys, uint64_t *scratch, size_t n);
/* By key; pairs of equal keys keep their order. */
void sort_pairs(struct sort_pair *pairs, struct sort_pair *scratch, size_t n);
#endif
