/*
 * An explanation in words: what happened, by which rule, and what would change it.
 */
#include <stdarg.h>
#include <stdio.h>

#include "base/date.h"
#include "base/json.h"
#include "crawl/explain.h"
#include "frontier/frontier.h"
#include "frontier/recrawl.h"
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

/* --- what would change it --- */

struct advice {
	const char *stage, *rule, *what;
};

static const struct advice advices[] = {
	{ "scope", "scheme", "nothing: only http and https are fetched" },
	{ "scope", "length", "a larger --max-url" },
	{ "scope", "exclude", "removing that --exclude pattern" },
	{ "scope", "surt", "a longer +SURT prefix that covers it" },
	{ "scope", "out-of-scope",
	  "a wider --scope, an --include pattern, or --hops-off" },
	{ "scope", "depth", "a larger --max-depth, or a shorter way to it" },
	{ "trap", "", "giving it as a seed: seeds are not looked at for traps" },
	{ "queue", "robots", "the site's robots.txt, or --ignore-robots" },
	{ "queue", "template",
	  "new content on URLs of the same form, or --template-first" },
	{ "queue", "guess", "a link to it, or guesses of its site that lead to pages" },
	{ "queue", "host-pages", "a larger --host-pages" },
	{ "queue", "host-bytes", "a larger --host-bytes" },
	{ "queue", "domain-pages",
	  "a larger --domain-pages, or links from other domains" },
	{ "queue", "site-dead", "the site answering again: start the crawl again" },
};

static const char *advice_for(struct str stage, struct str rule)
{
	for (size_t i = 0; i < COUNT(advices); i++)
		if (str_eq(stage, str_from(advices[i].stage)) &&
		    (advices[i].rule[0] == '\0' ||
		     str_eq(rule, str_from(advices[i].rule))))
			return advices[i].what;
	return "";
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

/* What stands behind the '#' of a key says how the URL came into the queue. */
static void add_key(const struct explanation *e, struct buf *to)
{
	size_t mark = str_find_char(e->key, '#');
	struct str key = str_slice(e->key, 0, mark);
	struct str how = mark == STR_NONE ? STR("") : str_skip(e->key, mark);

	row(to, "normal form", e->url);
	if (str_eq(how, STR("#probe")))
		rowf(to, "key",
		     "its page is known by rule " STR_FMT ", which it is to prove",
		     STR_ARG(e->key_rule));
	else if (str_eq(how, STR("#again")))
		row(to, "key", STR("its own, for a rule that had skipped it was wrong"));
	else if (!str_eq(key, e->url))
		rowf(to, "key", STR_FMT " by rule " STR_FMT, STR_ARG(key),
		     STR_ARG(e->key_rule));
}

static void add_decision(const struct explanation *e, struct buf *to)
{
	bool refused = e->link.verdict == FRONTIER_REFUSED;

	if (e->link.verdict == FRONTIER_SKIPPED) {
		rowf(to, "decision", "skipped by rule " STR_FMT, STR_ARG(e->link.rule));
		if (e->link.detail.n > 0)
			row(to, "same page", e->link.detail);
		return;
	}
	rowf(to, "decision", "%s by " STR_FMT ":" STR_FMT "%s" STR_FMT,
	     refused ? "refused" : "taken", STR_ARG(e->link.stage), STR_ARG(e->link.rule),
	     e->link.detail.n ? " " : "", STR_ARG(e->link.detail));
	if (!refused)
		rowf(to, "priority", "%u of 255", e->link.priority);
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
	rowf(to, "asked", STR_FMT ", took %u ms, attempt %u", STR_ARG(buf_str(&date)),
	     d->duration_ms, d->attempt + 1u);
	rowf(to, "answer", "%d " STR_FMT "%s" STR_FMT ", %llu bytes", d->code,
	     STR_ARG(d->mime), d->mime.n && d->error.n ? ": " : "", STR_ARG(d->error),
	     (unsigned long long)d->body_bytes);
	if (d->location.n > 0)
		row(to, "leads to", d->location);
	if (d->warc_file.n > 0)
		rowf(to, "stored in", STR_FMT " at %llu", STR_ARG(d->warc_file),
		     (unsigned long long)d->warc_offset);
	rowf(to, "links", "%u; %u %% of its text was new to the site", d->links,
	     d->new_percent);
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

static void add_visits(const struct explanation *e, struct buf *to)
{
	if (e->visits > 1)
		rowf(to, "visits", "%u, changed at %u of them; the last: %s", e->visits,
		     e->changed, change_words(&e->result));
	if (e->due.n > 0)
		rowf(to, e->waiting ? "waits" : "was due", "to be asked again: " STR_FMT,
		     STR_ARG(e->due));
}

static void add_end(const struct explanation *e, struct buf *to)
{
	const char *advice = "";

	if (e->retries > 0)
		rowf(to, "retries", "%u, the last because of %d", e->retries,
		     e->last_retry_code);
	if (e->done) {
		add_result(e, to);
		add_visits(e, to);
		row(to, "so", STR("it was fetched"));
	} else if (e->dropped) {
		rowf(to, "so", "it was not fetched: " STR_FMT "%s" STR_FMT " (%d)",
		     STR_ARG(e->drop.rule), e->drop.detail.n ? ", " : "",
		     STR_ARG(e->drop.detail), e->drop.code);
		advice = advice_for(e->drop.code == FETCH_OUT_OF_SCOPE ? STR("scope")
								       : STR("queue"),
				    e->drop.rule);
	} else if (e->link.verdict == FRONTIER_SKIPPED) {
		row(to, "so", STR("it was not fetched: its page is known"));
		advice = "a contradiction to the rule; 'state disabled' in DIR/rules; "
			 "--no-rules";
	} else if (e->link.verdict == FRONTIER_REFUSED) {
		row(to, "so", STR("it was not fetched"));
		advice = advice_for(e->link.stage, e->link.rule);
	} else {
		rowf(to, "so",
		     "it waits, or is held back for want of new content on URLs of its "
		     "form: about %llu of the %llu URLs queued on its site go first",
		     (unsigned long long)MIN(e->queued_before, e->queued_site),
		     (unsigned long long)e->queued_site);
		advice = "time, or a higher priority";
	}
	if (advice[0])
		row(to, "would change", str_from(advice));
}

void explanation_format_same(const struct explanation *same, struct buf *to)
{
	if (same->done)
		rowf(to, "that page", "was asked: %d", same->result.code);
	else if (same->dropped)
		rowf(to, "that page", "was not fetched: " STR_FMT,
		     STR_ARG(same->drop.rule));
	else
		row(to, "that page", same->found ? STR("waits") : STR("was not met"));
}

void explanation_format(const struct explanation *e, const struct crawl_settings *s,
			struct buf *to)
{
	row(to, "url", e->url);
	add_key(e, to);
	if (!e->found) {
		if (e->done) { /* robots.txt is asked without being found */
			add_end(e, to);
			return;
		}
		rowf(to, "so", "the crawl has not met it");
		if (!str_starts(e->url, STR("http")))
			row(to, "would change",
			    STR("nothing: only http and https are asked"));
		else
			row(to, "would change",
			    s->scope <= 2
				    ? STR("giving it as a seed; a page that links to it")
				    : STR("giving it as a seed"));
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
	if (d->verdict.n > 0 && verdict_decode(d->verdict, &v) == ST_OK) {
		json_put_str(o, "verdict", verdict_name(v.kind));
		json_put_str(o, "representative", v.representative_url);
		json_put_double(o, "score", v.score);
	}
	json_close(o, '}');
}

void explanation_format_json(const struct explanation *e, struct buf *to)
{
	struct json_out o = { .to = to };

	json_open(&o, '{');
	json_put_str(&o, "url", e->url);
	json_put_str(&o, "key", e->key);
	json_put_bool(&o, "found", e->found);
	if (e->found) {
		json_put_str(&o, "via", e->via);
		json_put_str(&o, "source", e->source);
		json_put_uint(&o, "depth", e->link.depth);
		json_put_str(&o, "stage", e->link.stage);
		json_put_str(&o, "rule", e->link.rule);
		json_put_str(&o, "detail", e->link.detail);
		json_put_uint(&o, "priority", e->link.priority);
		json_put_bool(&o, "refused", e->link.verdict == FRONTIER_REFUSED);
		json_put_bool(&o, "skipped", e->link.verdict == FRONTIER_SKIPPED);
	}
	if (e->dropped) {
		json_put_str(&o, "dropped", e->drop.rule);
		json_put_str(&o, "dropped_detail", e->drop.detail);
		json_put_int(&o, "dropped_code", e->drop.code);
	}
	json_put_uint(&o, "retries", e->retries);
	json_put_bool(&o, "fetched", e->done);
	json_put_uint(&o, "visits", e->visits);
	json_put_uint(&o, "changed", e->changed);
	if (e->done)
		put_done(&o, &e->result);
	json_close(&o, '}');
	buf_add_char(to, '\n');
}
