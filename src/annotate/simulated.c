#include "annotate/simulated.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/rng.h"

/* What the labels say of each candidate: 1 near, 0 different, -1 nothing. */
static signed char *truths(const struct pairs *p, size_t *ret_labelled)
{
	const struct sample_set *set = p->set;
	signed char *truth = xcalloc(p->n + 1, sizeof(*truth));

	for (size_t i = 0; i < p->n; i++) {
		uint32_t a = set->v[p->v[i].a].bin, b = set->v[p->v[i].b].bin;

		truth[i] = a == SAMPLE_NO_BIN || b == SAMPLE_NO_BIN ? -1 : a == b;
	}
	/* What people said of the pair itself counts more than the bins. */
	for (size_t i = 0; i < set->pair_count; i++) {
		const struct candidate *c =
			pairs_find(p, set->pairs[i].a, set->pairs[i].b);

		if (c)
			truth[c - p->v] = set->pairs[i].near;
	}
	*ret_labelled = 0;
	for (size_t i = 0; i < p->n; i++)
		*ret_labelled += truth[i] >= 0;
	return truth;
}

/* F1 of the pairs at each distance that occurs; candidates are sorted by it. */
static void score(const struct pairs *p, float limit, const signed char *truth,
		  struct simulated_result *ret)
{
	double near = 0, found = 0, called = 0;

	for (size_t i = 0; i < p->n; i++)
		near += truth[i] == 1;
	for (size_t i = 0; i < p->n; i++) {
		found += truth[i] == 1;
		called += truth[i] >= 0;
		if (i + 1 < p->n && p->v[i + 1].distance == p->v[i].distance)
			continue;
		double f1 = near + called > 0 ? 2 * found / (near + called) : 0;
		ret->best_f1 = MAX(ret->best_f1, f1);
		if (p->v[i].distance <= limit)
			ret->f1 = f1;
	}
}

static size_t ask(struct study *s, const struct simulated_options *o, struct rng *r,
		  const signed char *truth, size_t *ret_mistakes)
{
	uint32_t annotator = intern_add(&s->answers.annotators, STR("simulated"));
	struct question q;
	size_t n = 0;

	while (n < o->answers && study_next(s, annotator, &q)) {
		int said = truth[q.pair - s->pairs.v];
		bool errs = said >= 0 && rng_chance(r, o->mistakes);

		opinions_add(&s->answers, annotator, q.pair->a, q.pair->b,
			     said < 0              ? SAID_UNSURE
			     : (said == 1) != errs ? SAID_NEAR
						   : SAID_DIFFERENT);
		study_update(s);
		*ret_mistakes += errs;
		n++;
	}
	return n;
}

enum status simulated_run(struct study *s, const struct simulated_options *o,
			  struct simulated_result *ret, struct diag *why)
{
	struct rng r = { o->seed };
	size_t labelled;
	signed char *truth = truths(&s->pairs, &labelled);
	enum status st = ST_OK;

	*ret = (struct simulated_result){ 0 };
	if (labelled == 0) {
		st = diag_fail(why, ST_NOT_FOUND,
			       "no pair is labelled: nobody knows the truth");
	} else {
		ret->answers = ask(s, o, &r, truth, &ret->mistakes);
		ret->estimate = study_estimate(s);
		score(&s->pairs, distance_of(s->pairs.detector, ret->estimate.threshold),
		      truth, ret);
	}
	free(truth);
	return st;
}
