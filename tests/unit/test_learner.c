#include "focus/learner.h"

#include "base/rng.h"
#include "focus/focus.h"
#include "test.h"

static struct focus_scores link_of(float anchor, float paragraph, uint32_t arm)
{
	struct focus_scores s = focus_scores_none();

	focus_scores_set(&s, PART_ANCHOR, anchor);
	focus_scores_set(&s, PART_PARAGRAPH, paragraph);
	s.arm = arm;
	return s;
}

/* Anchors that say "click here" whatever is behind them: their weight falls, and that of
 * the paragraph, which knows, rises. */
static void the_weight_of_what_says_nothing_falls(void)
{
	struct rng rng = { 7 };
	struct learner l;

	learner_init(&l);
	for (unsigned i = 0; i < 2000; i++) {
		bool relevant = rng_chance(&rng, 0.2);
		struct focus_scores s =
			link_of(rng_chance(&rng, 0.5) ? 1 : 0,
				relevant == rng_chance(&rng, 0.9) ? 1 : 0, i % 50);

		learner_add(&l, &s, relevant);
	}
	CHECK(l.weight[PART_PARAGRAPH] > 1.5);
	CHECK(l.weight[PART_ANCHOR] < 0.5 && l.weight[PART_ANCHOR] > -0.5);
	struct focus_scores good = link_of(0, 1, 1), bad = link_of(1, 0, 1);
	CHECK(learner_score(&l, &good, 0) > learner_score(&l, &bad, 1));
	CHECK(good.method == METHOD_LEARNT && good.learnt > 230);
	CHECK(good.weight[PART_PARAGRAPH] > good.weight[PART_ANCHOR]);
	learner_release(&l);
}

static void a_place_that_brings_pages_is_preferred(void)
{
	struct learner l;

	learner_init(&l);
	for (unsigned i = 0; i < 400; i++) {
		struct focus_scores s = link_of(0.5f, 0.5f, i % 2);

		learner_add(&l, &s, i % 2 == 1);
	}
	struct focus_scores good = link_of(0.5f, 0.5f, 1), bad = link_of(0.5f, 0.5f, 0);
	CHECK(learner_score(&l, &good, 0.5f) > learner_score(&l, &bad, 0.5f) + 0.3f);
	learner_release(&l);
}

static void what_was_never_tried_gets_a_bonus_unless_frozen(void)
{
	struct learner l;

	learner_init(&l);
	for (unsigned i = 0; i < 100; i++) {
		struct focus_scores s = link_of(0, 0, 1);

		learner_add(&l, &s, i % 2);
	}
	struct focus_scores tried = link_of(0, 0, 1), untried = link_of(0, 0, 2);
	CHECK(learner_score(&l, &untried, 0) > learner_score(&l, &tried, 0));
	CHECK(untried.explore > tried.explore);
	l.is_frozen = true;
	learner_score(&l, &untried, 0);
	CHECK(untried.explore == 0);
	double before = l.weight[PARTS];
	learner_add(&l, &untried, true);
	CHECK(l.weight[PARTS] == before && l.n == 100);
	learner_release(&l);
}

/* Before anything is known the average decides. */
static void at_first_the_average_counts(void)
{
	struct focus_scores s = link_of(1, 1, 9);
	struct learner l;

	learner_init(&l);
	float low = learner_score(&l, &s, 0.2f), high = learner_score(&l, &s, 0.8f);
	CHECK(high - low > 0.59f && s.learnt == 0);
	learner_release(&l);
}

/* Where no page was relevant yet, nothing is known of what tells them apart. */
static void pages_of_one_kind_teach_nothing(void)
{
	struct focus_scores s = link_of(1, 1, 9);
	struct learner l;

	learner_init(&l);
	for (unsigned i = 0; i < 500; i++)
		learner_add(&l, &s, false);
	CHECK(learner_score(&l, &s, 0.8f) == 0.8f && s.learnt == 0);
	learner_release(&l);
}

/* URLs of one form bring duplicates, those of another pages. */
static void a_form_of_url_that_brings_pages_is_preferred(void)
{
	struct learner l;
	struct focus_scores good = link_of(0.5f, 0.5f, 1), bad = good;

	good.form = focus_form_of(STR("http://a.test/t/12?id=3"));
	bad.form = focus_form_of(STR("http://a.test/t/12?id=3&sid=44"));
	CHECK(good.form != bad.form);
	CHECK(good.form == focus_form_of(STR("http://a.test/t/77?id=4")));
	CHECK(good.form != focus_form_of(STR("http://b.test/t/77?id=4")));
	learner_init(&l);
	for (unsigned i = 0; i < 400; i++)
		learner_add(&l, i % 2 ? &good : &bad, i % 2);
	CHECK(learner_score(&l, &good, 0.5f) > learner_score(&l, &bad, 0.5f) + 0.3f);
	learner_release(&l);
}

int main(void)
{
	RUN(pages_of_one_kind_teach_nothing);
	RUN(a_form_of_url_that_brings_pages_is_preferred);
	RUN(the_weight_of_what_says_nothing_falls);
	RUN(a_place_that_brings_pages_is_preferred);
	RUN(what_was_never_tried_gets_a_bonus_unless_frozen);
	RUN(at_first_the_average_counts);
	DONE();
}
