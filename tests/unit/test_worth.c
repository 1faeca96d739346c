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

static void combinations_are_refused_when_their_budget_is_spent(void)
{
	cleanup(worth_release) struct worth n = { 0 };
	struct worth_limits limits = { .combinations = 2 };
	uint64_t known[] = { 1, 2 }, other[] = { 2, 3 };
	struct identity first = state_with(known, 2), second = state_with(other, 2);
	struct attempt a = { &entries[0], 0, 0 }, elsewhere = { &entries[0], 1, 0 };
	struct attempt fresh = { &entries[1], 1, 0 };

	worth_start(&n, &first);
	CHECK(!worth_add(&n, &a, &first, false));
	CHECK(n.stale == 0 && n.states == 1);
	for (int i = 0; i < 2 + COMBINATIONS_A_STATE; i++) {
		CHECK(!worth_refuses(&n, &elsewhere, &limits));
		worth_add(&n, &elsewhere, &first, false);
	}
	CHECK(worth_refuses(&n, &elsewhere, &limits));
	CHECK(!worth_refuses(&n, &fresh, &limits));
	CHECK(!worth_refuses(&n, &elsewhere, &(struct worth_limits){ 0 }));
	/* What shows something new earns more of them. */
	CHECK(worth_add(&n, &fresh, &second, false));
	CHECK(!worth_refuses(&n, &elsewhere, &limits));
}

static void controls_of_a_list_stand_for_each_other_in_one_state(void)
{
	cleanup(worth_release) struct worth n = { 0 };
	struct worth_limits limits = { .alike = 1 };
	uint64_t known[] = { 1 };
	struct identity first = state_with(known, 1);
	struct attempt one = { &entries[0], 0, 0 }, two = { &entries[1], 0, 0 };
	struct attempt six = { &entries[2], 0, 0 }, elsewhere = { &entries[1], 1, 0 };

	worth_start(&n, &first);
	worth_add(&n, &one, &first, false);
	CHECK(worth_refuses(&n, &two, &limits));
	CHECK(!worth_refuses(&n, &six, &limits));
	CHECK(!worth_refuses(&n, &elsewhere, &limits));
	/* A state that its contents make new is worth the next one. */
	worth_add(&n, &one, &first, true);
	CHECK(!worth_refuses(&n, &two, &limits));
}

int main(void)
{
	RUN(combinations_are_refused_when_their_budget_is_spent);
	RUN(controls_of_a_list_stand_for_each_other_in_one_state);
	DONE();
}
