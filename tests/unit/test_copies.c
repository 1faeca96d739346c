#include "hosts/copies.h"

#include <stdio.h>

#include "test.h"

/* Of so many duplicates, those whose links would be followed. */
static unsigned followed(const struct copies *c, uint32_t site, unsigned n)
{
	unsigned yes = 0;
	char url[32];

	for (unsigned i = 0; i < n; i++) {
		snprintf(url, sizeof(url), "http://h/%u", i);
		yes += copies_are_worth(c, site, str_from(url));
	}
	return yes;
}

static void duplicates_that_lead_to_duplicates_are_followed_rarely(void)
{
	struct copies c = { 0 };

	copies_note(&c, STR("http://h/copy"));
	for (int i = 0; i < 49; i++)
		copies_learn(&c, 3, STR("http://h/copy"), false);
	CHECK(followed(&c, 3, 800) == 800);
	copies_learn(&c, 3, STR("http://h/copy"), false);
	CHECK(followed(&c, 3, 800) > 50 && followed(&c, 3, 800) < 150);
	CHECK(followed(&c, 2, 800) == 800 && followed(&c, 4, 800) == 800);
	copies_release(&c);
}

static void a_find_in_fifty_keeps_them_followed(void)
{
	struct copies c = { 0 };

	copies_note(&c, STR("http://h/copy"));
	for (int i = 0; i < 1000; i++)
		copies_learn(&c, 0, STR("http://h/copy"), i % 50 == 0);
	CHECK(followed(&c, 0, 800) == 800);
	copies_release(&c);
}

static void what_other_pages_led_to_tells_nothing(void)
{
	struct copies c = { 0 };

	copies_note(&c, STR("http://h/copy"));
	for (int i = 0; i < 1000; i++)
		copies_learn(&c, 0, STR("http://h/new"), false);
	copies_learn(&c, 0, STR(""), false);
	CHECK(followed(&c, 0, 800) == 800);
	copies_release(&c);
}

int main(void)
{
	RUN(duplicates_that_lead_to_duplicates_are_followed_rarely);
	RUN(a_find_in_fifty_keeps_them_followed);
	RUN(what_other_pages_led_to_tells_nothing);
	DONE();
}
