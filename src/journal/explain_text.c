/*
 * An explanation in words: what happened, by which rule, and what would change it.
 */
#include <stdarg.h>
#include <stdio.h>

#include "base/date.h"
#include "base/json.h"
#include "focus/scores.h"
#include "journal/explain.h"
#include "policy/recrawl.h"
#include "record/verdict.h"

static void row(struct buf *to, const char *name, struct str value)
{
	buf_addf(to, "%-12s ", name);
	buf_add(to, value);
	buf_add_char(to, '\n');
}

__attribute__((format(printf, 3, 4))) static void rowf(struct buf *to, const char *name,
						       const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	int n = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	row(to, name, (struct str){ text, (size_t)MIN(n, (int)sizeof(text) - 1) });
}

static const char *hop_words(uint8_t hop)
{
	switch (hop) {
	case HOP_REDIRECT:
		return "a redirect";
	case HOP_EMBED:
		return "something the page shows";
	case HOP_GUESS:
		return "a string in a script";
	case HOP_MANIFEST:
		return "a sitemap or feed";
	case HOP_FORM:
		return "a form";
	default:
		return "a link";
	}
}

/* --- the chain --- */

static void add_found(const struct explanation *e, struct buf *to)
{
	struct buf date = { 0 };

	buf_add_date_iso(&date, e->found_ms, false);
	if (e->via.n == 0)
		rowf(to, "found", "as a seed, " STR_FMT, STR_ARG(buf_str(&date)));
	else
		rowf(to, "found", "as %s on " STR_FMT ", " STR_FMT,
		     hop_words(e->link.hop), STR_ARG(e->via), STR_ARG(buf_str(&date)));
	/* What a rule had skipped comes back without its way. */
	rowf(to, "way", "%u links from %s" STR_FMT " (" STR_FMT "%c)", e->link.depth,
	     e->source.n ? "seed " : "a seed", STR_ARG(e->source), STR_ARG(e->hops),
	     e->via.n ? e->link.hop : '-');
	if (e->found_again > 0)
		rowf(to, "again", "%llu times more", (unsigned long long)e->found_again);
	buf_release(&date);
}

static void add_key(const struct explanation *e, struct buf *to)
{
	row(to, "normal form", e->url);
	if (e->key.n > 0 && !str_eq(e->key, e->url))
		rowf(to, "key", STR_FMT " by rule " STR_FMT, STR_ARG(e->key),
		     STR_ARG(e->rules));
}

/* What each module said of it, with its weight. */
static bool scores_of(const struct explanation *e, struct focus_scores *ret)
{
	if (focus_scores_decode(e->link.scores, ret) != ST_OK)
		return false;
	if (e->has_module)
		focus_scores_set(ret, PART_OUTSIDE, e->module_score);
	return true;
}

static void add_scores(const struct explanation *e, struct buf *to)
{
	struct focus_scores s;

	if (!e->link.has_score)
		return;
	rowf(to, "score", "%.3f of 1 when it was found, by", (double)e->link.score);
	if (scores_of(e, &s))
		focus_scores_format(&s, to);
}

static void add_moved(const struct explanation *e, struct buf *to)
{
	cleanup(buf_release) struct buf date = { 0 };

	if (!e->moved)
		return;
	buf_add_date_iso(&date, e->moved_ms, false);
	rowf(to, "moved", "to priority %u %s, " STR_FMT, e->moved_priority,
	     e->has_module ? "by the score of a module from outside"
			   : "through the control API",
	     STR_ARG(buf_str(&date)));
}

static void add_decision(const struct explanation *e, struct buf *to)
{
	const struct reason_row *r = &reason_table[e->link.reason];

	if (e->link.outcome == OUTCOME_SKIPPED) {
		rowf(to, "decision", "skipped by rule " STR_FMT, STR_ARG(e->link.rules));
		if (e->link.detail.n > 0)
			row(to, "same page", e->link.detail);
		return;
	}
	bool refused = e->link.outcome == OUTCOME_REFUSED;
	rowf(to, "decision", "%s by " STR_FMT ":" STR_FMT "%s" STR_FMT " (" STR_FMT ")",
	     refused ? "refused" : "queued", STR_ARG(r->stage), STR_ARG(r->word),
	     e->link.detail.n ? " " : "", STR_ARG(e->link.detail), STR_ARG(r->sentence));
	if (refused)
		return;
	row(to, "because", purpose_table[e->link.purpose].sentence);
	rowf(to, "priority", "%u of 255", e->link.priority);
	add_scores(e, to);
	add_moved(e, to);
}

static void add_robots(const struct explanation *e, struct buf *to)
{
	if (e->has_robots)
		rowf(to, "robots.txt", "answered %d%s" STR_FMT "%s", e->robots.status,
		     e->robots.reason.n ? ": " : "", STR_ARG(e->robots.reason),
		     e->robots.crawl_delay_ms ? ", with a Crawl-delay" : "");
}

static void add_verdict(const struct explanation *e, struct buf *to)
{
	struct verdict v;

	if (e->result.verdict.n == 0 || verdict_decode(e->result.verdict, &v) != ST_OK)
		return;
	struct str name = verdict_name(v.kind);
	if (v.representative_url.n > 0)
		rowf(to, "duplicate",
		     STR_FMT " of " STR_FMT " by " STR_FMT
			     ", likeness %.3f where %.3f is enough",
		     STR_ARG(name), STR_ARG(v.representative_url), STR_ARG(v.method),
		     v.score, v.threshold);
	else
		row(to, "duplicate", name);
}

static void add_result(const struct explanation *e, struct buf *to)
{
	const struct journal_done *d = &e->result;
	struct buf date = { 0 };

	buf_add_date_iso(&date, d->start_ms, true);
	rowf(to, "requested", STR_FMT ", took %u ms, attempt %u", STR_ARG(buf_str(&date)),
	     d->duration_ms, d->attempt + 1u);
	rowf(to, "answer", "%d " STR_FMT "%s" STR_FMT ", %llu bytes", d->code,
	     STR_ARG(d->mime), d->mime.n && d->error.n ? ": " : "", STR_ARG(d->error),
	     (unsigned long long)d->body_bytes);
	if (d->location.n > 0)
		row(to, "leads to", d->location);
	if (d->warc_file.n > 0)
		rowf(to, "stored in", STR_FMT " at %llu", STR_ARG(d->warc_file),
		     (unsigned long long)d->warc_offset);
	if (answer_is_success(d->code))
		rowf(to, "links", "%u; %u %% of its text was new to the site", d->links,
		     d->new_percent);
	if (d->has_relevance)
		rowf(to, "relevance", "%.3f of 1", (double)d->relevance);
	buf_release(&date);
	add_verdict(e, to);
}

/* How the last visit knew that nothing had changed. */
static const char *change_words(const struct journal_done *d)
{
	switch ((enum change)d->change) {
	case CHANGE_NONE:
		return d->code == 304 ? "unchanged: the server says so"
		       : d->sha1.n == 0
			       ? "unchanged: nearly what it was, not stored again"
			       : "unchanged: the same bytes";
	case CHANGE_SOME:
		return "changed, and stored";
	case CHANGE_GONE:
		return "gone";
	case CHANGE_FAILED:
		return "without an answer";
	case CHANGE_FIRST:
		break;
	}
	return "the first";
}

static void add_rendering(const struct explanation *e, struct buf *to)
{
	const struct journal_done *d = &e->rendering;

	if (e->need.n == 0)
		return;
	rowf(to, "browser", "needed: " STR_FMT, STR_ARG(e->need));
	if (!e->is_rendered)
		row(to, "rendered", STR("not yet"));
	else if (d->error.n)
		rowf(to, "rendered", "failed: " STR_FMT, STR_ARG(d->error));
	else
		rowf(to, "rendered",
		     "brought %u links that nothing else had; %u %% of its text was new "
		     "to the site",
		     d->links, d->new_percent);
}

static void add_visits(const struct explanation *e, struct buf *to)
{
	if (e->visits > 1)
		rowf(to, "visits", "%u, changed at %u of them; the last: %s", e->visits,
		     e->changed, change_words(&e->result));
	if (e->due.n > 0)
		rowf(to, e->waiting ? "waits" : "was due", "to be asked again: " STR_FMT,
		     STR_ARG(e->due));
}

static struct str so_of_answer(int code)
{
	if (answer_is_success(code))
		return STR("it was fetched");
	if (answer_is_redirect(code))
		return code == 304 ? STR("it was fetched, and has not changed")
				   : STR("it was fetched, and leads elsewhere");
	if (code >= 400 && !answer_may_pass(code))
		return STR("it was requested, and the server has no such page for us");
	return STR("it was requested, and failed");
}

static bool is_queued(const struct journal_link *l)
{
	return l->outcome != OUTCOME_REFUSED && l->outcome != OUTCOME_SKIPPED;
}

static void add_end(const struct explanation *e, struct buf *to)
{
	struct str change = { "", 0 };

	if (e->retries > 0)
		rowf(to, "retries", "%u, the last because of %d", e->retries,
		     e->last_retry_code);
	if (e->done) {
		add_result(e, to);
		add_rendering(e, to);
		add_visits(e, to);
		row(to, "so", so_of_answer(e->result.code));
	} else if (e->dropped) {
		const struct reason_row *r = &reason_table[e->drop.reason];

		rowf(to, "so",
		     "it was not fetched: " STR_FMT " (" STR_FMT "%s" STR_FMT ", %d)",
		     STR_ARG(r->sentence), STR_ARG(r->word), e->drop.detail.n ? ": " : "",
		     STR_ARG(e->drop.detail), e->drop.code);
		change = r->change;
	} else if (!is_queued(&e->link)) {
		const struct reason_row *r = &reason_table[e->link.reason];

		rowf(to, "so", "it was not fetched: " STR_FMT, STR_ARG(r->sentence));
		change = r->change;
	} else {
		rowf(to, "so",
		     "it waits, or is held back for want of new content on URLs of its "
		     "form: about %llu of the %llu URLs queued on its site go first",
		     (unsigned long long)MIN(e->queued_before, e->queued_site),
		     (unsigned long long)e->queued_site);
		change = STR("time, or a higher priority");
	}
	if (change.n > 0)
		row(to, "would change", change);
}

void explanation_format_same(const struct explanation *same, struct buf *to)
{
	if (same->done)
		rowf(to, "that page", "was fetched: %d", same->result.code);
	else if (same->dropped)
		rowf(to, "that page", "was not fetched: " STR_FMT,
		     STR_ARG(reason_table[same->drop.reason].sentence));
	else
		row(to, "that page", same->found ? STR("waits") : STR("was not found"));
}

void explanation_format(const struct explanation *e, struct buf *to)
{
	row(to, "url", e->url);
	add_key(e, to);
	if (!e->found) {
		if (e->done) { /* robots.txt is fetched without being found */
			add_end(e, to);
			return;
		}
		row(to, "so", STR("the crawl has not found it"));
		row(to, "would change",
		    str_starts(e->url, STR("http"))
			    ? STR("giving it as a seed; a page in scope that links to it")
			    : reason_table[REASON_SCHEME].change);
		return;
	}
	add_found(e, to);
	add_decision(e, to);
	add_robots(e, to);
	add_end(e, to);
}

/* --- the same for programs --- */

static void put_done(struct json_out *o, const struct journal_done *d)
{
	struct verdict v;

	json_key(o, STR("result"));
	json_open(o, '{');
	json_put_int(o, "code", d->code);
	json_put_int(o, "start_ms", d->start_ms);
	json_put_uint(o, "duration_ms", d->duration_ms);
	json_put_uint(o, "bytes", d->body_bytes);
	json_put_str(o, "mime", d->mime);
	json_put_str(o, "warc_file", d->warc_file);
	json_put_uint(o, "warc_offset", d->warc_offset);
	json_put_bool(o, "novel", d->novel);
	if (d->has_relevance)
		json_put_double(o, "relevance", (double)d->relevance);
	if (d->verdict.n > 0 && verdict_decode(d->verdict, &v) == ST_OK) {
		json_put_str(o, "verdict", verdict_name(v.kind));
		json_put_str(o, "representative", v.representative_url);
		json_put_double(o, "score", v.score);
	}
	json_close(o, '}');
}

static void put_scores(struct json_out *o, const struct explanation *e)
{
	struct focus_scores s;

	if (e->moved)
		json_put_uint(o, "moved_priority", e->moved_priority);
	if (!e->link.has_score)
		return;
	json_put_double(o, "score", (double)e->link.score);
	if (!scores_of(e, &s))
		return;
	json_key(o, STR("modules"));
	focus_scores_put(&s, o);
}

void explanation_format_json(const struct explanation *e, struct buf *to)
{
	struct json_out o = { .to = to };

	json_open(&o, '{');
	json_put_str(&o, "url", e->url);
	json_put_str(&o, "key", e->key.n ? e->key : e->url);
	json_put_bool(&o, "found", e->found);
	if (e->found) {
		json_put_str(&o, "via", e->via);
		json_put_str(&o, "source", e->source);
		json_put_uint(&o, "depth", e->link.depth);
		json_put_str(&o, "stage", reason_table[e->link.reason].stage);
		json_put_str(&o, "rule",
			     e->link.outcome == OUTCOME_SKIPPED
				     ? e->link.rules
				     : reason_table[e->link.reason].word);
		json_put_str(&o, "purpose", purpose_table[e->link.purpose].word);
		json_put_str(&o, "detail", e->link.detail);
		json_put_uint(&o, "priority", e->link.priority);
		put_scores(&o, e);
		json_put_bool(&o, "refused", e->link.outcome == OUTCOME_REFUSED);
		json_put_bool(&o, "skipped", e->link.outcome == OUTCOME_SKIPPED);
	}
	if (e->dropped) {
		json_put_str(&o, "dropped", reason_table[e->drop.reason].word);
		json_put_str(&o, "dropped_detail", e->drop.detail);
		json_put_int(&o, "dropped_code", e->drop.code);
	}
	json_put_uint(&o, "retries", e->retries);
	json_put_bool(&o, "fetched", e->done);
	json_put_uint(&o, "visits", e->visits);
	if (e->need.n > 0) {
		json_put_str(&o, "needs_browser", e->need);
		json_put_bool(&o, "rendered", e->is_rendered);
		json_put_uint(&o, "rendered_new_links", e->rendering.links);
		json_put_uint(&o, "rendered_new_percent", e->rendering.new_percent);
	}
	json_put_uint(&o, "changed", e->changed);
	if (e->done)
		put_done(&o, &e->result);
	json_close(&o, '}');
	buf_add_char(to, '\n');
}
