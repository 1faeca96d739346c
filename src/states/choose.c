#include "states/choose.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

void choose_prepare(struct raw_state *s)
{
	size_t n = s->seen.candidate_count * EVENT_KINDS;

	s->controls = xcalloc(n + 1, sizeof(*s->controls));
	s->kinds = xcalloc(n + 1, sizeof(*s->kinds));
	s->spots = xcalloc(n + 1, sizeof(*s->spots));
	for (size_t c = 0; c < s->seen.candidate_count; c++)
		for (uint8_t e = 0; e < EVENT_KINDS; e++) {
			const struct candidate *control = &s->seen.candidates[c];

			if (!(control->events & 1u << e))
				continue;
			s->controls[c * EVENT_KINDS + e] = worth_control(control, e);
			s->kinds[c * EVENT_KINDS + e] = worth_kind(control, e);
			s->spots[c * EVENT_KINDS + e] = worth_spot(
				control, s->controls[c * EVENT_KINDS + e], s->seen.url);
			map_add(&s->offers, s->spots[c * EVENT_KINDS + e], NULL);
		}
}

static bool is_merged(const struct model *m, uint32_t state)
{
	return m->simulation.absorbed_by[state] != state;
}

/* Does it take part: was it met, is a way known, is it not too deep? */
static bool counts(const struct model *m, uint32_t state, uint32_t max_depth)
{
	const struct simulation *s = &m->simulation;

	return state < s->raw_count && s->absorbed_by[state] != STATE_UNSEEN &&
	       !m->states[state]->unreachable &&
	       (max_depth == 0 || m->states[state]->depth < max_depth);
}

/*
 * `at` is candidate * EVENT_KINDS + event.  Of a merged state what the state that
 * absorbed it offers is tried there.
 */
static bool is_pending(const struct model *m, uint32_t state, size_t at, bool merged)
{
	const struct raw_state *s = m->states[state];

	if (!s->controls[at] || s->deed_of[at])
		return false;
	if (!merged)
		return true;
	const struct raw_state *by = m->states[m->simulation.absorbed_by[state]];
	return !worth_is_tried_at(&m->worth, s->spots[at]) &&
	       (by->unreachable || !map_find(&by->offers, s->spots[at]));
}

static struct deed deed_at(uint32_t state, size_t at)
{
	return (struct deed){ .state = state,
			      .candidate = (uint32_t)(at / EVENT_KINDS),
			      .event = (uint8_t)(at % EVENT_KINDS) };
}

bool choose_in(const struct model *m, uint32_t state, struct deed *ret)
{
	size_t n = m->states[state]->seen.candidate_count * EVENT_KINDS;
	bool merged = state < m->simulation.raw_count && is_merged(m, state);

	for (size_t at = 0; at < n; at++)
		if (is_pending(m, state, at, merged)) {
			*ret = deed_at(state, at);
			return true;
		}
	return false;
}

#define DEEP 6 /* events from the start: going on from there makes long ways back */

/*
 * How cheap it is to fire something in a state: 2 where the last event led, 1 where it
 * was fired, 0 elsewhere.
 */
static int nearness(const struct model *m, uint32_t state)
{
	const struct deed *last = NULL;

	for (size_t i = m->deed_count; i-- && !last;)
		if (m->deeds[i].outcome == DEED_DONE)
			last = &m->deeds[i];
	if (!last)
		return 0;
	if (state == last->to && m->states[state]->depth < DEEP)
		return 2;
	return state == last->state;
}

bool choose_next(const struct model *m, uint32_t max_depth, struct deed *ret)
{
	int best = -1;

	for (uint32_t state = 0; state < m->state_count; state++) {
		const struct raw_state *s = m->states[state];
		size_t n = s->seen.candidate_count * EVENT_KINDS;

		if (!counts(m, state, max_depth))
			continue;
		bool merged = is_merged(m, state);
		int near = nearness(m, state);
		for (size_t at = 0; at < n; at++) {
			if (!is_pending(m, state, at, merged))
				continue;
			int promise = (int)worth_promise(&m->worth, s->controls[at],
							 s->kinds[at],
							 (uint8_t)(at % EVENT_KINDS));
			promise = promise * 3 + near;
			if (promise > best) {
				best = promise;
				*ret = deed_at(state, at);
			}
		}
	}
	return best >= 0;
}

size_t choose_count(const struct model *m, uint32_t max_depth)
{
	size_t n = 0;

	for (uint32_t state = 0; state < m->state_count; state++) {
		size_t all = m->states[state]->seen.candidate_count * EVENT_KINDS;

		for (size_t at = 0; counts(m, state, max_depth) && at < all; at++)
			n += is_pending(m, state, at, is_merged(m, state));
	}
	return n;
}

struct species choose_species(const struct model *m)
{
	const struct simulation *s = &m->simulation;
	double once = 0, twice = 0, seen = (double)s->kept_count;
	uint32_t *met = xcalloc(m->state_count + 1, sizeof(*met));

	for (size_t i = 0; i < s->raw_count; i++)
		if (s->absorbed_by[i] != STATE_UNSEEN)
			met[s->absorbed_by[i]] += m->states[i]->arrivals;
	for (size_t i = 0; i < s->kept_count; i++) {
		once += met[s->kept[i]] == 1;
		twice += met[s->kept[i]] == 2;
	}
	free(met);
	/* Chao 1984 with the correction for small numbers, variance and interval of Chao
	 * 1987. */
	double more = once * (once - 1) / (2 * (twice + 1));
	double spread = once * (once - 1) / (2 * (twice + 1)) +
			once * pow(2 * once - 1, 2) / (4 * pow(twice + 1, 2)) +
			once * once * twice * pow(once - 1, 2) / (4 * pow(twice + 1, 4));
	if (more <= 0)
		return (struct species){ seen, seen, seen };
	double c = exp(1.96 * sqrt(log(1 + spread / (more * more))));
	return (struct species){ seen + more, seen + more / c, seen + more * c };
}
