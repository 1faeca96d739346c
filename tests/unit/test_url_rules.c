#include "crawl/url_rules.h"

#include "test.h"

/* A site whose pages have a session number of no meaning. */
static void show_site(struct dust_online *o, char site)
{
	for (int page = 0; page < 4; page++)
		for (int way = 0; way < 3; way++) {
			char url[64];

			snprintf(url, sizeof(url), "http://%c.org/p%d?sid=%d", site, page,
				 way);
			dust_online_page(o, str_from(url), (uint64_t)page + 1, NULL);
		}
}

/* A fixed pause of 50 ms let sites wait for half a second, while they sent hundreds of
 * pages. */
static void sites_that_wait_are_learnt_from_without_delay(void)
{
	cleanup(dust_online_release) struct dust_online *o =
		dust_online_new(&online_standard);
	struct fake_clock clock;
	struct crawl c = { .clock = &clock.base, .rules = o };

	fake_clock_init(&clock, 0);
	for (char site = 'a'; site < 'i'; site++)
		show_site(o, site);
	for (int ms = 0; ms < 8; ms++) {
		url_rules_step(&c);
		fake_clock_pass(&clock, 1);
	}
	CHECK(dust_online_rules(o)->n == 8);
}

static void learning_has_a_tenth_of_the_time(void)
{
	CHECK(url_rules_pause_ns(0) == 1000000);
	CHECK(url_rules_pause_ns(20000000) == 180000000);
}

int main(void)
{
	RUN(sites_that_wait_are_learnt_from_without_delay);
	RUN(learning_has_a_tenth_of_the_time);
	DONE();
}
