#include "calibrate/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"

#define CACHE_BYTES ((size_t)512 << 20) /* of distances that are kept */
#define WORSE_MAX   4
#define POPULATION  72
#define PATIENCE    40
#define NICHE       4 /* of one family that live on */

/* A detector that was asked for at least once. */
struct known {
	float *thresholds;
	size_t n;
	float *cost; /* by threshold; NaN: not yet scored */
	struct score *scores;
	struct distances distances;
	struct pair_curve curve;
	bool made, kept;
};

struct search {
	const struct sample_set *set;
	const struct detector_list *grid;
	const struct search_options *o;
	struct known *v;
	struct score_work work;
	size_t cached_bytes;
	size_t budget;
	uint32_t *family; /* by detector: the first one that differs in size only */
	struct search_result best;
};

static bool same_family(const struct detector *a, const struct detector *b)
{
	return a->method == b->method && a->kind == b->kind &&
	       a->features.kind == b->features.kind &&
	       (!a->method || a->features.piece == b->features.piece);
}

static void find_families(struct search *s)
{
	s->family = xcalloc(s->grid->n + 1, sizeof(*s->family));
	for (uint32_t i = 0; i < s->grid->n; i++) {
		uint32_t k = 0;

		while (!same_family(&s->grid->v[k], &s->grid->v[i]))
			k++;
		s->family[i] = k;
	}
}

static void drop_distances(struct known *k)
{
	distances_release(&k->distances);
	pair_curve_release(&k->curve);
	k->kept = false;
}

static void measure(struct search *s, size_t d)
{
	struct known *k = &s->v[d];

	distances_make(s->set, &s->grid->v[d], &k->distances);
	pair_curve_make(s->set, &k->distances, &k->curve);
	k->kept = true;
	if (!k->made) {
		s->best.comparisons += k->distances.measured;
		k->thresholds = sweep_thresholds(s->set, &s->grid->v[d], &k->distances,
						 s->o->steps, &k->n);
		k->cost = xcalloc(k->n + 1, sizeof(*k->cost));
		k->scores = xcalloc(k->n + 1, sizeof(*k->scores));
		for (size_t i = 0; i < k->n; i++)
			k->cost[i] = NAN;
		k->made = true;
	}
}

/* Ready to be scored; the number of its thresholds. */
static size_t prepare(struct search *s, size_t d)
{
	struct known *k = &s->v[d];

	if (!k->kept)
		measure(s, d);
	return k->n;
}

static void forget_if_large(struct search *s, size_t d)
{
	size_t bytes = s->v[d].distances.n * sizeof(float);

	if (s->cached_bytes + bytes > CACHE_BYTES)
		drop_distances(&s->v[d]);
	else
		s->cached_bytes += bytes;
}

static double cost_at(struct search *s, size_t d, size_t t)
{
	struct known *k = &s->v[d];
	bool first = !k->kept;

	prepare(s, d);
	if (isnan(k->cost[t])) {
		struct score *score = &k->scores[t];

		score_all(s->set, &k->distances, k->thresholds[t], &s->o->score, &s->work,
			  score);
		pair_curve_at(&k->curve, k->thresholds[t], score);
		k->cost[t] = (float)score_cost(score, s->o->price);
		s->best.evaluations++;
		if ((double)k->cost[t] < s->best.cost) {
			s->best.cost = (double)k->cost[t];
			s->best.detector = d;
			s->best.threshold =
				measure_of(&s->grid->v[d], (double)k->thresholds[t]);
			s->best.score = *score;
			s->best.best_after = s->best.evaluations;
		}
	}
	double cost = (double)k->cost[t];
	if (first)
		forget_if_large(s, d);
	return cost;
}

/* How many points the grid has; detectors not measured have as many as others. */
static size_t count_points(const struct search *s)
{
	size_t n = 0, open = 0, chosen = 0, measured = 0;

	for (size_t i = 0; i < s->grid->n; i++) {
		const struct detector *d = &s->grid->v[i];

		if (d->threshold_count)
			n += s->v[i].made ? s->v[i].n : d->threshold_count;
		else if (!s->v[i].made)
			open++;
		else
			chosen += s->v[i].n, measured++;
	}
	return n + chosen + open * (measured ? chosen / measured : s->o->steps);
}

/* Hardly a tenth of the grid, by what is known of it so far. */
static void set_budget(struct search *s)
{
	s->budget =
		s->o->budget ? s->o->budget : MAX(count_points(s) * 19 / 200, (size_t)1);
}

/* --- grid and random --- */

static void run_grid(struct search *s)
{
	for (size_t d = 0; d < s->grid->n; d++) {
		size_t n = prepare(s, d), worse = 0;
		double least = INFINITY, before = INFINITY;

		for (size_t t = 0; t < n && worse < WORSE_MAX; t++) {
			double cost = cost_at(s, d, t);

			worse = cost > least && cost > before ? worse + 1 : 0;
			least = fmin(least, cost);
			before = cost;
		}
		drop_distances(&s->v[d]);
	}
}

static void run_random(struct search *s)
{
	struct rng r = { s->o->seed };
	size_t tries = 0;

	while (s->best.evaluations < s->budget && tries++ < 20 * s->budget) {
		set_budget(s);
		size_t d = rng_below(&r, s->grid->n), n = prepare(s, d);

		if (n)
			cost_at(s, d, rng_below(&r, n));
	}
}

/* --- genetic --- */

/* The threshold is a share of the list, so that it means something in another detector.
 */
struct gene {
	uint32_t detector;
	double at;
	double cost;
};

static size_t place(size_t n, double at)
{
	return MIN((size_t)(at * (double)n), n - 1);
}

static void judge(struct search *s, struct gene *g)
{
	size_t n = prepare(s, g->detector);

	g->cost = n ? cost_at(s, g->detector, place(n, g->at)) : INFINITY;
}

static int by_cost(const void *a, const void *b)
{
	const struct gene *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	if (x->detector != y->detector)
		return x->detector < y->detector ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* Another size of the same family: the neighbour, or any. */
static uint32_t change_size(struct search *s, uint32_t d, struct rng *r)
{
	int step = rng_chance(r, 0.5) ? 1 : -1;
	size_t k = d;

	for (uint64_t i = 1 + rng_below(r, 3); i > 0; i--) {
		size_t next = step > 0 ? k + 1 : k - 1;

		if (next < s->grid->n && s->family[next] == s->family[d])
			k = next;
	}
	return (uint32_t)k;
}

/* Early on families are looked for, later the valleys of the best are followed down. */
static double progress(const struct search *s)
{
	return fmin((double)s->best.evaluations / (double)s->budget, 1);
}

static void mutate(struct search *s, struct gene *g, struct rng *r)
{
	size_t n = MAX(s->v[g->detector].n, 1);

	if (rng_chance(r, 0.15 * (1 - progress(s)))) {
		g->detector = (uint32_t)rng_below(r, s->grid->n);
		return;
	}
	if (rng_chance(r, 0.4))
		g->detector = change_size(s, g->detector, r);
	if (rng_chance(r, 0.75)) {
		double step = (double)(1 + rng_below(r, rng_chance(r, 0.3) ? 12 : 3));

		g->at += (rng_chance(r, 0.5) ? step : -step) / (double)n;
	}
	g->at = fmin(fmax(g->at, 0), 1 - 1e-9);
}

static const struct gene *tournament(const struct gene *v, size_t n, struct rng *r)
{
	const struct gene *best = &v[rng_below(r, n)];

	for (int i = 0; i < 2; i++) {
		const struct gene *other = &v[rng_below(r, n)];

		if (other->cost < best->cost)
			best = other;
	}
	return best;
}

/* One of every family, at five thresholds: none is forgotten from the start. */
static size_t first_generation(struct search *s, struct gene *v, size_t cap,
			       struct rng *r)
{
	size_t n = 0;

	for (uint32_t d = 0; d < s->grid->n; d++) {
		uint32_t last = d;

		if (s->family[d] != d)
			continue;
		while (last + 1 < s->grid->n && s->family[last + 1] == d)
			last++;
		for (int i = 0; i < 5 && n < cap && s->best.evaluations < s->budget;
		     i++) {
			v[n] = (struct gene){ d + (uint32_t)rng_below(r, last - d + 1),
					      (i + rng_unit(r)) / 5, 0 };
			judge(s, &v[n++]);
		}
	}
	return n;
}

/*
 * The best of every family lives on, whatever it costs: its valley may be narrow.  Then
 * the better ones, but few of one family.
 */
static size_t select_survivors(struct search *s, struct gene *v, size_t n)
{
	uint8_t *members = xcalloc(s->grid->n + 1, sizeof(*members));
	struct gene *next = xcalloc(POPULATION, sizeof(*next));
	size_t kept = 0;

	qsort(v, n, sizeof(*v), by_cost);
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < n && kept < POPULATION; i++) {
			uint8_t *m = &members[s->family[v[i].detector]];
			bool again = i && by_cost(&v[i - 1], &v[i]) == 0;

			if (again || (round == 0 ? *m > 0 : *m >= NICHE))
				continue;
			(*m)++;
			next[kept++] = v[i];
		}
	memcpy(v, next, kept * sizeof(*v));
	free(members);
	free(next);
	return kept;
}

static void run_genetic(struct search *s)
{
	struct rng r = { s->o->seed };
	size_t cap = 5 * s->grid->n + POPULATION, quiet = 0;
	size_t patience = s->o->patience ? s->o->patience : PATIENCE;
	struct gene *v = xcalloc(cap + POPULATION, sizeof(*v));
	size_t n = first_generation(s, v, cap, &r);

	n = select_survivors(s, v, n);
	while (n && s->best.evaluations < s->budget && quiet < patience) {
		double before = s->best.cost;

		set_budget(s);

		/* The children stand behind their parents. */
		for (size_t i = 0; i < POPULATION; i++) {
			struct gene child = rng_chance(&r, 0.3 + 0.65 * progress(s))
						    ? *tournament(v, n, &r)
						    : v[rng_below(&r, n)];

			if (rng_chance(&r, 0.3))
				child.at = tournament(v, n, &r)->at;
			mutate(s, &child, &r);
			if (s->best.evaluations >= s->budget)
				child.cost = INFINITY;
			else
				judge(s, &child);
			v[n + i] = child;
		}
		n = select_survivors(s, v, n + POPULATION);
		quiet = s->best.cost < before ? 0 : quiet + 1;
	}
	free(v);
}

/* --- successive halving --- */

static int by_cost_of(const void *a, const void *b)
{
	const struct recommendation *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	return (x->detector > y->detector) - (x->detector < y->detector);
}

static void run_halving(struct search *s)
{
	struct recommendation *alive = xcalloc(s->grid->n + 1, sizeof(*alive));
	size_t n = s->grid->n;

	for (size_t i = 0; i < n; i++)
		alive[i].detector = i;
	for (unsigned one_in = 8; one_in > 1 && n > 4; one_in /= 2) {
		cleanup(sweep_release) struct sweep sw = { 0 };
		struct sample_set part;
		struct detector_list few = { .v = xcalloc(n, sizeof(*few.v)), .n = n };
		struct sweep_options how = { s->o->score, MIN(s->o->steps, (size_t)12),
					     MAX(s->o->threads, 1u), NULL, NULL };

		for (size_t i = 0; i < n; i++)
			few.v[i] = s->grid->v[alive[i].detector];
		samples_part(s->set, one_in, s->o->seed, &part);
		if (sweep_run(&part, &few, &how, &sw, NULL) == ST_OK) {
			for (size_t i = 0; i < n; i++) {
				struct recommendation r = { .cost = INFINITY };

				if (sw.v[i].n)
					(void)recommend_in_detector(&sw, i, s->o->price,
								    &r);
				alive[i].cost = r.cost;
			}
			s->best.comparisons += sw.measured;
			s->best.evaluations += sw.points / one_in;
		}
		qsort(alive, n, sizeof(*alive), by_cost_of);
		n = (n + 1) / 2;
		free(few.v);
		samples_release(&part);
	}
	for (size_t i = 0; i < n; i++) {
		size_t thresholds = prepare(s, alive[i].detector);

		for (size_t t = 0; t < thresholds; t++)
			cost_at(s, alive[i].detector, t);
		drop_distances(&s->v[alive[i].detector]);
	}
	free(alive);
}

/* --- all --- */

static void release(struct search *s)
{
	for (size_t i = 0; i < s->grid->n; i++) {
		drop_distances(&s->v[i]);
		free(s->v[i].thresholds);
		free(s->v[i].cost);
		free(s->v[i].scores);
	}
	free(s->v);
	free(s->family);
	score_work_release(&s->work);
}

bool search_run(const struct sample_set *set, const struct detector_list *grid,
		const struct search_options *o, struct search_result *ret)
{
	static void (*const run[])(struct search *) = { run_grid, run_random, run_genetic,
							run_halving };
	struct search s = {
		.set = set, .grid = grid, .o = o, .best = { .cost = INFINITY }
	};

	if (grid->n == 0 || samples_bins(set) == 0)
		return false;
	s.v = xcalloc(grid->n, sizeof(*s.v));
	set_budget(&s);
	find_families(&s);
	run[o->by](&s);
	s.best.points = count_points(&s);
	release(&s);
	*ret = s.best;
	return isfinite(ret->cost);
}
