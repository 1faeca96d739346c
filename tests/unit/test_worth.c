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
	struct attempt a = { &entries[0], 0, 0, false, STR("") },
		       again = { &entries[0], 1, 0, false, STR("") };
	struct attempt fresh = { &entries[1], 1, 0, false, STR("") };
	struct attempt combined = { &entries[1], 2, 0, true, STR("") };

	worth_start(&w, &first, NULL);
	/* Neither a state that is known nor one that shows something is a combination. */
	CHECK(!worth_add(&w, &a, &first, NULL, ARRIVAL_KNOWN));
	CHECK(worth_add(&w, &a, &second, NULL, ARRIVAL_STATE) == GAIN_ELEMENT &&
	      w.combinations == 0);
	for (int i = 0; i < 3; i++) {
		CHECK(!worth_refuses(&w, &again, &limits));
		worth_add(&w, &again, &first, NULL, ARRIVAL_STATE);
	}
	CHECK(worth_refuses(&w, &again, &limits));
	CHECK(!worth_refuses(&w, &fresh, &limits));
	/* What was tried nowhere is never spared. */
	CHECK(!worth_refuses(&w, &combined, &limits));
	CHECK(!worth_refuses(&w, &again, &(struct worth_limits){ 0 }));
}

static void controls_of_a_list_stand_for_each_other_in_one_state(void)
{
	cleanup(worth_release) struct worth w = { 0 };
	struct worth_limits limits = { .alike = 1 };
	uint64_t known[] = { 1 };
	struct identity first = state_with(known, 1);
	struct attempt one = { &entries[0], 0, 0, false, STR("") },
		       two = { &entries[1], 0, 0, false, STR("") };
	struct attempt six = { &entries[2], 0, 0, false, STR("") },
		       elsewhere = { &entries[1], 1, 0, false, STR("") };

	worth_start(&w, &first, NULL);
	worth_add(&w, &one, &first, NULL, ARRIVAL_KNOWN);
	CHECK(worth_refuses(&w, &two, &limits));
	CHECK(!worth_refuses(&w, &six, &limits));
	CHECK(!worth_refuses(&w, &elsewhere, &limits));
	/* A state that its contents make new is worth the next one. */
	worth_add(&w, &one, &first, NULL, ARRIVAL_CONTENT);
	CHECK(!worth_refuses(&w, &two, &limits));
}

static void what_brought_something_promises_more(void)
{
	cleanup(worth_release) struct worth w = { 0 };
	uint64_t known[] = { 1 }, other[] = { 2 };
	struct identity first = state_with(known, 1), second = state_with(other, 1);
	struct attempt one = { &entries[0], 0, 0, false, STR("") },
		       six = { &entries[2], 0, 0, false, STR("") };
	uint64_t list = worth_kind(&entries[1], 0), numbers = worth_kind(&entries[2], 0);

	worth_start(&w, &first, NULL);
	CHECK(worth_promise(&w, 7, list, EVENT_CLICK) ==
	      worth_promise(&w, 7, numbers, EVENT_CLICK));
	CHECK(worth_promise(&w, 7, list, EVENT_CLICK) >
	      worth_promise(&w, 7, list, EVENT_OPEN));
	for (int i = 0; i < 3; i++)
		worth_add(&w, &one, &first, NULL, ARRIVAL_KNOWN);
	CHECK(w.quiet == 3);
	worth_add(&w, &six, &second, NULL, ARRIVAL_STATE);
	CHECK(w.quiet == 0);
	CHECK(worth_promise(&w, 7, list, EVENT_CLICK) <
	      worth_promise(&w, 7, numbers, EVENT_CLICK));
	/* Of a list that brings nothing
	 * but more of the same there is
	 * enough some day. */
	CHECK(worth_refuses(&w,
			    &(struct attempt){ &entries[1], 5, 0, false, STR(""), true },
			    &(struct worth_limits){ .series = 3 }));
}

static void a_button_on_another_page_is_another_a_link_is_not(void)
{
	struct candidate button = { .tag = STR("button"), .text = STR("Go") };
	struct candidate link = { .tag = STR("a"), .href = STR("http://a/x") };

	CHECK(worth_spot(&button, 1,
			 STR("http://a/"
			     "1")) != worth_spot(&button, 1, STR("http://a/2")));
	CHECK(worth_spot(&button, 1,
			 STR("http://a/"
			     "1?x#y")) == worth_spot(&button, 1, STR("http://a/1")));
	CHECK(worth_spot(&link, 1,
			 STR("http://a/"
			     "1")) == worth_spot(&link, 1, STR("http://a/2")));
}

int main(void)
{
	RUN(too_many_combinations_end_what_was_tried_before);
	RUN(controls_of_a_list_stand_for_each_other_in_one_state);
	RUN(what_brought_something_promises_more);
	RUN(a_button_on_another_page_is_another_a_link_is_not);
	DONE();
}
