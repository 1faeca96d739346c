#include "journal/explain.h"

#include "policy/recrawl.h"
#include "url/normal.h"

void explanation_release(struct explanation *e)
{
	arena_release(&e->bytes);
}

static struct str keep(struct explanation *e, struct str s)
{
	return arena_copy(&e->bytes, s);
}

/* Strings of a record live until the next one only. */
static struct journal_link keep_link(struct explanation *e, const struct journal_link *l)
{
	struct journal_link k = *l;

	k.url = keep(e, l->url);
	k.key = keep(e, l->key);
	k.rules = keep(e, l->rules);
	k.detail = keep(e, l->detail);
	k.scores = keep(e, l->scores);
	return k;
}

static bool is_taken(const struct journal_link *l)
{
	return l->outcome != OUTCOME_REFUSED && l->outcome != OUTCOME_SKIPPED;
}

/* A refusal may be followed by an acceptance from a nearer page, a skip by its return,
 * and what was taken by a skip when its turn came. */
static bool supersedes(const struct journal_link *l, const struct journal_link *before)
{
	return is_taken(before) ? l->outcome == OUTCOME_SKIPPED : is_taken(l);
}

static void see_links(struct explanation *e, const struct journal_links *links)
{
	for (size_t i = 0; i < links->n; i++) {
		const struct journal_link *l = &links->v[i];

		if (!str_eq(l->url, e->url))
			continue;
		if (l->purpose == PURPOSE_REVISIT) {
			e->due = keep(e, l->detail);
			e->waiting = true;
			continue;
		}
		if (l->purpose == PURPOSE_BROWSER) {
			e->need = keep(e, l->detail);
			continue;
		}
		if (l->outcome == OUTCOME_QUEUED)
			e->dropped = false; /* it came back */
		bool better = supersedes(l, &e->link);
		e->found_again += e->found;
		if (e->found && !better)
			continue;
		e->found = true;
		e->link = keep_link(e, l);
		e->via = keep(e, links->via);
		e->hops = keep(e, links->hops);
		e->source = keep(e, links->source);
		e->found_ms = links->now_ms;
		e->key = e->link.key;
		e->rules = e->link.rules;
	}
}

static void see_done(struct explanation *e, const struct journal_done *d)
{
	if (!str_eq(d->url, e->url))
		return;
	if (d->purpose == PURPOSE_BROWSER) {
		e->is_rendered = true;
		e->rendering = *d;
		e->rendering.error = keep(e, d->error);
		e->result.verdict = keep(e, d->verdict);
		return;
	}
	e->done = true;
	e->visits++;
	e->changed += d->change == CHANGE_SOME;
	e->waiting = false;
	e->result = *d;
	e->result.error = keep(e, d->error);
	e->result.mime = keep(e, d->mime);
	e->result.language = keep(e, d->language);
	e->result.location = keep(e, d->location);
	e->result.etag = keep(e, d->etag);
	e->result.sha1 = keep(e, d->sha1);
	e->result.warc_file = keep(e, d->warc_file);
	e->result.record_id = keep(e, d->record_id);
	e->result.verdict = keep(e, d->verdict);
}

static void see_dropped(struct explanation *e, const struct journal_dropped *d)
{
	if (!str_eq(d->url, e->url))
		return;
	e->waiting = false;
	if (d->reason == REASON_URL_RULE) /* the skip has its own line */
		return;
	e->dropped = true;
	e->drop = *d;
	e->drop.detail = keep(e, d->detail);
}

static void see_robots(struct explanation *e, const struct journal_robots *r)
{
	if (!str_starts(e->url, r->origin) || e->url.n <= r->origin.n ||
	    e->url.p[r->origin.n] != '/')
		return;
	e->has_robots = true;
	e->robots = *r;
	e->robots.origin = keep(e, r->origin);
	e->robots.reason = keep(e, r->reason);
}

static void see_steered(struct explanation *e, const struct journal_steered *s)
{
	bool is_module = s->what == STEER_MODULE;

	if ((!is_module && s->what != STEER_MOVE) || !str_eq(s->url, e->url))
		return;
	e->moved = true;
	e->moved_ms = s->now_ms;
	e->moved_priority = (uint8_t)(s->number & 255);
	e->has_module |= is_module;
	if (is_module)
		e->module_score = (float)(s->number >> 8 & 65535) / 65535.0f;
}

static bool see(void *arg, const struct journal_record *r)
{
	struct explanation *e = arg;

	switch (r->kind) {
	case JOURNAL_LINKS:
		see_links(e, &r->links);
		break;
	case JOURNAL_DONE:
		see_done(e, &r->done);
		break;
	case JOURNAL_DROPPED:
		see_dropped(e, &r->dropped);
		break;
	case JOURNAL_RETRY:
		if (str_eq(r->dropped.url, e->url)) {
			e->retries++;
			e->last_retry_code = r->dropped.code;
		}
		break;
	case JOURNAL_ROBOTS:
		see_robots(e, &r->robots);
		break;
	case JOURNAL_COMMIT:
		e->commits++;
		break;
	case JOURNAL_STEERED:
		see_steered(e, &r->steered);
		break;
	case JOURNAL_LATE:
	case JOURNAL_BEGIN:
	case JOURNAL_END:
	case JOURNAL_TRACE:
	case JOURNAL_SENT:
	case JOURNAL_APPLIED:
	case JOURNAL_KINDS:
		break;
	}
	return true;
}

/*
 * What waits on the site in front of it: what was queued there with a higher
 * priority, or earlier with the same, and is neither done nor dropped.  A second
 * pass, because only then its own priority is known.
 */
struct line {
	struct explanation *e;
	size_t origin_n;
	bool passed; /* its own place in the journal */
};

static bool count_line(void *arg, const struct journal_record *r)
{
	struct line *l = arg;
	struct explanation *e = l->e;
	struct str origin = str_slice(e->url, 0, l->origin_n);

	if (r->kind == JOURNAL_DONE || r->kind == JOURNAL_DROPPED) {
		struct str url = r->kind == JOURNAL_DONE ? r->done.url : r->dropped.url;

		if (str_starts(url, origin) && e->queued_site > 0)
			e->queued_site--;
		return true;
	}
	if (r->kind != JOURNAL_LINKS)
		return true;
	for (size_t i = 0; i < r->links.n; i++) {
		const struct journal_link *k = &r->links.v[i];

		if (!is_taken(k) || !str_starts(k->url, origin))
			continue;
		if (str_eq(k->url, e->url))
			l->passed = true;
		else if (k->priority > e->link.priority ||
			 (k->priority == e->link.priority && !l->passed))
			e->queued_before++;
		e->queued_site++;
	}
	return true;
}

enum status explain(const char *dir, struct str text, struct explanation *ret,
		    struct diag *why)
{
	cleanup(arena_release) struct arena names = { 0 };
	struct buf scratch[2] = { { 0 }, { 0 } };
	char *journal = path_join(&names, dir, STR("state/journal"));
	struct url u;

	if (!dir_exists(journal))
		return diag_fail(why, ST_NOT_FOUND, "%s is not the folder of a crawl",
				 dir);
	enum status st = url_parse_normal(text, NULL, NORMAL_STANDARD, scratch, &u, why);
	if (st == ST_OK) {
		struct line line = { .e = ret,
				     .origin_n = (size_t)(u.path.p - u.href.p) };

		ret->url = keep(ret, url_without_fragment(&u));
		st = journal_each(journal, see, ret, why);
		if (st == ST_OK && ret->found && !ret->done && !ret->dropped &&
		    is_taken(&ret->link))
			st = journal_each(journal, count_line, &line, why);
	}
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	return st;
}
