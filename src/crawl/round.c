#include "crawl/round.h"

#include "base/date.h"
#include "crawl/loop.h"
#include "engine/app_views.h"
#include "engine/offer.h"
#include "os/log.h"
#include "spec/seeds.h"
#include "url/normal.h"

#define LOOK_AT_MOST ((int64_t)60000) /* a waiting crawl looks at its table so often */

/* --- the table --- */

/* The rule of the last source: records of one seed come in runs. */
struct rule_memo {
	struct buf source;
	struct recrawl rule;
	bool known;
};

static const struct recrawl *rule_of(struct rule_memo *m, const struct crawl_settings *s,
				     struct str source)
{
	if (!m->known || !str_eq(buf_str(&m->source), source)) {
		buf_reset(&m->source);
		buf_add(&m->source, source);
		m->rule = revisit_rule(s, source);
		m->known = true;
	}
	return &m->rule;
}

typedef enum status see_fn(struct crawl *c, void *arg, const struct journal_done *d,
			   uint64_t position, struct diag *why);

/* Every `done` record of the journal, in order. */
static enum status walk(struct crawl *c, see_fn *see, void *arg, struct diag *why)
{
	cleanup(segment_cursor_close) struct segment_cursor cursor = { 0 };
	cleanup(arena_release) struct arena a = { 0 };
	char *dir = path_join(&a, c->dir, STR("state/journal"));
	struct journal_record r;
	struct str bytes;
	enum status st;

	TRY(segment_cursor_open(&cursor, dir, &journal_segments, 0, why));
	for (;;) {
		uint64_t position = cursor.position;

		st = segment_cursor_next(&cursor, &bytes, why);
		if (st != ST_OK)
			break;
		if (bytes.n == 0 || bytes.p[0] != JOURNAL_DONE)
			continue;
		TRY(journal_decode(bytes, &a, &r));
		TRY(see(c, arg, &r.done, position, why));
	}
	return st == ST_AGAIN || st == ST_CORRUPT ? ST_OK : st;
}

static enum status note(struct crawl *c, void *arg, const struct journal_done *d,
			uint64_t position, struct diag *why)
{
	(void)why;
	revisits_note(&c->revisits, rule_of(arg, c->settings, d->source), d, position);
	return ST_OK;
}

static enum status load(struct crawl *c, struct diag *why)
{
	struct rule_memo memo = { 0 };

	revisits_release(&c->revisits);
	enum status st = walk(c, note, &memo, why);
	buf_release(&memo.source);
	return st;
}

/* --- queueing --- */

struct queueing {
	int64_t now_ms;
	uint64_t n;
};

static struct str due_words(const struct revisit *v, struct arena *a)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_addf(&b, "changed on %u of %u visits, every %llu s", v->visits.changed,
		 v->visits.seen, (unsigned long long)(v->visits.interval_ms / 1000));
	return arena_copy(a, buf_str(&b));
}

static enum status queue_one(struct crawl *c, const struct revisit *v,
			     const struct journal_done *d, int64_t now, struct diag *why)
{
	struct crawl_item *to = journal_batch(c);
	bool is_seed = d->via.n == 0;
	struct str hops = str_slice(d->hops, 0, d->hops.n - (d->hops.n > 0));
	uint64_t since = (uint64_t)MAX(now - v->visits.last_ms, 0);
	struct discovery found = {
		.url = d->url,
		.key = d->url,
		.hash = hash128(d->url),
		.via = d->via,
		.depth = d->depth,
		.hop = d->hops.n > 0 ? (uint8_t)d->hops.p[d->hops.n - 1] : HOP_LINK,
		.priority = is_seed ? 250
				    : (uint8_t)(100 + 100 * recrawl_change_chance(
								    &v->visits, since)),
		.purpose = PURPOSE_REVISIT,
	};
	struct frontier_page page = { hops, d->source, d->off_hops };

	TRY(crawl_queue_anyway(c, to, &page, &found, REASON_DUE, due_words(v, &to->arena),
			       why));
	if (c->batch->journal.n > BATCH_FULL)
		journal_batch_send(c);
	/* It was handed over: what came back must be taken, or both sides wait. */
	return c->batch ? ST_OK : loop_step(&c->loop, 0, why);
}

static enum status queue_due(struct crawl *c, void *arg, const struct journal_done *d,
			     uint64_t position, struct diag *why)
{
	const struct revisit *v = revisits_find(&c->revisits, d->url);
	struct queueing *q = arg;

	if (!v || v->position != position || v->due_ms > q->now_ms)
		return ST_OK;
	/* Still waiting in the queue from a round that was cut short. */
	if (frontier_is_queued(&c->frontier, hash128(d->url)))
		return ST_OK;
	q->n++;
	return queue_one(c, v, d, q->now_ms, why);
}

static void say_round(struct crawl *c, uint64_t n)
{
	struct buf date = { 0 };
	int64_t due = revisits_next_due(&c->revisits);

	if (n > 0) {
		log_event(LOG_INFO, "recrawl", "%llu of %zu pages are due",
			  (unsigned long long)n, c->revisits.n);
	} else if (due < INT64_MAX) {
		buf_add_date_iso(&date, due, false);
		log_event(LOG_INFO, "recrawl",
			  "no page is due before " STR_FMT " (--revisit 0: all are)",
			  STR_ARG(buf_str(&date)));
	}
	buf_release(&date);
}

static enum status queue_all_due(struct crawl *c, uint64_t *ret_n, struct diag *why)
{
	struct queueing q = { .now_ms = clock_wall_ms(c->clock) };

	TRY(walk(c, queue_due, &q, why));
	*ret_n = q.n;
	return ST_OK;
}

enum status round_begin(struct crawl *c, struct diag *why)
{
	const struct crawl_settings *s = c->settings;
	uint64_t n;

	c->revisiting = s->recrawl || s->stay || c->revisits_queued > 0;
	if (c->revisiting)
		app_views_keep(c);
	if (!c->revisiting)
		return ST_OK;
	crawl_blind(c, BLIND_REVISITS);
	TRY(load(c, why));
	if (!s->recrawl)
		return ST_OK;
	c->round++;
	frontier_new_round(&c->frontier, crawl_time_ms(c));
	TRY(queue_all_due(c, &n, why));
	if (!s->quiet)
		say_round(c, n);
	return ST_OK;
}

bool round_idle(struct crawl *c)
{
	int64_t now = clock_wall_ms(c->clock);
	int64_t due = revisits_next_due(&c->revisits);
	uint64_t n = 0;
	struct diag why;

	if (!c->settings->stay)
		return false;
	if (due <= now) {
		c->round++;
		frontier_new_round(&c->frontier, crawl_time_ms(c));
		journal_batch_add(c, &(struct journal_record){
					     .kind = JOURNAL_BEGIN,
					     .begin = { .now_ms = now,
							.version = STR(THRESH_VERSION),
							.flags = BEGIN_ROUND } });
		enum status st = queue_all_due(c, &n, &why);
		if (st != ST_OK)
			crawl_fail(c, st, &why);
	}
	/* What the writer has not flushed yet is not found: a little later it is. */
	due = MAX(due, now + 1000);
	c->idle_until_ms = n > 0 ? 0 : crawl_time_ms(c) + MIN(due - now, LOOK_AT_MOST);
	return true;
}

/* --- a revisit --- */

void round_prepare(struct crawl *c, struct crawl_item *i)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct fetch_task *t = &i->step.task;
	const struct revisit *v = t->purpose == PURPOSE_REVISIT
					  ? revisits_find(&c->revisits, t->url)
					  : NULL;
	struct journal_record r;

	if (!v ||
	    journal_read(path_join(&a, c->dir, STR("state/journal")), v->position,
			 &i->arena, &r) != ST_OK ||
	    r.kind != JOURNAL_DONE)
		return;
	i->before = r.done;
	i->has_before = true;
	/* A 304 must mean a body that is there. */
	if (i->before.code != 200)
		return;
	t->etag = i->before.etag;
	t->modified_ms = i->before.modified_ms;
}

void round_done(struct crawl *c, const struct crawl_item *i)
{
	const struct fetch_task *t = &i->step.task;
	struct recrawl rule;

	if (!c->revisiting || !i->written)
		return;
	rule = revisit_rule(c->settings, t->source);
	revisits_note(&c->revisits, &rule,
		      &(struct journal_done){ .url = t->url,
					      .purpose = t->purpose,
					      .change = (uint8_t)i->change,
					      .start_ms = i->result.start_ms },
		      i->position);
}
