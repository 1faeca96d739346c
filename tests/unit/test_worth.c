#include "states/worth.h"
#include "test.h"

static struct identity state_with(uint64_t *ways, size_t n)
{
	return (struct identity){ .paths = ways, .path_count = n };
}

static struct candidate entries[] = {
	{ .tag = STR("a"),
	  .text = STR("one"),
	  .xpath = STR("/HTML[1]/UL[1]/LI[1]/A[1]") },
	{ .tag = STR("a"),
	  .text = STR("two"),
	  .xpath = STR("/HTML[1]/UL[1]/LI[2]/A[1]") },
	{ .tag = STR("a"),
	  .text = STR("six"),
	  .xpath = STR("/HTML[1]/OL[1]/LI[2]/A[1]") },
};

static void too_many_combinations_end_what_was_tried_before(void)
{
	cleanup(worth_release) struct worth w = { 0 };
	struct worth_limits limits = { .combinations = 2 };
	uint64_t known[] = { 1, 2 }, other[] = { 2, 3 };
	struct identity first = state_with(known, 2), second = state_with(other, 2);
	struct attempt a = { &entries[0], 0, 0, false },
		       again = { &entries[0], 1, 0, false };
	struct attempt fresh = { &entries[1], 1, 0, false };
	struct attempt combined = { &entries[1], 2, 0, true };

	worth_start(&w, &first);
	/* Neither a state that is known nor one that shows something is a combination. */
	CHECK(!worth_add(&w, &a, &first, ARRIVAL_KNOWN));
	CHECK(worth_add(&w, &a, &second, ARRIVAL_STATE) && w.combinations == 0);
	for (int i = 0; i < 3; i++) {
		CHECK(!worth_refuses(&w, &again, &limits));
		worth_add(&w, &again, &first, ARRIVAL_STATE);
	}
	CHECK(worth_refuses(&w, &again, &limits));
	CHECK(!worth_refuses(&w, &fresh, &limits));
	CHECK(worth_refuses(&w, &combined, &limits));
	CHECK(!worth_refuses(&w, &again, &(struct worth_limits){ 0 }));
}

static void controls_of_a_list_stand_for_each_other_in_one_state(void)
{
	cleanup(worth_release) struct worth w = { 0 };
	struct worth_limits limits = { .alike = 1 };
	uint64_t known[] = { 1 };
	struct identity first = state_with(known, 1);
	struct attempt one = { &entries[0], 0, 0, false },
		       two = { &entries[1], 0, 0, false };
	struct attempt six = { &entries[2], 0, 0, false },
		       elsewhere = { &entries[1], 1, 0, false };

	worth_start(&w, &first);
	worth_add(&w, &one, &first, ARRIVAL_KNOWN);
	CHECK(worth_refuses(&w, &two, &limits));
	CHECK(!worth_refuses(&w, &six, &limits));
	CHECK(!worth_refuses(&w, &elsewhere, &limits));
	/* A state that its contents make new is worth the next one. */
	worth_add(&w, &one, &first, ARRIVAL_CONTENT);
	CHECK(!worth_refuses(&w, &two, &limits));
}

int main(void)
{
	RUN(too_many_combinations_end_what_was_tried_before);
	RUN(controls_of_a_list_stand_for_each_other_in_one_state);
	DONE();
}
