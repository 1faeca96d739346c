#include "crawl/reorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "control/score_file.h"
#include "engine/steps.h"
#include "url/normal.h"

#define STEP_NS    2000000
#define LOOK_EVERY 32 /* moves between two looks at the clock */
#define LATER_LINES \
	((size_t)1 << 20) /* for sites that are awake; more waits in the thread */

/* One score for a site that was awake. */
struct later {
	struct str url; /* in its own piece of memory */
	struct u128 key;
	uint32_t next; /* of the same site; 0: none */
};

struct reorder {
	struct score_watch *watch;
	struct score_batch *batch; /* being sorted to the sites */
	struct later *v;           /* from 1 on */
	size_t n, cap;
	size_t n_waiting;
	uint32_t free;     /* chain of unused entries */
	struct map sites;  /* site -> first entry */
	uint32_t *waiting; /* sites with entries */
	size_t n_sites, sites_cap, turn;
	struct buf scratch[2];
};

enum status reorder_open(struct crawl *c, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };

	if (c->settings->scores.n == 0 || c->settings->dry_run)
		return ST_OK;
	struct reorder *r = NEW(struct reorder);
	VEC_RESERVE(r->v, r->cap, 1);
	r->n = 1;
	c->reorder = r;
	return score_watch_start(&r->watch, path_join(&a, "", c->settings->scores),
				 (int64_t)c->settings->scores_sleep_ms, why);
}

void reorder_release(struct crawl *c)
{
	struct reorder *r = TAKE(c->reorder);

	if (!r)
		return;
	score_watch_stop(r->watch);
	score_batch_free(r->batch);
	for (size_t k = 1; k < r->n; k++)
		free((char *)(uintptr_t)r->v[k].url.p);
	free(r->v);
	free(r->waiting);
	map_release(&r->sites);
	buf_release(&r->scratch[0]);
	buf_release(&r->scratch[1]);
	free(r);
}

/* --- from the file to the sites --- */

static uint32_t take_entry(struct reorder *r)
{
	uint32_t nr = r->free;

	if (nr) {
		r->free = r->v[nr].next;
		return nr;
	}
	VEC_ADD(r->v, r->n, r->cap, (struct later){ 0 });
	return (uint32_t)(r->n - 1);
}

static void keep_for_site(struct reorder *r, uint32_t site, struct str url,
			  struct u128 key)
{
	bool is_new;
	uint32_t nr = take_entry(r);
	uint64_t *first = map_add(&r->sites, (uint64_t)site + 1, &is_new);

	char *text = xcalloc(1, url.n + 1);
	memcpy(text, url.p, url.n);
	r->v[nr] = (struct later){ .url = { text, url.n },
				   .key = key,
				   .next = (uint32_t)*first };
	*first = nr;
	r->n_waiting++;
	if (is_new)
		VEC_ADD(r->waiting, r->n_sites, r->sites_cap, site);
}

/* What is queued waits for its site to be snoozed; the rest for being found. */
static void sort_line(struct crawl *c, const struct score_line *l)
{
	struct reorder *r = c->reorder;
	struct u128 key;
	struct url u;

	if (url_parse_normal(l->url, NULL, NORMAL_STANDARD, r->scratch, &u, NULL) !=
		    ST_OK ||
	    !url_is_http(&u)) {
		c->steer.malformed++;
		return;
	}
	struct str url = url_without_fragment(&u);
	*map_add(&c->steer.scores, hash128(url).lo, NULL) = 1u + l->priority;
	uint32_t site = sites_find(&c->frontier.sites, &u);
	if (site != SITE_NONE && steered_find_queued(c, url, &key))
		keep_for_site(r, site, url, key);
}

static bool sort_batch(struct crawl *c, int64_t until_ns)
{
	struct reorder *r = c->reorder;

	if (!r->batch && r->n_waiting < LATER_LINES)
		r->batch = score_watch_take(r->watch);
	if (!r->batch)
		return false;
	while (r->batch->at < r->batch->n) {
		sort_line(c, &r->batch->v[r->batch->at++]);
		if (r->batch->at % LOOK_EVERY == 0 &&
		    clock_mono_ns(&real_clock) > until_ns)
			return true;
	}
	score_batch_free(TAKE(r->batch));
	return true;
}

/* --- from the sites to their queues --- */

/* For how long nothing is taken from its queue: INT64_MAX while a request must end. */
static int64_t snoozed_ms(struct crawl *c, uint32_t site)
{
	struct frontier *f = &c->frontier;
	int64_t now = crawl_time_ms(c);
	int64_t ready = lanes_ready_ms(&f->lanes, &f->sites.v[site].lanes, now, NULL);

	return ready == INT64_MAX ? INT64_MAX : ready - now;
}

static void apply(struct crawl *c, struct later *l)
{
	struct diag why;
	enum status st = ST_NOT_FOUND;

	/* A later line may have said something else since. */
	const uint64_t *now = map_find(&c->steer.scores, hash128(l->url).lo);
	if (frontier_is_queued(&c->frontier, l->key))
		st = steered_move(c, l->url, l->key, (uint8_t)(*now - 1), &why);
	if (st != ST_OK && st != ST_NOT_FOUND)
		crawl_fail(c, st, &why);
	free((char *)(uintptr_t)l->url.p);
	l->url = (struct str){ NULL, 0 };
}

/* Until it has no more, or wakes soon; false when it has more. */
static bool apply_site(struct crawl *c, uint32_t site, int64_t until_ns)
{
	struct reorder *r = c->reorder;
	uint64_t *first = map_find(&r->sites, (uint64_t)site + 1);
	int64_t margin = (int64_t)c->settings->scores_margin_ms;

	for (unsigned n = 0; *first; n++) {
		if (n % LOOK_EVERY == 0 && (clock_mono_ns(&real_clock) > until_ns ||
					    snoozed_ms(c, site) < margin))
			return false;
		uint32_t nr = (uint32_t)*first;
		*first = r->v[nr].next;
		apply(c, &r->v[nr]);
		r->v[nr].next = r->free;
		r->free = nr;
		r->n_waiting--;
	}
	map_remove(&r->sites, (uint64_t)site + 1);
	return true;
}

/* Each site in its turn, those that are awake later. */
static bool apply_some(struct crawl *c, int64_t until_ns)
{
	struct reorder *r = c->reorder;
	int64_t margin = (int64_t)c->settings->scores_margin_ms;

	for (size_t looked = 0, all = r->n_sites; looked < all && r->n_sites > 0;
	     looked++) {
		size_t at = r->turn++ % r->n_sites;
		uint32_t site = r->waiting[at];

		if (snoozed_ms(c, site) >= margin && apply_site(c, site, until_ns))
			r->waiting[at] = r->waiting[--r->n_sites];
		if (clock_mono_ns(&real_clock) > until_ns)
			return true;
	}
	return false;
}

bool reorder_step(struct crawl *c)
{
	int64_t until_ns = clock_mono_ns(&real_clock) + STEP_NS;

	if (!c->reorder || c->stopping)
		return false;
	bool more = sort_batch(c, until_ns);
	return apply_some(c, until_ns) || more;
}
