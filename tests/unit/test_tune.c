#include "dup/tune.h"

#include <math.h>

#include "base/rng.h"
#include "method/evidence.h"
#include "test.h"

static void a_clean_gap_is_cut_in_the_middle(void)
{
	struct tune_pair v[] = { { 0.9, true },
				 { 0.2, false },
				 { 0.8, true },
				 { 0.4, false },
				 { -INFINITY, false } };
	struct tune_result r = tune(v, 5, false);

	CHECK(r.best.f1 == 1 && fabs(r.best.threshold - 0.6) < 1e-9);
	CHECK(r.f1_high == 1);
	CHECK(tune_at(v, 5, false, 0.3).precision == 2.0 / 3);
	CHECK(tune_at(v, 5, false, 0.3).recall == 1);
}

static void distances_work_the_other_way(void)
{
	struct tune_pair v[] = {
		{ 1, true }, { 3, true }, { 9, false }, { INFINITY, true }
	};
	struct tune_result r = tune(v, 4, true);

	CHECK(r.best.threshold == 6 && fabs(r.best.f1 - 0.8) < 1e-9);
}

static void noise_is_not_taken_for_knowledge(void)
{
	struct tune_pair v[200];
	struct rng r = { 3 };

	for (size_t i = 0; i < 200; i++)
		v[i] = (struct tune_pair){ rng_unit(&r), rng_chance(&r, 0.5) };
	struct tune_result t = tune(v, 200, false);
	CHECK(t.held_out_f1 <= t.best.f1);
	CHECK(t.f1_low < t.best.f1 && t.best.f1 < t.f1_high);
	CHECK(t.f1_high - t.f1_low > 0.05);
}

static void evidence_is_quoted_from_both_sides(void)
{
	struct str a = STR("one two three four five six seven eight alpha beta nine");
	struct str b = STR("Intro: one two three four five six seven eight, gamma nine");
	struct evidence e;

	evidence_find(a, b, 3, &e);
	CHECK(str_eq(e.shared, STR("one two three four five six seven eight")));
	CHECK(str_eq(e.only_a[0], STR("alpha beta nine")));
	CHECK(str_eq(e.only_b[0], STR(", gamma nine")) ||
	      str_eq(e.only_b[0], STR("gamma nine")));
	CHECK(str_eq(e.only_b[1], STR("Intro")));
	CHECK(e.words_a == 11 && e.shared_words_a == 8 && e.shared_words_b == 8);
	evidence_find(STR(""), b, 3, &e);
	CHECK(e.shared.n == 0 && e.words_a == 0);
}

int main(void)
{
	RUN(a_clean_gap_is_cut_in_the_middle);
	RUN(distances_work_the_other_way);
	RUN(noise_is_not_taken_for_knowledge);
	RUN(evidence_is_quoted_from_both_sides);
	DONE();
}
