#include <math.h>

#include "base/rng.h"
#include "states/simulate.h"
#include "test.h"

/* States on a line: their distance is the distance of their places. */
struct line {
	double place[64];
};

static struct state_distance on_line(const void *ctx, uint32_t a, uint32_t b)
{
	const struct line *l = ctx;

	return (struct state_distance){ fabs(l->place[a] - l->place[b]), 0 };
}

static struct simulation at(const struct line *l, double threshold)
{
	struct simulation s;

	simulation_start(&s, (struct state_thresholds){ threshold, 1 }, on_line, l);
	return s;
}

/* Seed 000, 8.3.3: at 0.6 state5 appears although at 0.3 it does not. */
static void a_larger_threshold_may_keep_a_state_that_a_smaller_merges(void)
{
	struct line l = { .place = { 0, 0.5, 0.62 } }; /* index, state3, state5 */
	struct transition t[] = { { 0, 1, 1 }, { 0, 2, 2 } };
	cleanup(simulation_release) struct simulation low = at(&l, 0.3),
						      high = at(&l, 0.6);

	simulation_run(&low, t, 2);
	simulation_run(&high, t, 2);
	CHECK(low.kept_count == 2 && low.absorbed_by[2] == 1);
	CHECK(high.kept_count == 2 && high.absorbed_by[1] == 0 &&
	      high.absorbed_by[2] == 2);
}

static void what_only_a_merged_state_reaches_starts_where_it_was_merged(void)
{
	struct line l = { .place = { 0, 0.1, 5 } };
	struct transition t[] = { { 0, 1, 1 }, { 1, 2, 2 } };
	cleanup(simulation_release) struct simulation s = at(&l, 0.2);

	simulation_run(&s, t, 2);
	CHECK(s.kept_count == 2 && s.absorbed_by[2] == 2);
	CHECK(s.edge_count == 2 && s.edges[0].to == 0);
	CHECK(s.edges[1].from == 0 && s.edges[1].to == 2);
}

static void a_later_way_from_a_kept_state_still_finds_it(void)
{
	struct line l = { .place = { 0, 0.1, 5 } };
	struct transition t[] = { { 0, 1, 1 }, { 1, 2, 2 }, { 0, 2, 3 } };
	cleanup(simulation_release) struct simulation s = at(&l, 0.2);

	simulation_run(&s, t, 3);
	CHECK(s.kept_count == 2 && s.kept[1] == 2 && s.edge_count == 3);
}

static void the_nearest_absorbs_and_the_earliest_wins_a_tie(void)
{
	struct line l = { .place = { 0, 4, 1, 2 } };
	struct transition t[] = { { 0, 1, 1 }, { 0, 2, 2 }, { 0, 3, 3 } };
	cleanup(simulation_release) struct simulation s = at(&l, 2.5);

	simulation_run(&s, t, 3);
	CHECK(s.absorbed_by[2] == 0 && s.merge_distance[2] == 1);
	CHECK(s.absorbed_by[3] == 0); /* 2 from both: the first kept */
}

static void both_axes_must_be_within(void)
{
	struct line l = { .place = { 0, 0.1 } };
	struct transition t = { 0, 1, 1 };
	struct simulation s;

	simulation_start(&s, (struct state_thresholds){ 0.5, -1 }, on_line, &l);
	simulation_run(&s, &t, 1);
	CHECK(s.kept_count == 2);
	simulation_release(&s);
}

static void repeated_transitions_add_no_edge(void)
{
	struct line l = { .place = { 0, 9 } };
	struct transition t[] = { { 0, 1, 1 }, { 0, 1, 1 }, { 0, 1, 2 }, { 1, 0, 3 } };
	cleanup(simulation_release) struct simulation s = at(&l, 0);

	simulation_run(&s, t, 4);
	CHECK(s.edge_count == 3);
}

/* Against a plain rewriting of the four invariants, from the whole list each time. */
static void agrees_with_the_definition_on_random_crawls(void)
{
	struct rng r = { 11 };

	for (int round = 0; round < 200; round++) {
		struct line l;
		struct transition t[120];
		uint32_t by[64], kept[64], n_kept = 1;
		double threshold = rng_unit(&r) * 0.2;

		for (int i = 0; i < 64; i++) {
			l.place[i] = rng_unit(&r);
			by[i] = STATE_UNSEEN;
		}
		by[0] = kept[0] = 0;
		for (size_t i = 0; i < COUNT(t); i++)
			t[i] = (struct transition){ (uint32_t)rng_below(&r, 64),
						    (uint32_t)rng_below(&r, 64),
						    (uint32_t)i };
		for (size_t i = 0; i < COUNT(t); i++) {
			uint32_t x = t[i].to, best = STATE_UNSEEN;

			if (by[t[i].from] == STATE_UNSEEN || by[x] != STATE_UNSEEN)
				continue;
			for (uint32_t k = 0; k < n_kept; k++) {
				double d = fabs(l.place[kept[k]] - l.place[x]);

				if (d <= threshold &&
				    (best == STATE_UNSEEN ||
				     d < fabs(l.place[best] - l.place[x])))
					best = kept[k];
			}
			by[x] = best == STATE_UNSEEN ? x : best;
			if (by[x] == x)
				kept[n_kept++] = x;
		}
		cleanup(simulation_release) struct simulation s = at(&l, threshold);
		simulation_run(&s, t, COUNT(t));
		CHECK(s.kept_count == n_kept);
		for (uint32_t i = 0; i < s.raw_count; i++)
			CHECK(s.absorbed_by[i] == by[i]);
	}
}

int main(void)
{
	RUN(a_larger_threshold_may_keep_a_state_that_a_smaller_merges);
	RUN(what_only_a_merged_state_reaches_starts_where_it_was_merged);
	RUN(a_later_way_from_a_kept_state_still_finds_it);
	RUN(the_nearest_absorbs_and_the_earliest_wins_a_tie);
	RUN(both_axes_must_be_within);
	RUN(repeated_transitions_add_no_edge);
	RUN(agrees_with_the_definition_on_random_crawls);
	DONE();
}
