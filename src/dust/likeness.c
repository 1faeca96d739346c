#include "dust/likeness.h"

void likeness_add(struct likeness *l, uint64_t hash, size_t length)
{
	uint16_t n = (uint16_t)MIN(length, UINT16_MAX);
	unsigned at = l->n;

	if (at == LIKENESS_MARKS) {
		if (l->length[--at] >= n)
			return;
	} else {
		l->n++;
	}
	for (; at > 0 && l->length[at - 1] < n; at--) {
		l->hash[at] = l->hash[at - 1];
		l->length[at] = l->length[at - 1];
	}
	l->hash[at] = (uint32_t)(hash >> 32 ^ hash);
	l->length[at] = n;
}

static uint32_t total(const struct likeness *l)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < l->n; i++)
		sum += l->length[i];
	return sum;
}

double likeness_of(const struct likeness *a, const struct likeness *b)
{
	uint32_t shared = 0, most = MAX(total(a), total(b));
	uint32_t taken = 0; /* of b: a paragraph counts once */

	if (total(a) == 0 || total(b) == 0)
		return -1;
	for (unsigned i = 0; i < a->n; i++)
		for (unsigned k = 0; k < b->n; k++) {
			if (a->hash[i] != b->hash[k] || (taken & 1u << k))
				continue;
			shared += MIN(a->length[i], b->length[k]);
			taken |= 1u << k;
			break;
		}
	return (double)shared / most;
}

bool likeness_is_same(const struct likeness *a, const struct likeness *b)
{
	return a->main != 0 && a->main == b->main && likeness_of(a, b) >= 0.9;
}
