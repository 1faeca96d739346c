#include "crawl/reload.h"

#include <string.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "crawl/loop.h"
#include "crawl/setup.h"
#include "engine/offer.h"
#include "journal/ledger.h"
#include "os/log.h"

#define CONFIG_MAX ((size_t)64 << 20)

uint64_t scope_hash(const struct crawl_settings *s, const struct str_list *seeds)
{
	static const char *const names[] = { "scope",     "include",  "exclude", "surt",
					     "max-depth", "hops-off", "max-url" };
	cleanup(buf_release) struct buf all = { 0 };

	for (size_t i = 0; i < COUNT(names); i++) {
		option_format(option_find(crawl_options, str_from(names[i])), s, &all);
		buf_add_char(&all, '\n');
	}
	for (size_t i = 0; i < seeds->n; i++) {
		buf_add(&all, seeds->v[i]);
		buf_add_char(&all, '\n');
	}
	return hash64(buf_str(&all)) | 1;
}

/* --- deciding again --- */

struct review {
	struct crawl *c;
	struct map dropped; /* keys that an earlier review took out of the queue */
	uint64_t end;       /* of the journal when the review began */
	uint64_t out, back;
	struct arena a;
	struct buf scratch;
	struct diag *why;
};

typedef enum status review_fn(struct review *r, const struct journal_record *j);

static enum status walk(struct review *r, review_fn *see)
{
	cleanup(segment_cursor_close) struct segment_cursor cursor = { 0 };
	cleanup(arena_release) struct arena names = { 0 };
	char *dir = path_join(&names, r->c->dir, STR("state/journal"));
	struct journal_record j;
	struct str bytes;
	enum status st;

	TRY(segment_cursor_open(&cursor, dir, &journal_segments, 0, r->why));
	while (cursor.position < r->end &&
	       (st = segment_cursor_next(&cursor, &bytes, r->why)) == ST_OK) {
		arena_reset(&r->a);
		if (bytes.n == 0 ||
		    (bytes.p[0] != JOURNAL_LINKS && bytes.p[0] != JOURNAL_DROPPED))
			continue;
		TRY(journal_decode(bytes, &r->a, &j));
		TRY(see(r, &j));
	}
	r->end = MIN(r->end, cursor.position);
	return ST_OK;
}

static enum status note_dropped(struct review *r, const struct journal_record *j)
{
	if (j->kind == JOURNAL_DROPPED) {
		if (j->dropped.code == FETCH_OUT_OF_SCOPE)
			*map_add(&r->dropped, j->dropped.key.lo, NULL) = 1;
		return ST_OK;
	}
	for (size_t i = 0; i < j->links.n; i++)
		if (j->links.v[i].outcome != OUTCOME_REFUSED)
			map_remove(&r->dropped,
				   journal_discovery(&j->links, &j->links.v[i]).hash.lo);
	return ST_OK;
}

static enum status drop(struct review *r, const struct url *u, const struct discovery *d,
			const struct scope_answer *a)
{
	struct crawl *c = r->c;
	int64_t now = clock_wall_ms(c->clock);

	enum status st =
		frontier_restore_done(&c->frontier, u, d->hash, false, 0, r->why);
	if (st != ST_OK)
		return st == ST_NOT_FOUND ? ST_OK : st; /* it was asked meanwhile */
	r->out++;
	c->counts.dropped++;
	ledger_add(&journal_batch(c)->ledger,
		   &(struct ledger_line){ .url = d->url,
					  .via = d->via,
					  .reason = a->reason,
					  .detail = a->detail,
					  .code = FETCH_OUT_OF_SCOPE,
					  .now_ms = now });
	journal_batch_add(c, &(struct journal_record){
				     .kind = JOURNAL_DROPPED,
				     .dropped = { .url = d->url,
						  .detail = a->detail,
						  .key = d->hash,
						  .now_ms = now,
						  .code = FETCH_OUT_OF_SCOPE,
						  .purpose = d->purpose,
						  .reason = (uint16_t)a->reason } });
	return ST_OK;
}

/* Back under its own name: as a link that the page has just shown. */
static enum status bring_back(struct review *r, const struct journal_links *l,
			      const struct discovery *d, const struct scope_answer *a,
			      bool known)
{
	struct crawl_item *to = journal_batch(r->c);
	struct frontier_page page = { arena_copy(&to->arena, l->hops),
				      arena_copy(&to->arena, l->source), l->off_hops };
	struct discovery copy = *d;

	copy.url = copy.key = arena_copy(&to->arena, d->url);
	copy.via = arena_copy(&to->arena, d->via);
	copy.rule = STR("");
	copy.hash = hash128(copy.url);
	if (!known) {
		uint64_t before = r->c->frontier.found;

		TRY(crawl_offer(r->c, to, &page, &copy, 1, r->why));
		r->back += r->c->frontier.found > before;
		return ST_OK;
	}
	r->back++;
	map_remove(&r->dropped, d->hash.lo);
	copy.purpose = PURPOSE_RESCOPED;
	return crawl_queue_anyway(r->c, to, &page, &copy, a->reason, a->detail, r->why);
}

static enum status review_link(struct review *r, const struct journal_links *l,
			       const struct journal_link *k)
{
	struct frontier *f = &r->c->frontier;
	struct discovery d = journal_discovery(l, k);
	bool refused = k->outcome == OUTCOME_REFUSED;
	struct url u;

	if (k->purpose == PURPOSE_SOFT_404_PROBE || k->purpose == PURPOSE_CHECK ||
	    k->outcome == OUTCOME_SKIPPED || (refused && !reason_is_scope(k->reason)) ||
	    url_parse(k->url, NULL, &r->scratch, &u, NULL) != ST_OK)
		return ST_OK;
	struct scope_answer a = frontier_scope(f, &d, &u, l->off_hops);
	if (!a.accept)
		return !refused && frontier_is_queued(f, d.hash) ? drop(r, &u, &d, &a)
								 : ST_OK;
	if (refused)
		return bring_back(r, l, &d, &a, false);
	if (map_find(&r->dropped, d.hash.lo))
		return bring_back(r, l, &d, &a, true);
	return ST_OK;
}

static enum status review_links(struct review *r, const struct journal_record *j)
{
	if (j->kind != JOURNAL_LINKS)
		return ST_OK;
	for (size_t i = 0; i < j->links.n; i++)
		TRY(review_link(r, &j->links, &j->links.v[i]));
	/* What the writer gives back must be taken, or both sides wait. */
	if (r->c->batch && r->c->batch->journal.n + r->c->batch->ledger.n < BATCH_FULL)
		return ST_OK;
	journal_batch_send(r->c);
	return loop_step(&r->c->loop, 0, r->why);
}

static enum status review(struct crawl *c, struct diag *why)
{
	struct review r = { .c = c, .end = UINT64_MAX, .why = why };
	enum status st = walk(&r, note_dropped);

	if (st == ST_OK)
		st = walk(&r, review_links);
	if (r.out > 0 || r.back > 0)
		log_event(LOG_ANSWER, "scope",
			  "%llu URLs were dropped from the queue, %llu came back",
			  (unsigned long long)r.out, (unsigned long long)r.back);
	c->idle_until_ms = 0;
	map_release(&r.dropped);
	arena_release(&r.a);
	buf_release(&r.scratch);
	return st;
}

/* --- when --- */

static bool is_seed(const struct str_list *l, struct str seed)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq(l->v[i], seed))
			return true;
	return false;
}

/* Seeds that were not there before are offered; gone ones only leave the scope. */
static enum status take_seeds(struct crawl *c, struct str_list *fresh, struct diag *why)
{
	for (size_t i = 0; i < fresh->n; i++) {
		if (is_seed(c->seeds, fresh->v[i]))
			continue;
		VEC_ADD(c->seeds->v, c->seeds->n, c->seeds->cap, fresh->v[i]);
		TRY(crawl_offer_seed(c, fresh->v[i], why));
	}
	return ST_OK;
}

static void mark(struct crawl *c, const struct crawl_settings *s,
		 const struct str_list *seeds)
{
	journal_batch_add(c, &(struct journal_record){
				     .kind = JOURNAL_BEGIN,
				     .begin = { .now_ms = clock_wall_ms(c->clock),
						.version = STR(THRESH_VERSION),
						.scope = scope_hash(s, seeds) } });
}

void reload_settings(struct crawl *c)
{
	static struct arena kept; /* the scope points into what was read */
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	struct crawl_settings fresh = { 0 };
	struct str_list seeds = { 0 };
	struct diag why;

	options_default(crawl_options, &fresh, &kept);
	if (file_load(path_join(&a, c->dir, STR("crawl.yaml")), CONFIG_MAX, &text,
		      &why) != ST_OK ||
	    settings_parse(buf_str(&text), &fresh, &seeds, &kept, &why) != ST_OK ||
	    setup_rules(c, &fresh, &seeds, &why) != ST_OK) {
		log_event(LOG_WARN, "reload", "crawl.yaml: %s; going on as before",
			  why.text);
	} else {
		log_event(LOG_ANSWER, "reload", "crawl.yaml was read again");
		mark(c, &fresh, &seeds);
		if (take_seeds(c, &seeds, &why) != ST_OK)
			log_event(LOG_WARN, "reload", "%s", why.text);
		/* Twice, for a commit may just be going on. */
		c->review_ms = clock_mono_ms(c->clock) +
			       2 * (int64_t)c->settings->commit_ms + 100;
	}
	c->idle_until_ms = 0;
	str_list_release(&seeds);
	settings_release(&fresh);
}

void reload_step(struct crawl *c)
{
	struct diag why;

	if (c->review_ms == 0 || clock_mono_ms(c->clock) < c->review_ms)
		return;
	c->review_ms = 0;
	enum status st = review(c, &why);
	if (st != ST_OK)
		crawl_fail(c, st, &why);
}

enum status reload_begin(struct crawl *c, struct diag *why)
{
	if (c->scope_before == 0 || c->scope_before == scope_hash(c->settings, c->seeds))
		return ST_OK;
	crawl_blind(c, BLIND_SETTINGS);
	return review(c, why);
}
