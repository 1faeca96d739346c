#include "focus/importance.h"

#include <string.h>

#define WAITING_MAX ((size_t)4 << 20)

void importance_release(struct importance *i)
{
	map_release(&i->cash);
	*i = (struct importance){ 0 };
}

static double of_bits(uint64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof(d));
	return d;
}

static uint64_t to_bits(double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	return bits;
}

double importance_take(struct importance *i, uint64_t key)
{
	const uint64_t *v = map_find(&i->cash, key);

	if (!v)
		return 1;
	double cash = of_bits(*v);
	map_remove(&i->cash, key);
	i->total -= cash;
	return cash;
}

void importance_give(struct importance *i, uint64_t key, double cash)
{
	uint64_t *v = map_find(&i->cash, key);

	if (!v && i->cash.n >= WAITING_MAX)
		return;
	if (!v)
		v = map_add(&i->cash, key, NULL);
	*v = to_bits(of_bits(*v) + cash);
	i->total += cash;
}

float importance_score(const struct importance *i, uint64_t key)
{
	const uint64_t *v = map_find(&i->cash, key);
	double mean = i->cash.n ? i->total / (double)i->cash.n : 0;

	if (!v || mean <= 0)
		return 0;
	return (float)(of_bits(*v) / (of_bits(*v) + mean));
}
