#include "crawl/steer.h"

#include <stdio.h>

#include "crawl/crawl.h"
#include "crawl/loop.h"
#include "crawl/reload.h"
#include "engine/offer.h"
#include "engine/outside_module.h"
#include "engine/url_rules.h"
#include "journal/ledger.h"
#include "os/log.h"
#include "url/normal.h"

#define LOOK_MS     50 /* between two looks at an inbox that was empty */
#define STEP_NS     4000000
#define LINKS_MAX   64 /* that are offered together */
#define RECORDS_MAX 64 /* of the journal between two looks at the clock */
/* Of what is injected without a score: before all that was found, behind the seeds. */
#define INJECTED_PRIORITY 240

/* --- one URL --- */

/* The links of a block that are new, on their way to the frontier. */
struct injection {
	struct crawl *c;
	struct discovery links[LINKS_MAX];
	size_t n;
	struct arena a; /* their text */
	struct buf scratch[2];
	struct diag *why;
};

static enum status offer_links(struct injection *in)
{
	struct crawl *c = in->c;
	size_t n = in->n;

	if (n == 0)
		return ST_OK;
	in->n = 0;
	c->steer.injected += n;
	enum status st = crawl_offer(
		c, journal_batch(c),
		&(struct frontier_page){ .hops = STR(""), .source = STR("injected") },
		in->links, n, in->why);
	arena_reset(&in->a);
	/* What the writer gives back must be taken, or both sides wait. */
	if (st == ST_OK && c->batch && c->batch->journal.n > BATCH_FULL) {
		journal_batch_send(c);
		st = loop_step(&c->loop, 0, in->why);
	}
	return st;
}

static enum status blacklist(struct injection *in, struct str url)
{
	struct crawl *c = in->c;
	struct u128 own = hash128(url), key;
	struct discovery d = { .url = url, .via = STR(""), .hash = own };

	*map_add(&c->steer.blacklist, own.lo, NULL) = 1;
	steered_write(c, STEER_BLACKLIST, url, own, 0);
	if (!steered_find_queued(c, url, &key))
		return ST_OK;
	d.hash = key;
	return steered_drop(c, &d, REASON_BLACKLISTED, STR(""), in->why);
}

static void add_link(struct injection *in, struct str url, uint8_t priority)
{
	struct str kept = arena_copy(&in->a, url);

	in->links[in->n++] = (struct discovery){ .url = kept,
						 .key = kept,
						 .hash = hash128(kept),
						 .via = STR(""),
						 .rule = STR(""),
						 .hop = HOP_LINK,
						 .priority = priority,
						 .purpose = PURPOSE_INJECTED };
}

static bool is_among(const struct injection *in, struct u128 hash)
{
	for (size_t i = 0; i < in->n; i++)
		if (u128_eq(in->links[i].hash, hash))
			return true;
	return false;
}

static enum status take_url(struct injection *in, const struct demand *d, struct str url)
{
	struct crawl *c = in->c;
	struct u128 own = hash128(url), key = own;

	if (steered_is_blacklisted(c, own)) {
		c->steer.ignored++;
		return ST_OK;
	}
	if (in->n == LINKS_MAX || is_among(in, own))
		TRY(offer_links(in));
	if (d->kind == DEMAND_BLACKLIST) {
		TRY(offer_links(in));
		return blacklist(in, url);
	}
	bool queued = steered_find_queued(c, url, &key);
	if (d->deadline_ms) {
		*map_add(&c->steer.deadlines, key.lo, NULL) = (uint64_t)d->deadline_ms;
		steered_write(c, STEER_DEADLINE, url, key, (uint64_t)d->deadline_ms);
	}
	if (!queued)
		add_link(in, url, demand_priority(d, INJECTED_PRIORITY));
	else if (d->has_score)
		TRY(steered_move(c, url, key, demand_priority(d, 0), in->why));
	return ST_OK;
}

static enum status take_text(struct injection *in, const struct demand *d)
{
	struct url u;

	if (url_parse_normal(d->text, NULL, NORMAL_STANDARD, in->scratch, &u, NULL) !=
		    ST_OK ||
	    !url_is_http(&u)) {
		in->c->steer.malformed++;
		return ST_OK;
	}
	return take_url(in, d, url_without_fragment(&u));
}

/* --- by pattern --- */

static void end_walk(struct crawl *c)
{
	struct pattern_walk *w = &c->steer.walk;

	if (w->is_on)
		watch_control(&c->watch, w->demand.kind, w->demand.text, w->matched);
	pattern_list_release(&w->pattern);
	segment_cursor_close(&w->journal);
	*w = (struct pattern_walk){ 0 };
}

/* The journal must have all that is queued now: the writer is asked to commit. */
static void begin_walk(struct crawl *c, const struct demand *d)
{
	struct pattern_walk *w = &c->steer.walk;
	struct diag why;

	w->is_on = true;
	w->demand = *d;
	if (pattern_list_add(&w->pattern, d->text, &why) != ST_OK) {
		end_walk(c);
		return;
	}
	pattern_list_finish(&w->pattern);
	c->journal_is_whole = false;
	journal_batch(c)->commit = true;
	journal_batch_send(c);
}

static enum status steer_match(struct crawl *c, const struct discovery *d,
			       struct diag *why)
{
	struct pattern_walk *w = &c->steer.walk;
	struct diag detail;

	switch ((enum demand_kind)w->demand.kind) {
	case DEMAND_SCORE:
		return steered_move(c, d->url, d->hash, demand_priority(&w->demand, 0),
				    why);
	case DEMAND_DROP:
		snprintf(detail.text, sizeof(detail.text), STR_FMT,
			 (int)MIN(w->demand.text.n, 200), w->demand.text.p);
		return steered_drop(c, d, REASON_DROPPED_BY_HAND, str_from(detail.text),
				    why);
	case DEMAND_HOLD:
		TRY(frontier_hold(&c->frontier, d->url, d->hash, why));
		c->steer.held++;
		steered_write(c, STEER_HOLD, d->url, d->hash, 0);
		return ST_OK;
	default:
		return ST_OK;
	}
}

static enum status walk_links(struct crawl *c, const struct journal_links *l,
			      struct diag *why)
{
	struct pattern_walk *w = &c->steer.walk;

	for (size_t i = 0; i < l->n; i++) {
		const struct journal_link *k = &l->v[i];

		if (k->outcome == OUTCOME_REFUSED || k->outcome == OUTCOME_SKIPPED ||
		    pattern_list_find(&w->pattern, k->url) == PATTERN_NONE)
			continue;
		struct discovery d = journal_discovery(l, k);
		if (!frontier_is_queued(&c->frontier, d.hash))
			continue;
		enum status st = steer_match(c, &d, why);
		if (st != ST_OK && st != ST_NOT_FOUND)
			return st;
		w->matched += st == ST_OK;
	}
	return ST_OK;
}

/* Some records further; true when there are more. */
static bool walk_step(struct crawl *c)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct pattern_walk *w = &c->steer.walk;
	struct journal_record r;
	struct str bytes;
	struct diag why;
	enum status st = ST_OK;

	if (!w->is_reading) {
		char *dir = path_join(&a, c->dir, STR("state/journal"));

		if (!c->journal_is_whole)
			return false;
		w->is_reading = true;
		c->journal_is_whole = false; /* the final sweep asks for its own */
		st = segment_cursor_open(&w->journal, dir, &journal_segments, 0, &why);
	}
	for (unsigned n = 0; st == ST_OK && n < RECORDS_MAX; n++) {
		st = segment_cursor_next(&w->journal, &bytes, &why);
		arena_reset(&a);
		if (st == ST_OK && bytes.n > 0 && bytes.p[0] == JOURNAL_LINKS &&
		    journal_decode(bytes, &a, &r) == ST_OK)
			st = walk_links(c, &r.links, &why);
	}
	if (st == ST_OK)
		return true;
	if (st != ST_AGAIN && st != ST_CORRUPT)
		crawl_fail(c, st, &why);
	end_walk(c);
	return true;
}

/* --- commands --- */

static void obey(struct crawl *c, enum demand_kind kind)
{
	struct steer *s = &c->steer;
	struct diag why;

	if (s->is_old) /* they were for a process that is gone */
		return;
	watch_control(&c->watch, kind, STR(""), 0);
	switch (kind) {
	case DEMAND_PAUSE:
		s->is_paused = true;
		break;
	case DEMAND_RESUME:
		s->is_paused = false;
		c->idle_until_ms = 0;
		break;
	case DEMAND_STOP:
		crawl_stop(c, CRAWL_INTERRUPTED, "stopped through the control API");
		break;
	case DEMAND_RELOAD:
		reload_settings(c);
		if (url_rules_save(c, &why) != ST_OK)
			log_event(LOG_WARN, "rules", "%s", why.text);
		break;
	default:
		break;
	}
}

/* --- the inbox --- */

/* All of the block is done: the journal says so. */
static void finish_block(struct crawl *c)
{
	struct steer *s = &c->steer;

	s->position = s->inbox.position;
	steered_write(c, STEER_READ, STR(""), (struct u128){ 0 }, s->position);
	s->rest = (struct str){ "", 0 };
	buf_reset(&s->block);
}

static bool next_block(struct crawl *c)
{
	struct steer *s = &c->steer;
	struct str block;
	struct diag why;

	if (inbox_reader_next(&s->inbox, &block, &why) != ST_OK)
		return false;
	buf_reset(&s->block);
	buf_add(&s->block, block);
	s->rest = buf_str(&s->block);
	s->is_old = s->inbox.next_is_old;
	return true;
}

/* Demands of the block until the time is over, or one takes longer. */
static enum status carry_out(struct injection *in, int64_t until_ns)
{
	struct crawl *c = in->c;
	struct steer *s = &c->steer;
	struct demand d;

	for (unsigned n = 0; !s->walk.is_on; n++) {
		if (n % LINKS_MAX == LINKS_MAX - 1 &&
		    clock_mono_ns(&real_clock) > until_ns)
			break;
		enum status st = demand_next(&s->rest, &d);
		if (st != ST_OK) { /* its checksum was right: somebody else's bytes */
			s->malformed += st == ST_CORRUPT;
			TRY(offer_links(in));
			finish_block(c);
			return ST_OK;
		}
		if (demand_is_command(d.kind)) {
			obey(c, d.kind);
		} else if (d.kind <= DEMAND_BLACKLIST) {
			TRY(take_text(in, &d));
		} else {
			TRY(offer_links(in));
			begin_walk(c, &d);
		}
	}
	return offer_links(in);
}

bool steer_step(struct crawl *c)
{
	struct steer *s = &c->steer;
	int64_t until_ns = clock_mono_ns(&real_clock) + STEP_NS;
	struct diag why;
	struct injection in = { .c = c, .why = &why };

	if (!s->is_open || c->stopping)
		return false;
	if (s->walk.is_on)
		return walk_step(c);
	if (s->rest.n == 0 && s->block.n == 0) {
		if (clock_mono_ms(c->clock) < s->next_look_ms)
			return false;
		if (!next_block(c)) {
			s->next_look_ms = clock_mono_ms(c->clock) + LOOK_MS;
			return false;
		}
	}
	enum status st = carry_out(&in, until_ns);
	buf_release(&in.scratch[0]);
	buf_release(&in.scratch[1]);
	arena_release(&in.a);
	if (st != ST_OK)
		crawl_fail(c, st, &why);
	return true;
}

bool steer_step_now(struct crawl *c)
{
	c->steer.next_look_ms = 0;
	return steer_step(c);
}

bool steer_waits(struct crawl *c)
{
	if (c->settings->discover || c->settings->dry_run)
		return false;
	c->idle_until_ms = crawl_time_ms(c) + LOOK_MS;
	return true;
}

void steer_open(struct crawl *c)
{
	inbox_reader_init(&c->steer.inbox, c->dir, c->steer.position);
	c->steer.is_open = true;
}

void steer_release(struct steer *s)
{
	inbox_reader_release(&s->inbox);
	map_release(&s->deadlines);
	map_release(&s->blacklist);
	map_release(&s->scores);
	buf_release(&s->block);
	pattern_list_release(&s->walk.pattern);
	segment_cursor_close(&s->walk.journal);
	*s = (struct steer){ 0 };
}

enum status steer_restore(struct crawl *c, const struct journal_steered *s,
			  struct diag *why)
{
	enum status st = ST_OK;

	switch ((enum steering)s->what) {
	case STEER_READ:
		c->steer.position = s->number;
		break;
	case STEER_MOVE:
		st = frontier_prioritise(&c->frontier, s->url, s->key,
					 (uint8_t)MIN(s->number, 255u), why);
		break;
	case STEER_HOLD:
		st = frontier_hold(&c->frontier, s->url, s->key, why);
		break;
	case STEER_DEADLINE:
		*map_add(&c->steer.deadlines, s->key.lo, NULL) = s->number;
		break;
	case STEER_BLACKLIST:
		*map_add(&c->steer.blacklist, s->key.lo, NULL) = 1;
		break;
	case STEER_MODULE:
		st = outside_module_restore(c, s, why);
		break;
	case STEERINGS:
		break;
	}
	/* What was undecided then is queued only when all is replayed. */
	return st == ST_NOT_FOUND ? ST_OK : st;
}
