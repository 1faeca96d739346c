#include "engine/url_rules.h"

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

/* Learning keeps pace with answers, whatever the clock says: with enough of them every
 * site is learnt from in one turn, with few one after the other. */
static void answers_pay_for_learning(void)
{
	cleanup(dust_online_release) struct dust_online *o =
		dust_online_new(&online_defaults);
	struct crawl_outside outside = { 0 };
	struct crawl c = { .rules = o,
			   .outside = &outside,
			   .time.is_logical = true,
			   .events.is_blind = true };

	for (char site = 'a'; site < 'i'; site++)
		show_site(o, site);
	url_rules_step(&c);
	CHECK(dust_online_rules(o)->n == 0); /* nothing was answered yet */
	c.decided = 1;
	url_rules_step(&c);
	CHECK(dust_online_rules(o)->n == 1);
	url_rules_step(&c); /* the same answer pays once */
	CHECK(dust_online_rules(o)->n == 1);
	c.decided = 100;
	url_rules_step(&c);
	CHECK(dust_online_rules(o)->n == 8);
}

int main(void)
{
	RUN(answers_pay_for_learning);
	DONE();
}
