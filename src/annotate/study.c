#include "annotate/study.h"

#include "base/hash.h"

#define REPEAT_EACH 4

enum status study_init(struct study *s, const struct sample_set *set,
		       const struct detector *detector, struct diag *why)
{
	*s = (struct study){ 0 };
	TRY(pairs_make(&s->pairs, set, detector, why));
	opinions_init(&s->answers, set->n);
	study_update(s);
	return ST_OK;
}

void study_release(struct study *s)
{
	pairs_release(&s->pairs);
	opinions_release(&s->answers);
}

void study_update(struct study *s)
{
	belief_init(&s->belief, s->pairs.count, s->pairs.cells);
	for (size_t i = 0; i < s->answers.n; i++) {
		const struct pair_answer *p = &s->answers.v[i];
		const struct candidate *c = pairs_find(&s->pairs, p->a, p->b);

		if (c && p->said != SAID_UNSURE)
			belief_add(&s->belief, c->cell, p->said == SAID_NEAR);
	}
}

/* The oldest one that others answered and this annotator did not. */
static bool repeated_question(const struct study *s, uint32_t annotator,
			      struct question *ret)
{
	const struct opinions *all = &s->answers;

	for (size_t i = 0; i < all->n; i++) {
		const struct pair_answer *p = &all->v[i];
		const struct candidate *c;

		if (p->annotator == annotator || p->said == SAID_UNSURE ||
		    opinions_has(all, annotator, p->a, p->b))
			continue;
		c = pairs_find(&s->pairs, p->a, p->b);
		if (c) {
			*ret = (struct question){ c,
						  belief_information(&s->belief, c->cell),
						  true };
			return true;
		}
	}
	return false;
}

static bool is_open(const struct study *s, const struct candidate *c)
{
	bool near;

	return !opinions_imply(&s->answers, c->a, c->b, &near) &&
	       !opinions_any(&s->answers, c->a, c->b);
}

/* Begins somewhere in the cell, so that not all questions are about the same sample. */
static const struct candidate *open_pair(const struct study *s, size_t cell)
{
	size_t first = s->pairs.first[cell], n = s->pairs.first[cell + 1] - first;
	size_t from = n ? (size_t)(hash_mix(s->answers.n + 1) % n) : 0;

	for (size_t i = 0; i < n; i++) {
		const struct candidate *c = &s->pairs.v[first + (from + i) % n];

		if (is_open(s, c))
			return c;
	}
	return NULL;
}

bool study_next(const struct study *s, uint32_t annotator, struct question *ret)
{
	double bits[BELIEF_CELLS];
	size_t mine = opinions_of(&s->answers, annotator);

	if (mine % REPEAT_EACH == REPEAT_EACH - 1 && repeated_question(s, annotator, ret))
		return true;
	for (size_t i = 0; i < s->pairs.cells; i++)
		bits[i] = belief_information(&s->belief, i);
	for (size_t tried = 0; tried < s->pairs.cells; tried++) {
		size_t best = 0;

		for (size_t i = 1; i < s->pairs.cells; i++)
			if (bits[i] > bits[best])
				best = i;
		const struct candidate *c = bits[best] < 0 ? NULL : open_pair(s, best);
		if (c) {
			*ret = (struct question){ c, bits[best], false };
			return true;
		}
		bits[best] = -1;
	}
	return repeated_question(s, annotator, ret);
}

struct study_estimate study_estimate(const struct study *s)
{
	struct belief_estimate e = belief_estimate(&s->belief);
	double low = pairs_threshold(&s->pairs, e.low),
	       high = pairs_threshold(&s->pairs, e.high);

	return (struct study_estimate){ .threshold = pairs_threshold(&s->pairs, e.cut),
					.low = MIN(low, high),
					.high = MAX(low, high),
					.f1 = e.f1,
					.answers = s->belief.answers };
}

size_t study_implied(const struct study *s)
{
	size_t n = 0;
	bool near;

	for (size_t i = 0; i < s->pairs.n; i++)
		n += opinions_imply(&s->answers, s->pairs.v[i].a, s->pairs.v[i].b, &near);
	return n;
}
