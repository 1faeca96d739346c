#include "render/learned.h"
#include "test.h"

#define HOST 7

/* A page is tried, and has brought something or not. */
static void try_it(struct render_learned *l, uint64_t template, bool pays)
{
	render_note_pending(l, template, HOST, 1);
	render_learn(l, template, HOST, pays);
}

static void look_at(struct render_learned *l, uint64_t template, int pages, bool repeats)
{
	for (int i = 0; i < pages; i++)
		render_note_plain(l, template, NEED_SCRIPTS, repeats);
}

static void rich_pages_are_tried_as_often_as_the_crawl_pays_for(void)
{
	cleanup(render_learned_release) struct render_learned l = { 0 };

	/* Those that show nothing at once, those with a sign once per host. */
	CHECK(render_threshold(&l, 1, HOST).from == NEED_SIGNS);
	CHECK(render_threshold(&l, 1, HOST).hold == NEED_SCRIPTS);
	try_it(&l, 1, false);
	CHECK(render_threshold(&l, 2, HOST).from == NEED_LIKELY);
	CHECK(render_threshold(&l, 2, HOST + 1).from == NEED_SIGNS);
	look_at(&l, 1, 6000, false);
	CHECK(render_threshold(&l, 2, HOST).from == NEED_SIGNS);
	look_at(&l, 1, 5000, false);
	CHECK(render_threshold(&l, 2, HOST).from == NEED_SCRIPTS);
	/* One at a time. */
	render_note_pending(&l, 2, HOST, 1);
	CHECK(render_threshold(&l, 3, HOST).from == NEED_LIKELY);
	render_note_pending(&l, 2, HOST, -1);
	CHECK(render_threshold(&l, 3, HOST).from == NEED_SCRIPTS);
}

static void pages_that_all_say_the_same_are_a_frame_to_fill(void)
{
	cleanup(render_learned_release) struct render_learned l = { 0 };

	look_at(&l, 1, 3, true);
	CHECK(render_threshold(&l, 1, HOST).from == NEED_SIGNS);
	look_at(&l, 1, 1, true);
	CHECK(render_threshold(&l, 1, HOST).from == NEED_SCRIPTS);
	look_at(&l, 1, 4, false);
	CHECK(render_threshold(&l, 1, HOST).from == NEED_SIGNS);
}

static void a_template_that_brings_nothing_is_not_rendered_again(void)
{
	cleanup(render_learned_release) struct render_learned l = { 0 };

	for (int i = 0; i < 3; i++)
		try_it(&l, 1, false);
	/* Those that show nothing have more patience than those with scripts. */
	CHECK(render_threshold(&l, 1, HOST).from == NEED_LIKELY &&
	      render_threshold(&l, 1, HOST).hold == NEED_NEVER);
	for (int i = 0; i < 5; i++) {
		CHECK(render_is_wanted(&l, 1, HOST));
		try_it(&l, 1, false);
	}
	CHECK(render_threshold(&l, 1, HOST).from == NEED_NEVER &&
	      render_threshold(&l, 1, HOST).hold == NEED_NEVER);
	CHECK(!render_is_wanted(&l, 1, HOST) && render_is_wanted(&l, 2, HOST));
	/* One of many is looked at again. */
	int watched = 0;
	for (int i = 0; i < 400; i++) {
		watched += render_threshold(&l, 1, HOST).from == NEED_LIKELY;
		render_note_skipped(&l, 1);
	}
	CHECK(watched == 2);
}

static void what_pays_once_is_trusted_a_little_and_what_pays_often_longer(void)
{
	cleanup(render_learned_release) struct render_learned l = { 0 };

	try_it(&l, 1, true);
	CHECK(render_threshold(&l, 1, HOST).from == NEED_SCRIPTS);
	for (int i = 0; i < 3; i++)
		try_it(&l, 1, false);
	CHECK(render_threshold(&l, 1, HOST).from == NEED_LIKELY);
	for (int i = 0; i < 9; i++)
		try_it(&l, 2, true);
	for (int i = 0; i < 7; i++)
		try_it(&l, 2, false);
	CHECK(render_threshold(&l, 2, HOST).from == NEED_SCRIPTS);
	try_it(&l, 2, false);
	CHECK(render_threshold(&l, 2, HOST).from == NEED_NEVER);
}

static void a_site_made_by_scripts_is_tried_template_by_template(void)
{
	cleanup(render_learned_release) struct render_learned l = { 0 };

	try_it(&l, 1, true);
	CHECK(render_threshold(&l, 2, HOST).from == NEED_SCRIPTS);
	render_note_pending(&l, 2, HOST, 1);
	CHECK(render_threshold(&l, 2, HOST).from == NEED_LIKELY);
	CHECK(render_threshold(&l, 3, HOST).from == NEED_SCRIPTS);
}

static void a_link_or_a_sentence_pays(void)
{
	CHECK(render_pays(&(struct render_yield){ .links = 1 }));
	CHECK(render_pays(&(struct render_yield){ .text_bytes = 200, .percent = 20 }));
	CHECK(!render_pays(&(struct render_yield){ .text_bytes = 200, .percent = 2 }));
	CHECK(!render_pays(&(struct render_yield){ .text_bytes = 20, .percent = 90 }));
}

static void pressing_ends_where_it_leads_nowhere(void)
{
	cleanup(render_learned_release) struct render_learned l = { 0 };

	CHECK(render_presses(&l, 1, HOST));
	render_learn_presses(&l, 1, HOST, false);
	CHECK(render_presses(&l, 1, HOST));
	render_learn_presses(&l, 1, HOST, false);
	CHECK(!render_presses(&l, 1, HOST) && render_presses(&l, 2, HOST));
	render_learn_presses(&l, 2, HOST, true);
	for (int i = 0; i < 2; i++)
		render_learn_presses(&l, 2, HOST, false);
	CHECK(render_presses(&l, 2, HOST));
	render_learn_presses(&l, 2, HOST, false);
	CHECK(!render_presses(&l, 2, HOST));
	for (uint64_t t = 10; t < 20; t++)
		render_learn_presses(&l, t, HOST, false);
	CHECK(!render_presses(&l, 99, HOST) && render_presses(&l, 99, HOST + 1));
}

int main(void)
{
	RUN(rich_pages_are_tried_as_often_as_the_crawl_pays_for);
	RUN(pages_that_all_say_the_same_are_a_frame_to_fill);
	RUN(a_template_that_brings_nothing_is_not_rendered_again);
	RUN(what_pays_once_is_trusted_a_little_and_what_pays_often_longer);
	RUN(a_site_made_by_scripts_is_tried_template_by_template);
	RUN(a_link_or_a_sentence_pays);
	RUN(pressing_ends_where_it_leads_nowhere);
	DONE();
}
