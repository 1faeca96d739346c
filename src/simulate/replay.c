#include "simulate/replay.h"

#include <stdlib.h>

#include "crawl/crawl.h"
#include "journal/journal.h"
#include "simulate/replay_fetcher.h"
#include "simulate/same_journal.h"

void replay_result_release(struct replay_result *r)
{
	buf_release(&r->difference);
	buf_release(&r->rest);
}

/* What decides nothing is off. */
static void adapt(struct crawl_settings *s, uint8_t flags)
{
	s->workers = 1;
	s->quiet = true;
	s->json = s->report = s->facts = s->dry_run = s->recrawl = s->stay = false;
	s->no_warc = true;
	s->min_disk = 0;
	s->browser = BROWSER_NEVER;
	s->listen = s->events = s->syslog = STR("");
	s->hosts_file = s->ca_file = STR("");
	s->renew_pages = flags & BEGIN_RENEW_PAGES;
	s->renew_bytes = flags & BEGIN_RENEW_BYTES;
	s->renew_time = flags & BEGIN_RENEW_TIME;
}

static enum status play(const char *dir, struct recording *recording,
			const struct recorded_process *p, struct crawl_settings *s,
			struct str_list *seeds, struct diag *why)
{
	cleanup(crawl_result_release) struct crawl_result result = { 0 };
	struct replay_fetcher f = { .recording = recording, .process = p };
	struct fake_clock clock;
	struct crawl_script script = { .events = p->events,
				       .n = p->n,
				       .happen = replay_fetcher_happen,
				       .give_up = replay_fetcher_give_up,
				       .arg = &f };
	struct crawl_outside outside = { .clock = &clock.base,
					 .open_fetcher = replay_fetcher_open,
					 .arg = &f,
					 .script = &script };

	fake_clock_init(&clock, p->n > 0 ? p->events[0].time_ms : 0);
	TRY(crawl_run_in(&outside, dir, s, seeds, &result, why));
	if (f.missing > 0)
		return diag_fail(why, ST_NOT_FOUND,
				 "%llu answers are not in the archive (was it a crawl "
				 "with --no-warc?)",
				 (unsigned long long)f.missing);
	return ST_OK;
}

/* By the settings that it had. */
static enum status play_process(const char *dir, struct recording *recording,
				const struct recorded_process *p,
				const struct str_list *seeds,
				const struct replay_options *o, struct diag *why)
{
	cleanup(settings_release) struct crawl_settings s = { 0 };
	cleanup(str_list_release) struct str_list none = { 0 };
	struct str_list its = *seeds;

	options_default(crawl_options, &s, &recording->text);
	if (p->settings.n > 0)
		TRY(settings_parse(p->settings, &s, &none, &recording->text, why));
	TRY(settings_overlay(&s, o->given, o->rows, o->n, &recording->text, why));
	adapt(&s, p->flags);
	its.n = MIN(its.n, (size_t)p->seeds);
	return play(dir, recording, p, &s, &its, why);
}

/* Why what comes behind this process cannot be replayed; NULL: it can. */
static const char *obstacle(const struct recorded_process *p)
{
	if (p->blind >= 0)
		return trace_blind_words[p->blind];
	return p->ended ? NULL : "the process did not end in an orderly way";
}

static enum status play_all(const char *dir, struct recording *r,
			    const struct str_list *seeds, const struct replay_options *o,
			    struct replay_result *ret, struct diag *why)
{
	for (size_t k = 0; k < r->n; k++) {
		const char *end = obstacle(&r->v[k]);

		TRY(play_process(dir, r, &r->v[k], seeds, o, why));
		if (!end)
			continue;
		buf_addf(&ret->rest, "process %zu of %zu could be replayed in part: %s",
			 k + 1, r->n, end);
		break;
	}
	return ST_OK;
}

static enum status compare(const char *dir, const char *own, struct replay_result *ret,
			   struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct same_journal same;

	TRY(same_journal(path_join(&a, dir, STR("state/journal")),
			 path_join(&a, own, STR("state/journal")), ret->rest.n > 0, &same,
			 why));
	ret->is_equal = same.is_equal;
	ret->records = same.records;
	ret->transitions = same.transitions;
	ret->difference = same.difference;
	return ST_OK;
}

enum status replay_crawl(const char *dir, const struct str_list *seeds,
			 const struct replay_options *options, struct replay_result *ret,
			 struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(recording_release) struct recording r = { 0 };
	char own[] = "/tmp/thresh-replay-XXXXXX";
	struct diag ignored;

	TRY(recording_read(&r, dir, why));
	if (!mkdtemp(own))
		return diag_fail(why, ST_IO, "/tmp: no folder can be made there");
	ret->processes = (unsigned)r.n;
	enum status st = dir_make(path_join(&a, own, STR("state")), why);
	if (st == ST_OK)
		st = play_all(own, &r, seeds, options, ret, why);
	if (st == ST_OK)
		st = compare(dir, own, ret, why);
	if (dir_remove(own, &ignored) != ST_OK)
		ignored.text[0] = '\0'; /* it is in /tmp */
	return st;
}
