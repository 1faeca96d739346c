#include "crawl/final_sweep.h"

#include "crawl/loop.h"
#include "engine/url_rules.h"
#include "journal/journal.h"
#include "online/online.h"
#include "os/log.h"

/* Of whatever came: a page, or the word that there is none. */
static void see_done(struct crawl *c, const struct journal_done *d, struct arena *a)
{
	if (!purpose_is_page(d->purpose) || answer_may_pass(d->code) ||
	    journal_is_half(d))
		return;
	if (!answer_is_redirect(d->code)) {
		dust_online_sweep_answered(c->rules, d->url);
		return;
	}
	arena_reset(a);
	dust_online_sweep_redirected(c->rules, d->url, journal_target(d, a));
}

/* The journal of a month takes minutes to read: meanwhile there are signals and a
 * display.
 */
#define RECORDS_A_PUMP 8192

struct reading {
	struct crawl *c;
	struct arena a;
	size_t n;
};

static bool see(void *arg, const struct journal_record *r)
{
	struct reading *reading = arg;

	if (r->kind == JOURNAL_DONE)
		see_done(reading->c, &r->done, &reading->a);
	if (++reading->n % RECORDS_A_PUMP == 0)
		crawl_pump_events(reading->c);
	return !reading->c->stopping;
}

static bool queue_unanswered(struct crawl *c)
{
	struct sweep_cursor at = { 0 };
	struct online_skip skip;
	struct str url;
	size_t n = 0;

	while (dust_online_sweep_next(c->rules, &at)) {
		/* A variant may be of a kind that the frontier would drop again. */
		while (dust_online_sweep_candidate(c->rules, &at, &url))
			sweep_cursor_rate(&at, frontier_may_fetch(&c->frontier, url));
		if (!dust_online_sweep_take(c->rules, &at, &skip))
			continue;
		url_rules_sweep(c, &skip);
		n++;
	}
	journal_batch_send(c);
	if (n > 0)
		log_event(LOG_DEBUG, "final sweep",
			  "%zu pages were skipped for one that never came: queued now",
			  n);
	return n > 0;
}

bool final_sweep(struct crawl *c)
{
	cleanup(arena_release) struct arena names = { 0 };
	struct reading reading = { .c = c };
	struct diag why;

	if (!c->rules || c->settings->dry_run || dust_online_is_swept(c->rules))
		return false;
	if (!c->journal_is_whole) {
		journal_batch(c)->commit = true;
		journal_batch_send(c);
		return true;
	}
	c->journal_is_whole = false;
	dust_online_sweep_start(c->rules);
	enum status st = journal_each(path_join(&names, c->dir, STR("state/journal")),
				      see, &reading, &why);
	arena_release(&reading.a);
	if (st != ST_OK)
		crawl_fail(c, st, &why);
	if (c->stopping) {
		dust_online_sweep_abandon(c->rules);
		return false;
	}
	return queue_unanswered(c);
}
