#include "calibrate/score.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

void score_work_release(struct score_work *w)
{
	free(w->absorbed_by);
	free(w->kept);
	free(w->in_bin);
	*w = (struct score_work){ 0 };
}

static void make_room(struct score_work *w, const struct sample_site *site)
{
	size_t cap = w->cap;

	VEC_RESERVE(w->absorbed_by, cap, (size_t)site->n + 1);
	VEC_RESERVE(w->kept, w->cap, (size_t)site->n + 1);
	VEC_RESERVE(w->in_bin, w->bin_cap, (size_t)site->bins + 1);
	for (uint32_t i = 0; i < site->n; i++)
		w->absorbed_by[i] = STATE_UNSEEN;
	for (uint32_t i = 0; i < site->bins; i++)
		w->in_bin[i] = 0;
}

/* A simulation under detector. */
struct flow {
	struct score_work *w;
	const float *row0; /* distances of the site */
	uint32_t n, kept;
	float threshold;
};

/* Invariant 3 of states/simulate.h. */
static void meet(struct flow *f, uint32_t raw)
{
	const float *row = &f->row0[(size_t)raw * f->n];
	uint32_t best = raw;
	float least = 0;

	for (uint32_t i = 0; i < f->kept; i++) {
		uint32_t k = f->w->kept[i];

		if (row[k] <= f->threshold && (best == raw || row[k] < least)) {
			best = k;
			least = row[k];
		}
	}
	f->w->absorbed_by[raw] = best;
	if (best == raw)
		f->w->kept[f->kept++] = raw;
}

static void follow(struct flow *f, const struct transition *t, bool silent,
		   struct score *ret)
{
	uint32_t from = f->w->absorbed_by[t->from];

	if (from == STATE_UNSEEN || (silent && from != t->from))
		return;
	if (f->w->absorbed_by[t->to] == STATE_UNSEEN)
		meet(f, t->to);
	ret->edges++;
	ret->explored += from == t->from;
}

static void count_bins(const struct sample_set *s, const struct sample_site *site,
		       const struct flow *f, struct score *ret)
{
	struct score_work *w = f->w;

	for (uint32_t i = 0; i < f->kept; i++) {
		uint32_t bin = s->v[site->first + w->kept[i]].bin;

		if (bin != SAMPLE_NO_BIN && w->in_bin[bin]++)
			ret->duplicates++;
	}
	for (uint32_t i = 0; i < site->bins; i++)
		ret->missed += w->in_bin[i] == 0;
	for (uint32_t i = 0; i < site->n; i++) {
		uint32_t bin = s->v[site->first + i].bin;

		ret->missed_samples += bin != SAMPLE_NO_BIN && w->in_bin[bin] == 0;
	}
}

void score_site(const struct sample_set *s, size_t nr, const struct distances *d,
		float threshold, const struct score_options *o, struct score_work *w,
		struct score *ret)
{
	const struct sample_site *site = &s->sites[nr];
	struct flow f = { w, &d->v[d->offset[nr]], site->n, 0, threshold };

	if (site->n == 0)
		return;
	make_room(w, site);
	meet(&f, 0);
	for (size_t i = 0; i < site->transition_count; i++)
		follow(&f, &site->transitions[i], o->merged_is_silent, ret);
	/* Without transitions each sample is met in its turn. */
	for (uint32_t i = 1; !site->transition_count && i < site->n; i++)
		meet(&f, i);
	ret->transitions += (uint32_t)site->transition_count;
	ret->samples += site->n;
	ret->kept += f.kept;
	ret->merged += site->n - f.kept;
	ret->bins += site->bins;
	count_bins(s, site, &f, ret);
}

void score_all(const struct sample_set *s, const struct distances *d, float threshold,
	       const struct score_options *o, struct score_work *w, struct score *ret)
{
	for (size_t i = 0; i < s->site_count; i++)
		score_site(s, i, d, threshold, o, w, ret);
}

/* --- pairs --- */

struct measured_pair {
	float distance;
	bool near;
};

static int by_distance(const void *a, const void *b)
{
	const struct measured_pair *x = a, *y = b;

	return (x->distance > y->distance) - (x->distance < y->distance);
}

struct pair_vec {
	struct measured_pair *v;
	size_t n, cap;
};

static void add_graded(const struct sample_set *s, const struct distances *d,
		       struct pair_vec *to)
{
	size_t site = 0;

	for (size_t i = 0; i < s->pair_count; i++) {
		const struct graded_pair *p = &s->pairs[i];

		/* Mostly the same site as before, or the next. */
		if (p->a < s->sites[site].first)
			site = 0;
		while (p->a >= s->sites[site].first + s->sites[site].n)
			site++;
		uint32_t first = s->sites[site].first;
		VEC_ADD(to->v, to->n, to->cap,
			(struct measured_pair){
				distance_at(d, s, site, p->a - first, p->b - first),
				p->near });
	}
}

/* Where nobody graded pairs, all pairs of samples with bins. */
static void add_binned(const struct sample_set *s, const struct distances *d,
		       struct pair_vec *to)
{
	for (size_t k = 0; k < s->site_count; k++) {
		const struct sample_site *site = &s->sites[k];
		const struct sample *v = &s->v[site->first];

		for (uint32_t i = 0; i < site->n; i++)
			for (uint32_t j = i + 1; j < site->n; j++)
				if (v[i].bin != SAMPLE_NO_BIN &&
				    v[j].bin != SAMPLE_NO_BIN)
					VEC_ADD(to->v, to->n, to->cap,
						(struct measured_pair){
							distance_at(d, s, k, i, j),
							v[i].bin == v[j].bin });
	}
}

void pair_curve_release(struct pair_curve *c)
{
	free(c->distance);
	free(c->near);
	*c = (struct pair_curve){ 0 };
}

void pair_curve_make(const struct sample_set *s, const struct distances *d,
		     struct pair_curve *ret)
{
	struct pair_vec all = { 0 };
	size_t cap = ret->cap;
	uint32_t near = 0;

	if (s->pair_count)
		add_graded(s, d, &all);
	else
		add_binned(s, d, &all);
	if (all.n)
		qsort(all.v, all.n, sizeof(*all.v), by_distance);
	VEC_RESERVE(ret->distance, cap, all.n + 1);
	VEC_RESERVE(ret->near, ret->cap, all.n + 1);
	for (size_t i = 0; i < all.n; i++) {
		near += all.v[i].near;
		ret->distance[i] = all.v[i].distance;
		ret->near[i] = near;
	}
	ret->n = all.n;
	ret->all_near = near;
	free(all.v);
}

void pair_curve_at(const struct pair_curve *c, float threshold, struct score *ret)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (c->distance[mid] <= threshold)
			low = mid + 1;
		else
			high = mid;
	}
	uint64_t found = low ? c->near[low - 1] : 0;
	ret->pairs = c->n;
	ret->pairs_found = found;
	ret->pairs_wrong = low - found;
	ret->pairs_lost = c->all_near - found;
}

/* --- metrics --- */

static double ratio(double a, double b)
{
	return b > 0 ? a / b : 0;
}
static double errors(const struct score *s)
{
	return (double)s->missed + s->duplicates;
}
static double missed(const struct score *s)
{
	return s->missed;
}
static double duplicates(const struct score *s)
{
	return s->duplicates;
}
static double missed_samples(const struct score *s)
{
	return s->missed_samples;
}
static double kept(const struct score *s)
{
	return s->kept;
}
static double edges(const struct score *s)
{
	return s->edges;
}
/* Precision: bins per kept state; recall: bins found. */
static double model_f1(const struct score *s)
{
	double found = (double)s->bins - s->missed;

	return ratio(2 * found, found + s->duplicates + s->bins);
}
static double pair_precision(const struct score *s)
{
	return ratio((double)s->pairs_found, (double)(s->pairs_found + s->pairs_wrong));
}
static double pair_recall(const struct score *s)
{
	return ratio((double)s->pairs_found, (double)(s->pairs_found + s->pairs_lost));
}
static double pair_f1(const struct score *s)
{
	return ratio(2 * (double)s->pairs_found, 2 * (double)s->pairs_found +
							 (double)s->pairs_wrong +
							 (double)s->pairs_lost);
}
/* Cohen's kappa of the method and the people. */
static double agreement(const struct score *s)
{
	double n = (double)s->pairs, said = (double)(s->pairs_found + s->pairs_wrong),
	       near = (double)(s->pairs_found + s->pairs_lost);
	double same = n - (double)(s->pairs_wrong + s->pairs_lost);
	double chance = ratio(said * near + (n - said) * (n - near), n);

	return n > chance ? (same - chance) / (n - chance) : s->pairs > 0;
}
/* Events that need not be fired, because nothing is tried in merged states. */
static double speed(const struct score *s)
{
	if (s->transitions)
		return 100 * (1 - ratio(s->explored, s->transitions));
	return 100 * (1 - ratio(s->kept, s->samples));
}

const struct metric metrics[] = {
	{ "errors", "missed and duplicate states, one each", true, errors },
	{ "missed", "different states that were merged away: false positives", true,
	  missed },
	{ "duplicates", "states kept although their bin had one: false negatives", true,
	  duplicates },
	{ "missed-samples", "recorded states in the missed bins", true, missed_samples },
	{ "f1", "of the graph: bins per kept state, and bins found", false, model_f1 },
	{ "pair-f1", "of the labelled pairs", false, pair_f1 },
	{ "precision", "of the labelled pairs", false, pair_precision },
	{ "recall", "of the labelled pairs", false, pair_recall },
	{ "agreement", "with the people who labelled, Cohen's kappa", false, agreement },
	{ "kept", "states of the graph", true, kept },
	{ "edges", "of the graph", true, edges },
	{ "speed", "percent of the recording's events that need not be fired", false,
	  speed },
	{ .name = NULL },
};

const struct metric *metric_find(struct str name)
{
	for (const struct metric *m = metrics; m->name; m++)
		if (str_eq(name, str_from(m->name)))
			return m;
	return NULL;
}

double score_cost(const struct score *s, double price)
{
	return price * s->missed + s->duplicates;
}
