#include "frontier/waiting.h"

#include <unistd.h>

#include "offer.h"
#include "test.h"

static char dir[] = "/tmp/thresh-waiting-XXXXXX";

static bool offer(struct frontier *f, struct str url)
{
	struct discovery d = { .url = url, .key = url, .hash = hash128(url) };
	struct url_decision decision;

	return offer_links(f, &(struct frontier_page){ 0 }, &d, 1, 1000, &decision,
			   NULL) == ST_OK;
}

/* Through the whole life of a site, what it waits for has its name. */
static void a_site_waits_for_one_thing_after_another(void)
{
	struct frontier_settings s = { .dir = dir,
				       .max_site_failures = 3,
				       .site_retry_ms = 1000 };
	struct ip ip = { .n = 4, .bytes = { 10, 0, 0, 1 } };
	struct frontier_step step;
	struct arena a = { 0 };
	struct frontier f;

	s.politeness[LANE_HOST] = (struct politeness){ .at_once = 1,
						       .min_ms = 100,
						       .crawl_delay_max_ms = 9000,
						       .retry_after_max_ms = 60000 };
	s.politeness[LANE_DOMAIN] = (struct politeness){ .at_once = 2, .min_ms = 250 };
	CHECK(frontier_open(&f, &s, NULL) == ST_OK);
	f.scope.kind = SCOPE_ANY;
	scope_finish(&f.scope);
	CHECK(offer(&f, STR("http://a.example.org/1")));
	CHECK(site_wait_of(&f, 0, 1000) == WAIT_LOOKUP);
	CHECK(frontier_next(&f, 1000, &a, &step, NULL) == ST_OK &&
	      step.kind == STEP_RESOLVE);
	frontier_unresolved(&f, 0, 1000);
	CHECK(site_wait_of(&f, 0, 1001) == WAIT_SECOND_TRY);
	CHECK(frontier_next(&f, 2000, &a, &step, NULL) == ST_OK &&
	      step.kind == STEP_RESOLVE);
	frontier_resolved(&f, 0, &ip, 1000000);
	CHECK(site_wait_of(&f, 0, 2000) == WAIT_ROBOTS);
	CHECK(frontier_next(&f, 2000, &a, &step, NULL) == ST_OK &&
	      step.kind == STEP_ROBOTS);
	frontier_fetched(&f, 0, &(struct answer){ .end_ms = 2000 }, 10);
	frontier_robots_known(&f, 0, 1000000, 0);
	CHECK(site_wait_of(&f, 0, 2050) == WAIT_DOMAIN); /* 250 ms, the host's 100 */
	CHECK(site_wait_of(&f, 0, 2250) == WAIT_TURN);
	frontier_robots_known(&f, 0, 1000000, 5000);
	frontier_start(&f, 0, 3000);
	frontier_fetched(&f, 0, &(struct answer){ .end_ms = 3000 }, 10);
	CHECK(site_wait_of(&f, 0, 3500) == WAIT_CRAWL_DELAY);
	frontier_start(&f, 0, 9000);
	frontier_fetched(&f, 0,
			 &(struct answer){ .end_ms = 9000, .retry_after_ms = 30000 }, 10);
	CHECK(site_wait_of(&f, 0, 15000) == WAIT_PAUSE);
	arena_release(&a);
	frontier_close(&f);
}

static void only_those_that_wait_are_told(void)
{
	struct buf b = { 0 };

	buf_add_waits(&b, (const unsigned[SITE_WAITS]){ 0 });
	CHECK(b.n == 0);
	buf_add_waits(
		&b, (const unsigned[SITE_WAITS]){ [WAIT_ROBOTS] = 1, [WAIT_DELAY] = 3 });
	CHECK(str_eq(buf_str(&b), STR(" (1 for robots.txt, 3 for --delay)")));
	buf_release(&b);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	RUN(a_site_waits_for_one_thing_after_another);
	RUN(only_those_that_wait_are_told);
	if (dir_remove(dir, NULL) != ST_OK)
		puts("# left a folder behind");
	DONE();
}
