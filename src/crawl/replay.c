/*
 * From the journal of earlier processes to the state they left: everything up to
 * the last commit counts, what is behind it is cut.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"

#include "base/map.h"
#include "crawl/loop.h"
#include "crawl/round.h"
#include "crawl/steer.h"
#include "engine/app_views.h"
#include "engine/focused.h"
#include "engine/url_rules.h"
#include "online/online.h"

#define SHOW_EACH 256 /* records between two looks at the clock */

struct replay {
	struct crawl *c;
	struct digests *digests;
	struct map ended; /* of what was undecided: identities that were fetched or
			     dropped */
	int64_t begin_ms, elapsed_ms;
	struct arena a;
	struct buf scratch;
	struct diag *why;
};

/* The host of a probe was asked. */
static void note_probe(struct replay *r, const struct journal_link *k)
{
	struct url u;

	if (k->purpose == PURPOSE_SOFT_404_PROBE &&
	    url_parse(k->url, NULL, &r->scratch, &u, NULL) == ST_OK)
		probes_note(&r->c->probes, u.host);
}

static enum status replay_link(struct replay *r, const struct journal_links *l,
			       const struct journal_link *k)
{
	struct frontier *f = &r->c->frontier;
	struct discovery d = journal_discovery(l, k);
	struct frontier_page page = { .hops = l->hops,
				      .source = l->source,
				      .off_hops = k->off_hops };

	if (k->reason == REASON_SITE_RETRY) /* it never left the queue */
		return ST_OK;
	if (!purpose_is_page(k->purpose)) {
		r->c->revisits_queued += k->purpose == PURPOSE_REVISIT;
		note_probe(r, k);
		crawl_render_restore_link(r->c, k);
		url_rules_restore_check(r->c, k);
		site_api_restore_link(r->c, l, k);
		return frontier_queue_anyway(f, &d, &page, r->why);
	}
	failed_restore_link(r->c, k);
	TRY(url_rules_restore_link(r->c, l, k, r->why));
	if (k->outcome == OUTCOME_SKIPPED)
		return ST_OK;
	app_views_restore(r->c, l, k);
	site_api_restore_link(r->c, l, k);
	if (k->outcome == OUTCOME_REFUSED) {
		r->c->counts.refused++;
		return frontier_restore_refused(f, &d, r->why);
	}
	if (k->outcome == OUTCOME_UNDECIDED)
		return frontier_restore_later(f, &d, &page, r->why);
	return frontier_restore(f, &d, &page, r->why);
}

static enum status replay_links(struct replay *r, const struct journal_links *l)
{
	for (size_t i = 0; i < l->n; i++)
		TRY(replay_link(r, l, &l->v[i]));
	return ST_OK;
}

/* Out of the queue; what is undecided, and so not in it yet, is remembered. */
static enum status replay_end(struct replay *r, struct str text, struct u128 key,
			      bool fetched, uint64_t bytes)
{
	struct url u;

	TRY(url_parse(text, NULL, &r->scratch, &u, r->why));
	enum status st =
		frontier_restore_done(&r->c->frontier, &u, key, fetched, bytes, r->why);
	if (st != ST_NOT_FOUND)
		return st;
	*map_add(&r->ended, key.lo, NULL) = 1;
	return ST_OK;
}

static void count_done(struct crawl_counts *n, const struct journal_done *d)
{
	struct verdict v;
	bool has_verdict = d->verdict.n > 0 && verdict_decode(d->verdict, &v) == ST_OK;

	counts_add_answer(n, d->code, d->wire_bytes);
	counts_add_page(n, &(struct counted_page){ .purpose = d->purpose,
						   .change = d->change,
						   .novel = d->novel,
						   .verdict = has_verdict ? &v : NULL });
}

static enum status replay_done(struct replay *r, const struct journal_done *d,
			       uint64_t position)
{
	struct frontier *f = &r->c->frontier;
	struct url u;

	count_done(&r->c->counts, d);
	if (d->sha1.n > 0 && d->purpose != PURPOSE_CHECK)
		digests_add(r->digests, (const uint8_t *)d->sha1.p, position);
	if (url_parse(d->url, NULL, &r->scratch, &u, NULL) == ST_OK) {
		uint32_t site = sites_get(&f->sites, &f->lanes, &u);

		if (d->purpose == PURPOSE_SITEMAP)
			frontier_restore_sitemap(f, site);
		guesses_learn(&r->c->guesses, site, d->hops, d->code == 200 && d->novel);
		frontier_restore_clock(
			f, site,
			&(struct answer){ .end_ms = d->start_ms + d->duration_ms,
					  .duration_ms = d->duration_ms,
					  .retry_after_ms = d->retry_after_ms });
	}
	if (d->purpose == PURPOSE_ROBOTS)
		return ST_OK;
	if (d->purpose == PURPOSE_REVISIT && r->c->revisits_queued > 0)
		r->c->revisits_queued--;
	url_rules_restore_done(r->c, d);
	crawl_render_restore(r->c, d);
	focused_restore(r->c, d);
	failed_restore(r->c, d);
	site_api_restore_done(r->c, d);
	if (url_parse(d->url, NULL, &r->scratch, &u, NULL) == ST_OK)
		frontier_restore_answer(f, &u, d->novel, d->new_percent);
	TRY(replay_end(r, d->url, d->key, true, d->wire_bytes));
	if (d->code >= 200 && d->code < 300 &&
	    url_parse(d->url, NULL, &r->scratch, &u, NULL) == ST_OK)
		frontier_restore_page(f, &u);
	if (d->code >= 300 && d->code < 400)
		frontier_moved(f, d->url, journal_target(d, &r->a));
	return ST_OK;
}

/* A site that could not be reached may be there now: its URLs stay in the queue. */
static bool is_to_be_tried_again(const struct journal_dropped *d)
{
	return d->reason == REASON_SITE_DEAD && d->code != FETCH_BLOCKED;
}

static void note_unreached(struct replay *r, const struct journal_dropped *d)
{
	struct crawl *c = r->c;

	VEC_ADD(c->unreached, c->n_unreached, c->unreached_cap,
		(struct journal_link){ .url = arena_copy(&c->unreached_text, d->url),
				       .purpose = d->purpose,
				       .reason = REASON_SITE_RETRY });
}

void crawl_retry_unreached(struct crawl *c)
{
	if (c->n_unreached > 0)
		journal_batch_add(c, &(struct journal_record){
					     .kind = JOURNAL_LINKS,
					     .links = { .now_ms = clock_wall_ms(c->clock),
							.v = c->unreached,
							.n = c->n_unreached } });
	free(TAKE(c->unreached));
	c->n_unreached = c->unreached_cap = 0;
	arena_release(&c->unreached_text);
}

static void replay_dropped(struct crawl *c, const struct journal_dropped *d)
{
	if (d->reason == REASON_URL_RULE) /* the skip has its own line */
		return;
	c->counts.dropped++;
	c->counts.robots_denied += d->reason == REASON_ROBOTS;
	url_rules_dropped(c, d->url, d->reason);
	site_api_restore_dropped(c, d);
}

/* Time of earlier processes counts only as far as their limit does. */
static void replay_begin(struct replay *r, const struct journal_begin *b)
{
	struct crawl *c = r->c;

	r->begin_ms = b->now_ms;
	c->scope_before = b->scope ? b->scope : c->scope_before;
	c->token_before = MAX(c->token_before, b->token);
	if (b->flags & BEGIN_ROUND) {
		frontier_new_round(&c->frontier, r->begin_ms);
		c->round++;
	}
	if (b->flags & BEGIN_RENEW_PAGES)
		budget_renew(&c->frontier.budget, REASON_MAX_PAGES, r->begin_ms);
	if (b->flags & BEGIN_RENEW_BYTES)
		budget_renew(&c->frontier.budget, REASON_MAX_BYTES, r->begin_ms);
	if (b->flags & (BEGIN_ROUND | BEGIN_RENEW_TIME))
		r->elapsed_ms = 0;
}

static enum status replay_record(struct replay *r, const struct journal_record *j,
				 uint64_t position)
{
	switch (j->kind) {
	case JOURNAL_BEGIN:
		replay_begin(r, &j->begin);
		return ST_OK;
	case JOURNAL_COMMIT:
		/* Clocks may have been set in between: time only adds. */
		r->elapsed_ms += MAX(j->commit.now_ms - r->begin_ms, 0);
		r->begin_ms = j->commit.now_ms;
		return ST_OK;
	case JOURNAL_LINKS:
		return replay_links(r, &j->links);
	case JOURNAL_DONE:
		return replay_done(r, &j->done, position);
	case JOURNAL_DROPPED:
		if (is_to_be_tried_again(&j->dropped)) {
			note_unreached(r, &j->dropped);
			return ST_OK;
		}
		replay_dropped(r->c, &j->dropped);
		return replay_end(r, j->dropped.url, j->dropped.key, false, 0);
	case JOURNAL_STEERED:
		return steer_restore(r->c, &j->steered, r->why);
	case JOURNAL_APPLIED:
		if (r->c->exchange)
			r->c->exchange->ops->restore(r->c->exchange, &j->applied);
		return ST_OK;
	case JOURNAL_RETRY:
		r->c->counts.retries++;
		return ST_OK;
	case JOURNAL_LATE: /* the undecided link of before turns out new again */
	case JOURNAL_ROBOTS:
	case JOURNAL_END:
	case JOURNAL_TRACE:
	case JOURNAL_SENT: /* the outbox reads it by itself */
	case JOURNAL_KINDS:
		return ST_OK;
	}
	return ST_CORRUPT;
}

/* Long journals take minutes: say how far it is.  Short ones have no 256 records. */
static void show_progress(struct replay *r, uint64_t position, uint64_t end)
{
	struct progress *p = &r->c->progress;
	char line[128];

	if (!progress_due(p))
		return;
	int n = snprintf(line, sizeof(line),
			 "going on: %llu %% of the journal read, %llu URLs known, %llu "
			 "pages done",
			 (unsigned long long)(100 * position / MAX(end, (uint64_t)1)),
			 (unsigned long long)seen_count(&r->c->frontier.seen),
			 (unsigned long long)r->c->counts.done);
	progress_show(p, (struct str){ line, (size_t)n });
}

static enum status replay_until(struct replay *r, const char *dir, uint64_t end)
{
	cleanup(segment_cursor_close) struct segment_cursor c = { 0 };
	struct journal_record j;
	struct str bytes;
	uint64_t n = 0;

	TRY(segment_cursor_open(&c, dir, &journal_segments, 0, r->why));
	while (c.position < end) {
		uint64_t position = c.position;

		TRY(segment_cursor_next(&c, &bytes, r->why));
		arena_reset(&r->a);
		if (journal_decode(bytes, &r->a, &j) != ST_OK)
			return diag_fail(r->why, ST_CORRUPT,
					 "%s: the record at %llu is damaged", dir,
					 (unsigned long long)position);
		TRY(replay_record(r, &j, position));
		if (++n % SHOW_EACH == 0)
			show_progress(r, position, end);
	}
	return ST_OK;
}

/* Links that were undecided must be decided before anything is fetched. */
static enum status settle(struct replay *r)
{
	struct frontier *f = &r->c->frontier;
	struct discovery d;
	enum status st;

	while (seen_is_waiting(&f->seen)) {
		seen_settle(&f->seen);
		while ((st = frontier_late(f, &r->a, &d, r->why)) == ST_OK) {
			if (!map_find(&r->ended, d.hash.lo))
				continue;
			struct url u;
			TRY(url_parse(d.url, NULL, &r->scratch, &u, r->why));
			TRY(frontier_restore_done(f, &u, d.hash, false, 0, r->why));
		}
		if (st != ST_AGAIN)
			return st;
		sleep_ms(1);
	}
	return ST_OK;
}

enum status crawl_replay(struct crawl *c, struct writer_start *ret_start,
			 struct digests *digests, bool *ret_fresh, struct diag *why)
{
	cleanup(arena_release) struct arena names = { 0 };
	struct replay r = { .c = c, .digests = digests, .why = why };
	char *dir = path_join(&names, c->dir, STR("state/journal"));

	*ret_fresh = true;
	c->frontier.budget.start_ms = crawl_time_ms(c);
	if (!dir_exists(dir))
		return ST_OK;
	enum status st = journal_last_commit(dir, &ret_start->journal_end,
					     &ret_start->commit, why);
	if (st == ST_NOT_FOUND) /* it died before its first commit: nothing happened */
		return dir_remove(dir, why);
	TRY(st);
	*ret_fresh = false;
	TRY(segment_log_cut(dir, ret_start->journal_end, why));
	c->progress.next_ms = 0; /* the first line at once: it may be a long time */
	st = replay_until(&r, dir, ret_start->journal_end);
	if (st == ST_OK)
		st = settle(&r);
	if (r.c->rules)
		dust_online_restored(r.c->rules);
	frontier_resume(&c->frontier, crawl_time_ms(c));
	c->frontier.budget.start_ms = crawl_time_ms(c) - r.elapsed_ms;
	map_release(&r.ended);
	arena_release(&r.a);
	buf_release(&r.scratch);
	return st;
}
