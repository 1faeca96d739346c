/*
 * scripted_web.h - a whole crawl without sockets: a web that is a table, a clock that
 * jumps, and everything that was decided as lines of text.
 *
 * A week of crawl takes milliseconds.  Include it in one test file.
 */
#ifndef TESTS_SCRIPTED_WEB_H
#define TESTS_SCRIPTED_WEB_H

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "crawl/crawl.h"
#include "journal/audit.h"
#include "test.h"
#include "tmp.h"

#define DAY_MS ((int64_t)86400000)

/* What a URL answers.  `make` is for pages without end; others are `body` as it is. */
struct scripted_page {
	const char *url; /* whole; or with a '*' at its end, all that begin so */
	int code;
	const char *fields; /* "Name: value\r\n"..., may be NULL */
	const char *body;   /* may be NULL */
	unsigned fails;     /* the first so many times FETCH_CONNECTION_LOST instead */
	void (*make)(struct str url, struct buf *body);
};

struct scripted_web {
	struct fetcher base;               /* first */
	const struct scripted_page *pages; /* ended by a NULL url */
	struct fake_clock clock;
	fetch_done_fn *on_done;
	void *ctx;
	struct buf requests; /* URLs in order, a line each; robots.txt left out */
	struct map asked;    /* hash of URL -> times */
	bool no_names;       /* DNS is out of order */
};

static const struct scripted_page *script_find(const struct scripted_web *w,
					       struct str url)
{
	for (const struct scripted_page *p = w->pages; p->url; p++) {
		struct str name = str_from(p->url);
		bool is_prefix = str_ends(name, STR("*"));

		if (is_prefix ? str_starts(url, str_slice(name, 0, name.n - 1))
			      : str_eq(url, name))
			return p;
	}
	return NULL;
}

static void script_head(struct buf *to, int code, const char *fields)
{
	buf_addf(to, "HTTP/1.1 %d Scripted\r\n%s", code, fields ? fields : "");
	if (!fields || !strstr(fields, "Content-Type"))
		buf_add(to, STR("Content-Type: text/html; charset=utf-8\r\n"));
	buf_add(to, STR("\r\n"));
}

static void script_start(struct fetcher *f, const struct fetch_task *task,
			 struct arena *arena, struct buf *body, void *cookie)
{
	struct scripted_web *w = (struct scripted_web *)f;
	const struct scripted_page *p = script_find(w, task->url);
	uint64_t *times = map_add(&w->asked, hash64(task->url), NULL);
	struct fetch_result r = { .start_ms = clock_wall_ms(&w->clock.base),
				  .duration_ms = 5,
				  .ip = STR("127.0.0.1"),
				  .protocol = STR("http/1.1"),
				  .request = STR("GET / HTTP/1.1\r\n\r\n") };
	cleanup(buf_release) struct buf head = { 0 };

	if (!str_ends(task->url, STR("/robots.txt"))) {
		buf_add(&w->requests, task->url);
		buf_add_char(&w->requests, '\n');
	}
	if (p && ++*times <= p->fails) {
		r.code = FETCH_CONNECTION_LOST;
		r.cause = CAUSE_LOST;
		r.error = STR("lost");
	} else {
		r.code = p ? p->code : 404;
		buf_reset(body);
		if (p && p->make)
			p->make(task->url, body);
		else if (p && p->body)
			buf_add(body, str_from(p->body));
		script_head(&head, r.code, p ? p->fields : NULL);
		r.header = arena_copy(arena, buf_str(&head));
		r.body = buf_str(body);
		r.body_bytes = body->n;
		r.wire_bytes = head.n + body->n;
	}
	w->on_done(w->ctx, cookie, &r);
}

static void script_resolve(struct fetcher *f, struct str host, dns_done_fn *done,
			   void *arg)
{
	struct scripted_web *w = (struct scripted_web *)f;
	struct dns_answer a = { .n = w->no_names ? 0 : 1,
				.temporary = w->no_names,
				.ips = { { .n = 4, .bytes = { 127, 0, 0, 1 } } } };

	(void)host;
	done(arg, &a);
}

static void script_allow_seed(struct fetcher *f, const struct url *seed)
{
	(void)f, (void)seed;
}

static size_t script_in_flight(const struct fetcher *f)
{
	(void)f;
	return 0;
}

static void script_nothing(struct fetcher *f)
{
	(void)f;
}

static enum status script_open(struct fetcher **ret, void *arg, struct loop *loop,
			       const struct fetch_options *options,
			       fetch_done_fn *on_done, void *ctx, struct diag *why)
{
	static const struct fetcher_ops ops = {
		.start = script_start,
		.resolve = script_resolve,
		.allow_seed = script_allow_seed,
		.in_flight = script_in_flight,
		.abort_all = script_nothing,
		.close = script_nothing,
	};
	struct scripted_web *w = arg;

	(void)loop, (void)options, (void)why;
	w->base.ops = &ops;
	w->on_done = on_done;
	w->ctx = ctx;
	*ret = &w->base;
	return ST_OK;
}

static void script_pass(void *arg, int64_t ms)
{
	fake_clock_pass(&((struct scripted_web *)arg)->clock, ms);
}

/* --- running it --- */

static struct scripted_web script;
static struct crawl_settings script_settings;
static struct arena script_arena;
static struct crawl_result script_result;
static unsigned script_nr;

/* A new web and a new folder; settings as by default, quick. */
static void script_begin(const struct scripted_page *pages)
{
	buf_release(&script.requests);
	map_release(&script.asked);
	settings_release(&script_settings);
	script = (struct scripted_web){ .pages = pages };
	script_settings = (struct crawl_settings){ 0 };
	fake_clock_init(&script.clock, 1790000000000);
	options_default(crawl_options, &script_settings, &script_arena);
	script_settings.concurrency = 1;
	script_settings.workers = 1;
	script_settings.quiet = true;
	script_settings.report = false;
	script_settings.no_warc = true;
	script_settings.soft_404 = false;
	script_settings.sitemaps = false;
	script_settings.rules = false;
	script_nr++;
}

static const char *script_dir(void)
{
	char name[32];

	snprintf(name, sizeof(name), "crawl-%u", script_nr);
	return tmp_path(name);
}

/* Crawl from this seed, or go on. */
static enum crawl_end script_run(const char *seed)
{
	struct crawl_outside outside = { .clock = &script.clock.base,
					 .open_fetcher = script_open,
					 .pass_time = script_pass,
					 .arg = &script };
	struct str seeds[] = { str_from(seed) };
	struct str_list list = { seeds, 1, 1 };
	char *dir = strdup(script_dir()), *state = NULL;
	struct diag why = { { 0 } };

	crawl_result_release(&script_result);
	script_result = (struct crawl_result){ 0 };
	state = path_join(&script_arena, dir, STR("state"));
	enum status st = dir_make(state, &why);
	if (st == ST_OK)
		st = crawl_run_in(&outside, dir, &script_settings, &list, &script_result,
				  &why);
	if (st != ST_OK)
		printf("# %s\n", why.text);
	free(dir);
	return st == ST_OK ? script_result.end : CRAWL_FAILED;
}

/* --- what was decided --- */

static bool script_see(void *arg, const struct journal_record *r)
{
	struct buf *to = arg;

	if (r->kind == JOURNAL_LINKS)
		for (size_t i = 0; i < r->links.n; i++) {
			static const char *const words[OUTCOMES] = {
				"queue", "known", "undecided", "refuse", "again", "skip",
			};
			const struct journal_link *l = &r->links.v[i];
			const struct reason_row *why = &reason_table[l->reason];

			buf_addf(to, "%s " STR_FMT " " STR_FMT, words[l->outcome],
				 STR_ARG(l->outcome == OUTCOME_QUEUED
						 ? purpose_table[l->purpose].word
						 : why->word),
				 STR_ARG(l->url));
			if (l->outcome == OUTCOME_SKIPPED)
				buf_addf(to, " by " STR_FMT, STR_ARG(l->rules));
			buf_add_char(to, '\n');
		}
	if (r->kind == JOURNAL_DONE && r->done.purpose != PURPOSE_ROBOTS)
		buf_addf(to, "done %d " STR_FMT "\n", r->done.code, STR_ARG(r->done.url));
	if (r->kind == JOURNAL_DROPPED && r->dropped.reason != REASON_URL_RULE)
		buf_addf(to, "drop " STR_FMT " " STR_FMT "\n",
			 STR_ARG(reason_table[r->dropped.reason].word),
			 STR_ARG(r->dropped.url));
	if (r->kind == JOURNAL_RETRY)
		buf_addf(to, "retry %d " STR_FMT "\n", r->dropped.code,
			 STR_ARG(r->dropped.url));
	return true;
}

/* Every decision of the crawl, in the order of the journal. */
static inline struct str script_story(void)
{
	static struct buf story;
	struct diag why;

	buf_reset(&story);
	if (journal_each(path_join(&script_arena, script_dir(), STR("state/journal")),
			 script_see, &story, &why) != ST_OK)
		buf_addf(&story, "%s\n", why.text);
	return buf_str(&story);
}

/* The golden of a test: prints both when they differ. */
static inline bool script_is(const char *expected)
{
	struct str story = script_story();
	bool same = str_eq(story, str_from(expected));

	if (!same)
		printf("# expected:\n%s# but:\n" STR_FMT, expected, STR_ARG(story));
	return same;
}

static inline bool script_says(const char *line)
{
	return str_find(script_story(), str_from(line)) != STR_NONE;
}

static inline unsigned script_count(const char *text)
{
	struct str rest = script_story();
	unsigned n = 0;

	for (size_t at; (at = str_find(rest, str_from(text))) != STR_NONE; n++)
		rest = str_skip(rest, at + 1);
	return n;
}

/* The invariants of url_life.h, for a crawl that has ended. */
static inline bool script_is_whole(void)
{
	cleanup(audit_release) struct audit a = { 0 };
	struct diag why;

	if (audit_crawl(&a, script_dir(), &why) != ST_OK)
		return false;
	if (a.violations > 0)
		printf("# " STR_FMT "\n", STR_ARG(buf_str(&a.first_violation)));
	return a.violations == 0 && a.count[AUDIT_LOST] == 0 &&
	       a.count[AUDIT_WAITING] == 0;
}

static void script_end(void)
{
	buf_release(&script.requests);
	map_release(&script.asked);
	settings_release(&script_settings);
	crawl_result_release(&script_result);
	arena_release(&script_arena);
}
#endif
