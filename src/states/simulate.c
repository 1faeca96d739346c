#include "states/simulate.h"

#include <stdlib.h>

#include "base/alloc.h"

static void make_room(struct simulation *s, uint32_t raw)
{
	size_t before = s->raw_count;

	if (raw < before)
		return;
	s->raw_count = (size_t)raw + 1;
	size_t cap = s->raw_cap;
	VEC_RESERVE(s->absorbed_by, cap, s->raw_count);
	VEC_RESERVE(s->merge_distance, s->raw_cap, s->raw_count);
	for (size_t i = before; i < s->raw_count; i++) {
		s->absorbed_by[i] = STATE_UNSEEN;
		s->merge_distance[i] = 0;
	}
}

static void keep(struct simulation *s, uint32_t raw)
{
	s->absorbed_by[raw] = raw;
	VEC_ADD(s->kept, s->kept_count, s->kept_cap, raw);
}

void simulation_start(struct simulation *s, struct state_thresholds thresholds,
		      state_distance_fn *distance, const void *ctx)
{
	*s = (struct simulation){ .thresholds = thresholds,
				  .distance = distance,
				  .ctx = ctx };
	make_room(s, 0);
	keep(s, 0);
}

void simulation_release(struct simulation *s)
{
	free(s->absorbed_by);
	free(s->merge_distance);
	free(s->kept);
	free(s->edges);
	*s = (struct simulation){ 0 };
}

/* Nearer on the template counts first, then on the content, then who came first. */
static bool is_nearer(struct state_distance a, struct state_distance b)
{
	if (a.of_template != b.of_template)
		return a.of_template < b.of_template;
	return a.of_content < b.of_content;
}

static uint32_t nearest(const struct simulation *s, uint32_t raw,
			struct state_distance *ret)
{
	uint32_t best = STATE_UNSEEN;

	for (size_t i = 0; i < s->kept_count; i++) {
		struct state_distance d = s->distance(s->ctx, s->kept[i], raw);

		if (d.of_template > s->thresholds.of_template ||
		    d.of_content > s->thresholds.of_content)
			continue;
		if (best == STATE_UNSEEN || is_nearer(d, *ret)) {
			best = s->kept[i];
			*ret = d;
		}
	}
	return best;
}

static bool has_edge(const struct simulation *s, struct transition e)
{
	for (size_t i = 0; i < s->edge_count; i++)
		if (s->edges[i].from == e.from && s->edges[i].to == e.to &&
		    s->edges[i].action == e.action)
			return true;
	return false;
}

uint32_t simulation_add(struct simulation *s, struct transition t, bool *ret_new)
{
	bool fresh = false;

	make_room(s, t.from > t.to ? t.from : t.to);
	if (ret_new)
		*ret_new = false;
	if (s->absorbed_by[t.from] == STATE_UNSEEN)
		return STATE_UNSEEN;
	if (s->absorbed_by[t.to] == STATE_UNSEEN) {
		struct state_distance d = { 0 };
		uint32_t by = nearest(s, t.to, &d);

		fresh = by == STATE_UNSEEN;
		if (fresh) {
			keep(s, t.to);
		} else {
			s->absorbed_by[t.to] = by;
			s->merge_distance[t.to] = d.of_template;
		}
	}
	struct transition e = { s->absorbed_by[t.from], s->absorbed_by[t.to], t.action };
	if (!has_edge(s, e))
		VEC_ADD(s->edges, s->edge_count, s->edge_cap, e);
	if (ret_new)
		*ret_new = fresh;
	return e.to;
}

void simulation_run(struct simulation *s, const struct transition *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		simulation_add(s, t[i], NULL);
}
