#include "pipeline/advise.h"

#include "policy/priority.h"
#include "test.h"

/* The advice is one per link of the page; discoveries are fewer, in another order, and
 * some come from the head of the answer. */
static void advice_follows_the_link_it_was_given_for(void)
{
	struct link on_page[3] = { { .url = STR("a") }, { .url = STR("b") } };
	struct page page = { .links = on_page, .n_links = 3 };
	struct link_advice said[3] = {
		{ .veto = VETO_APPLICATION, .detail = STR("edit") },
		{ .has_score = true, .score = 1.0f },
	};
	const struct link *origins[3] = { &on_page[1], NULL, &on_page[0] };
	struct discovery d[3] = { { .priority = 9 }, { .priority = 9 } };
	struct fetch_task task = { 0 };
	struct arena a = { 0 };

	advise(&(struct advice_input){ .task = &task,
				       .page = &page,
				       .links = d,
				       .origins = origins,
				       .n = 3,
				       .application = { .links = said } },
	       &a);
	CHECK(d[0].has_score && d[0].score == 1.0f && d[0].priority == 200);
	CHECK(!d[1].has_score && d[1].veto == VETO_NONE && d[1].priority == 9);
	CHECK(d[2].veto == VETO_APPLICATION && str_eq(d[2].veto_by, STR("edit")));
	arena_release(&a);
}

int main(void)
{
	RUN(advice_follows_the_link_it_was_given_for);
	DONE();
}
