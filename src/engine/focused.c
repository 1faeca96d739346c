#include "engine/focused.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/date.h"
#include "engine/outside_module.h"
#include "engine/steps.h"

#define LIST_MAX ((size_t)256 << 20)
/* A URL that is due is postponed when its priority has fallen by so much. */
#define POSTPONE_STEPS 10

enum focus_choice { FOCUS_AVERAGE, FOCUS_LEARN, FOCUS_FROZEN };

/* --- what is asked for --- */

static enum status load(struct str name, struct buf *to, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };

	if (name.n == 0)
		return ST_OK;
	return file_load(path_join(&a, "", name), LIST_MAX, to, why);
}

static enum status read_date(struct str text, const char *option, int64_t *ret,
			     struct diag *why)
{
	*ret = 0;
	if (text.n > 0 && !date_parse_iso(text, ret))
		return diag_fail(why, ST_SYNTAX,
				 "--%s '" STR_FMT "': a date is wanted, as 2025-01-31",
				 option, STR_ARG(text));
	return ST_OK;
}

static enum status read_spec(const struct crawl_settings *s, struct buf files[2],
			     struct focus_spec *ret, struct diag *why)
{
	*ret = (struct focus_spec){ .want = &s->want,
				    .want_urls = &s->want_urls,
				    .avoid_urls = &s->avoid_urls,
				    .weights = &s->focus_weights,
				    .any_match = s->any_match };
	TRY(load(s->want_file, &files[0], why));
	TRY(load(s->blacklist, &files[1], why));
	ret->want_file = buf_str(&files[0]);
	ret->blacklist = buf_str(&files[1]);
	TRY(read_date(s->want_since, "want-since", &ret->since_ms, why));
	return read_date(s->want_until, "want-until", &ret->until_ms, why);
}

static enum status open_focus(struct focused *f, const struct crawl_settings *s,
			      bool *ret_wanted, struct diag *why)
{
	struct focus_worker w = { 0 };
	struct focus_spec spec;

	TRY(read_spec(s, f->files, &spec, why));
	*ret_wanted = focus_is_wanted(&spec) || s->module.n > 0;
	if (!*ret_wanted)
		return ST_OK;
	TRY(focus_open(&f->focus, &spec, why));
	/* Patterns are compiled by each worker: errors are wanted now. */
	enum status st = focus_worker_open(&w, &f->focus, why);
	focus_worker_close(&w);
	return st;
}

void focused_free(struct focused *f)
{
	if (!f)
		return;
	ranker_release(&f->ranker);
	focus_close(&f->focus);
	buf_release(&f->files[0]);
	buf_release(&f->files[1]);
	free(f);
}

enum status focused_new(const struct crawl_settings *s, struct focused **ret,
			struct diag *why)
{
	struct focused *f = NEW(struct focused);
	bool wanted;
	enum status st = open_focus(f, s, &wanted, why);

	*ret = NULL;
	if (st == ST_OK && wanted)
		*ret = f;
	else
		focused_free(f);
	return st;
}

enum status focused_check(const struct crawl_settings *s, struct diag *why)
{
	struct focused *f;

	TRY(focused_new(s, &f, why));
	focused_free(f);
	return ST_OK;
}

/* Breadth-first: scores are noted, and change nothing. */
static bool keeps_order(const struct crawl *c)
{
	return c->settings->order == ORDER_BREADTH_FIRST;
}

enum status focused_open(struct crawl *c, struct diag *why)
{
	const struct crawl_settings *s = c->settings;
	struct focused *f;

	TRY(focused_new(s, &f, why));
	if (!f)
		return ST_OK;
	ranker_init(&f->ranker, &f->focus,
		    &(struct ranker_options){ .learns = s->focus != FOCUS_AVERAGE,
					      .is_frozen = s->focus == FOCUS_FROZEN,
					      .relevant = (float)s->relevant,
					      .min_yield = (float)s->min_yield,
					      .window = (uint32_t)s->yield_window,
					      .start_ms = crawl_time_ms(c) });
	c->focused = f;
	c->frontier.settings.by_priority = !keeps_order(c);
	return ST_OK;
}

void focused_release(struct crawl *c)
{
	focused_free(TAKE(c->focused));
}

/* --- links --- */

void focused_score(struct crawl *c, struct crawl_item *i, struct discovery *links,
		   size_t n)
{
	if (!c->focused)
		return;
	c->focused->ranker.n_moved = 0;
	if (i->has_relevance && !keeps_order(c))
		ranker_score_links(&c->focused->ranker,
				   &(struct ranker_page){ .url = i->step.task.url,
							  .key = i->step.task.key.lo,
							  .now_ms = crawl_time_ms(c),
							  .bytes = &i->arena },
				   links, n);
}

enum status focused_move(struct crawl *c, const struct crawl_item *i,
			 const struct discovery *links, const struct url_decision *d,
			 struct diag *why)
{
	const struct ranker *r = c->focused ? &c->focused->ranker : NULL;

	for (size_t k = 0; r && i->has_relevance && k < r->n_moved; k++) {
		const struct discovery *l = &links[r->moved[k]];

		if (d[r->moved[k]].outcome == OUTCOME_KNOWN)
			TRY(frontier_rescore(&c->frontier, l->url, l->hash, l->priority,
					     why));
	}
	return ST_OK;
}

bool focused_postpone(struct crawl *c, const struct frontier_step *s)
{
	const struct fetch_task *t = &s->task;
	struct ranker *r = c->focused ? &c->focused->ranker : NULL;
	struct diag why;

	if (!r || keeps_order(c) || t->scores.n == 0 || t->attempt > 0 ||
	    t->purpose != PURPOSE_LINK || s->is_granted || s->is_again)
		return false;
	int now = ranker_priority_again(r, t);
	/* Other pages may have spoken for it as well: halfway down. */
	int then = (now + t->priority) / 2;
	if (t->priority - then < POSTPONE_STEPS ||
	    frontier_next_priority(&c->frontier, s->site) <= then)
		return false;
	enum status st = frontier_postpone(&c->frontier, s, (uint8_t)then, &why);
	if (st != ST_OK)
		crawl_fail(c, st, &why);
	return true;
}

/* --- answers --- */

static bool is_text(const struct crawl_item *i)
{
	return i->has_page && (i->page.kind == PAGE_HTML || i->page.kind == PAGE_TEXT ||
			       i->page.kind == PAGE_PDF || i->page.kind == PAGE_XML);
}

static void stop_when_saturated(struct crawl *c)
{
	const struct ranker *r = &c->focused->ranker;
	char text[200];

	if (c->stopping || !ranker_is_saturated(r))
		return;
	snprintf(text, sizeof(text),
		 "limit reached: saturation: %u of the last %u pages were relevant and "
		 "new, less than --min-yield %g",
		 r->last_relevant, r->last_n, (double)r->options.min_yield);
	c->limit = REASON_SATURATION;
	crawl_stop(c, CRAWL_LIMIT, text);
}

/* A page that is not there, or is no text, is not what was promised. */
static bool tells(int code, bool has_text, uint8_t purpose)
{
	return purpose_is_page(purpose) && purpose != PURPOSE_EMBED &&
	       ((answer_is_success(code) && has_text) || code >= 400);
}

void focused_learn(struct crawl *c, const struct crawl_item *i)
{
	const struct fetch_task *t = &i->step.task;

	if (!c->focused)
		return;
	ranker_forget(&c->focused->ranker, t->key.lo);
	/* A module judges what no terms do, and answers later. */
	if (outside_module_judges(c) || !tells(i->result.code, is_text(i), t->purpose))
		return;
	ranker_learn(
		&c->focused->ranker,
		&(struct ranker_answer){ .url = t->url,
					 .scores = t->scores,
					 .relevance = i->has_relevance ? i->relevance : 0,
					 .is_new = i->novel });
	stop_when_saturated(c);
}

void focused_restore(struct crawl *c, const struct journal_done *d)
{
	if (c->focused && c->focused->focus.terms.n > 0 && d->has_relevance &&
	    tells(d->code, true, d->purpose))
		ranker_learn(&c->focused->ranker,
			     &(struct ranker_answer){ .url = d->url,
						      .scores = d->scores,
						      .relevance = d->relevance,
						      .is_new = d->novel });
}
