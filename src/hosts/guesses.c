#include "hosts/guesses.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "record/fetch.h"

void guesses_release(struct guesses *g)
{
	free(g->v);
	*g = (struct guesses){ 0 };
}

bool hops_end_in_guess(struct str hops)
{
	return hops.n > 0 && hops.p[hops.n - 1] == HOP_GUESS;
}

void guesses_learn(struct guesses *g, uint32_t site, struct str hops, bool found)
{
	if (!hops_end_in_guess(hops))
		return;
	VEC_RESERVE(g->v, g->cap, (size_t)site + 1);
	while (g->n <= site)
		g->v[g->n++] = (struct jsguess_score){ 0 };
	jsguess_learn(&g->v[site], found);
}

bool guesses_are_worth(const struct guesses *g, uint32_t site)
{
	return site >= g->n || jsguess_is_worth(&g->v[site]);
}
