#include "simulate/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "crawl/crawl.h"
#include "simulate/archive_fetcher.h"

/* An archive without dates. */
#define SOME_DAY_MS ((int64_t)1700000000000)

/* What needs the network, another process or the user, and what is only written. */
static void adapt(struct crawl_settings *s)
{
	s->concurrency = 1;
	s->workers = 1;
	s->quiet = true;
	s->json = false;
	s->report = false;
	s->no_warc = true;
	s->facts = false;
	s->dry_run = false;
	s->recrawl = s->stay = false;
	s->min_disk = 0;
	s->browser = BROWSER_NEVER;
	s->listen = s->events = s->syslog = s->scores = STR("");
	s->hosts_file = s->cookie_file = s->ca_file = s->proxy = STR("");
	s->auth.n = 0;
}

static enum status crawl(const struct simulated_spec *s, struct recorded_web *w,
			 const char *dir, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(crawl_result_release) struct crawl_result result = { 0 };
	struct archive_fetcher f = { .web = w };
	struct fake_clock still;
	struct crawl_outside outside = { .clock = &f.clock.base,
					 .upkeep = &still.base,
					 .open_fetcher = archive_fetcher_open,
					 .pass_time = archive_fetcher_pass_time,
					 .arg = &f };

	fake_clock_init(&f.clock, w->first_ms ? w->first_ms : SOME_DAY_MS);
	fake_clock_init(&still, w->first_ms ? w->first_ms : SOME_DAY_MS);
	TRY(dir_make(path_join(&a, dir, STR("state")), why));
	TRY(crawl_run_in(&outside, dir, s->settings, s->seeds, &result, why));
	if (result.end == CRAWL_DISK_LOW || result.end == CRAWL_INTERRUPTED)
		return ST_CANCELLED;
	return ST_OK;
}

enum status simulate_run(const struct simulated_spec *s, struct recorded_web *w,
			 struct crawl_outcome *ret, struct diag *why)
{
	char own[] = "/tmp/thresh-simulate-XXXXXX";
	const char *dir = s->keep ? s->keep : mkdtemp(own);
	struct diag ignored;

	if (!dir)
		return diag_fail(why, ST_IO, "/tmp: no folder can be made there");
	if (s->keep && dir_exists(s->keep))
		return diag_fail(why, ST_EXISTS, "%s is there already", s->keep);
	adapt(s->settings);
	enum status st = crawl(s, w, dir, why);
	if (st == ST_OK)
		st = crawl_outcome_read(ret, w, s->judge, dir, why);
	if (st == ST_OK)
		ret->name = s->name;
	if (!s->keep && dir_remove(dir, &ignored) != ST_OK)
		ignored.text[0] = '\0'; /* it is in /tmp */
	return st;
}

struct str simulate_seed(const struct recorded_web *w)
{
	for (size_t nr = 0; nr < w->n; nr++)
		if (w->v[nr].code < 400 && !str_ends(w->v[nr].url, STR("/robots.txt")))
			return w->v[nr].url;
	return STR("");
}
