/* samples_part.c - some of the samples, for searches that look at a part first. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "calibrate/search.h"

static bool is_drawn(uint64_t what, unsigned one_in, uint64_t seed)
{
	return hash_mix(what * UINT64_C(0x9e3779b97f4a7c15) + seed) % one_in == 0;
}

/* A site of a few samples is taken or left whole; of others each bin keeps its first. */
static void add_site(const struct sample_set *s, size_t nr, unsigned one_in,
		     uint64_t seed, struct sample_set *ret)
{
	const struct sample_site *site = &s->sites[nr];
	bool whole = site->n <= 2 * one_in;
	bool *has = xcalloc((size_t)site->bins + 1, sizeof(*has));

	if (!whole || is_drawn(nr, one_in, seed)) {
		struct sample_site *to = samples_add_site(ret, site->name);

		for (uint32_t i = 0; i < site->n; i++) {
			const struct sample *one = &s->v[site->first + i];
			bool first = one->bin != SAMPLE_NO_BIN && !has[one->bin];

			if (first)
				has[one->bin] = true;
			if (!whole && !first && !is_drawn(i, one_in, seed))
				continue;
			VEC_ADD(ret->v, ret->n, ret->cap, *one);
			to->n++;
		}
		to->bins = site->bins;
	}
	free(has);
}

void samples_part(const struct sample_set *s, unsigned one_in, uint64_t seed,
		  struct sample_set *ret)
{
	*ret = (struct sample_set){ 0 };
	for (size_t i = 0; i < s->site_count; i++)
		add_site(s, i, one_in, seed, ret);
}
