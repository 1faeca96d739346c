#include "annotate/opinions.h"

#include <stdlib.h>

#include "base/alloc.h"

#define VOTE_ZERO ((uint64_t)1 << 32)

static uint64_t pair_key(uint32_t a, uint32_t b)
{
	return (uint64_t)MIN(a, b) << 32 | MAX(a, b);
}

static uint32_t find_leader(uint32_t *leader, uint32_t i)
{
	while (leader[i] != i)
		i = leader[i] = leader[leader[i]];
	return i;
}

void opinions_init(struct opinions *s, size_t samples)
{
	*s = (struct opinions){ .samples = samples };
	s->leader = xcalloc(samples + 1, sizeof(*s->leader));
	for (size_t i = 0; i < samples; i++)
		s->leader[i] = (uint32_t)i;
}

void opinions_release(struct opinions *s)
{
	free(s->v);
	free(s->leader);
	intern_release(&s->annotators);
	map_release(&s->votes);
	map_release(&s->parted);
	*s = (struct opinions){ 0 };
}

static void count_votes(struct opinions *s)
{
	map_reset(&s->votes);
	for (size_t i = 0; i < s->n; i++) {
		const struct pair_answer *p = &s->v[i];
		bool is_new;

		if (p->said == SAID_UNSURE)
			continue;
		uint64_t *vote = map_add(&s->votes, pair_key(p->a, p->b), &is_new);
		if (is_new)
			*vote = VOTE_ZERO;
		*vote = p->said == SAID_NEAR ? *vote + 1 : *vote - 1;
	}
}

/* Classes first, then what lies between classes: a different pair parts whole classes. */
static void conclude(struct opinions *s)
{
	struct map_slot slot;

	count_votes(s);
	map_reset(&s->parted);
	for (size_t i = 0; i < s->samples; i++)
		s->leader[i] = (uint32_t)i;
	for (size_t at = 0; map_next(&s->votes, &at, &slot);)
		if (slot.value > VOTE_ZERO) {
			uint32_t a = find_leader(s->leader, (uint32_t)(slot.key >> 32));
			uint32_t b = find_leader(s->leader, (uint32_t)slot.key);

			s->leader[MAX(a, b)] = MIN(a, b);
		}
	for (size_t i = 0; i < s->samples; i++)
		s->leader[i] = find_leader(s->leader, (uint32_t)i);
	for (size_t at = 0; map_next(&s->votes, &at, &slot);)
		if (slot.value <= VOTE_ZERO)
			map_add(&s->parted,
				pair_key(s->leader[slot.key >> 32],
					 s->leader[(uint32_t)slot.key]),
				NULL);
}

void opinions_add(struct opinions *s, uint32_t annotator, uint32_t a, uint32_t b,
		  enum said said)
{
	VEC_ADD(s->v, s->n, s->cap,
		(struct pair_answer){ MIN(a, b), MAX(a, b), annotator, (uint8_t)said });
	conclude(s);
}

bool opinions_undo(struct opinions *s, uint32_t annotator)
{
	for (size_t i = s->n; i-- > 0;)
		if (s->v[i].annotator == annotator) {
			for (; i + 1 < s->n; i++)
				s->v[i] = s->v[i + 1];
			s->n--;
			conclude(s);
			return true;
		}
	return false;
}

static bool is_pair(const struct pair_answer *p, uint32_t a, uint32_t b)
{
	return p->a == MIN(a, b) && p->b == MAX(a, b);
}

bool opinions_has(const struct opinions *s, uint32_t annotator, uint32_t a, uint32_t b)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].annotator == annotator && is_pair(&s->v[i], a, b))
			return true;
	return false;
}

bool opinions_any(const struct opinions *s, uint32_t a, uint32_t b)
{
	for (size_t i = 0; i < s->n; i++)
		if (is_pair(&s->v[i], a, b))
			return true;
	return false;
}

bool opinions_imply(const struct opinions *s, uint32_t a, uint32_t b, bool *ret_near)
{
	uint32_t x = s->leader[a], y = s->leader[b];

	*ret_near = x == y;
	return x == y || map_find(&s->parted, pair_key(x, y)) != NULL;
}

size_t opinions_of(const struct opinions *s, uint32_t annotator)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->v[i].annotator == annotator;
	return n;
}

/* The last decision of an annotator on a pair; SAID_UNSURE when there is none. */
static enum said last_said(const struct opinions *s, uint32_t annotator, uint32_t a,
			   uint32_t b)
{
	for (size_t i = s->n; i-- > 0;)
		if (s->v[i].annotator == annotator && is_pair(&s->v[i], a, b))
			return (enum said)s->v[i].said;
	return SAID_UNSURE;
}

bool opinions_agreement(const struct opinions *s, uint32_t one, uint32_t other,
			struct agreement *ret)
{
	double n = 0, equal = 0, near_one = 0, near_other = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct pair_answer *p = &s->v[i];

		if (p->annotator != one || p->said == SAID_UNSURE)
			continue;
		enum said theirs = last_said(s, other, p->a, p->b);
		if (theirs == SAID_UNSURE)
			continue;
		n++;
		equal += p->said == theirs;
		near_one += p->said == SAID_NEAR;
		near_other += theirs == SAID_NEAR;
	}
	if (n < 2)
		return false;
	double x = near_one / n, y = near_other / n;
	double chance = x * y + (1 - x) * (1 - y), share = equal / n;
	*ret = (struct agreement){ one, other, (size_t)n, share,
				   chance >= 1 ? 1 : (share - chance) / (1 - chance) };
	return true;
}

bool opinions_next_decided(const struct opinions *s, size_t *at, struct pair_answer *ret)
{
	for (; *at < s->n; ++*at) {
		const struct pair_answer *p = &s->v[*at];
		const uint64_t *vote = map_find(&s->votes, pair_key(p->a, p->b));
		bool is_first = true;

		for (size_t i = 0; i < *at && is_first; i++)
			is_first = s->v[i].said == SAID_UNSURE ||
				   !is_pair(&s->v[i], p->a, p->b);
		if (p->said == SAID_UNSURE || !is_first || !vote)
			continue;
		*ret = *p;
		ret->said = *vote > VOTE_ZERO ? SAID_NEAR : SAID_DIFFERENT;
		++*at;
		return true;
	}
	return false;
}
