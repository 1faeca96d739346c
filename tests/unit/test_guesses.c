#include "hosts/guesses.h"

#include "test.h"

static void junk_ends_the_guessing_on_its_site_only(void)
{
	struct guesses g = { 0 };

	for (int i = 0; i < 100; i++)
		guesses_learn(&g, 3, STR("LLX"), false);
	CHECK(!guesses_are_worth(&g, 3));
	CHECK(guesses_are_worth(&g, 2) && guesses_are_worth(&g, 4));
	guesses_release(&g);
}

static void finds_keep_it_going(void)
{
	struct guesses g = { 0 };

	for (int i = 0; i < 1000; i++)
		guesses_learn(&g, 0, STR("X"), i % 2 == 0);
	CHECK(guesses_are_worth(&g, 0));
	guesses_release(&g);
}

static void other_links_tell_nothing_of_guesses(void)
{
	struct guesses g = { 0 };

	for (int i = 0; i < 100; i++)
		guesses_learn(&g, 0, STR("XL"), false);
	CHECK(g.n == 0 && !hops_end_in_guess(STR("")));
	guesses_release(&g);
}

int main(void)
{
	RUN(junk_ends_the_guessing_on_its_site_only);
	RUN(finds_keep_it_going);
	RUN(other_links_tell_nothing_of_guesses);
	DONE();
}
