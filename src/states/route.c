#include <stdlib.h>

#include "base/alloc.h"
#include "states/explorer.h"

/* Does the browser keep for the page what it kept when `state` was first seen? */
static bool is_stored_as_in(const struct explorer *x, uint32_t state)
{
	return str_eq(x->model->states[state]->seen.stored, str_from(x->stored));
}

/*
 * Without a fresh load only the very same observation will do, and the same things
 * stored: a near one may hide a counter or a longer list, and what an event leads to
 * must not depend on which way we came, or a crawl that was killed would end otherwise.
 */
static bool arrived(const struct explorer *x, uint32_t to, enum way_back way)
{
	if (way < WAY_URL)
		return x->here == to && !x->dirty && is_stored_as_in(x, to);
	return x->here == to || x->kept == to;
}

static enum status look_whether(struct explorer *x, uint32_t to, enum way_back way,
				bool *ret, struct diag *why)
{
	TRY(explorer_look(x, why));
	*ret = arrived(x, to, way);
	if (*ret)
		x->stats.ways[way]++;
	return ST_OK;
}

/* A failure of the page is no failure of ours: the next way is tried. */
static bool is_of_the_page(enum status st)
{
	return st == ST_DENIED || st == ST_NOT_FOUND;
}

static enum status try_history(struct explorer *x, uint32_t to, bool *ret,
			       struct diag *why)
{
	*ret = false;
	if (!x->crossed || x->dirty)
		return ST_OK;
	enum status st = tab_back(x->tab, (uint32_t)x->options->settle_ms, why);
	x->crossed = x->hovering = false;
	if (st != ST_OK)
		return is_of_the_page(st) ? ST_OK : st;
	return look_whether(x, to, WAY_HISTORY, ret, why);
}

static enum status try_edge(struct explorer *x, uint32_t to, bool *ret, struct diag *why)
{
	const struct model *m = x->model;

	*ret = false;
	if (x->kept == STATE_UNSEEN || x->here != x->kept || x->dirty)
		return ST_OK;
	for (size_t i = 0; i < m->deed_count; i++) {
		const struct deed *d = &m->deeds[i];

		if (d->outcome != DEED_DONE || d->state != x->kept || d->to != to)
			continue;
		enum status st = explorer_act(x, d, WALL_REPEATING, why);
		if (st != ST_OK)
			return is_of_the_page(st) ? ST_OK : st;
		return look_whether(x, to, WAY_EDGE, ret, why);
	}
	return ST_OK;
}

static enum status load(struct explorer *x, struct str url, struct diag *why)
{
	x->here = x->kept = STATE_UNSEEN;
	x->crossed = x->dirty = x->hovering = false;
	wall_begin(&x->wall, WALL_LOADING, 0);
	/* To another fragment of the same document nothing would be loaded. */
	if (str_find_char(url, '#') != STR_NONE)
		TRY(tab_goto(x->tab, STR("about:blank"), 1, why));
	return tab_goto(x->tab, url, (uint32_t)x->options->settle_ms, why);
}

/* As in a new browser, but for the cookies: a session of the server is worth keeping. */
static enum status clear_storage(struct explorer *x, struct diag *why)
{
	enum status st = tab_clear_storage(x->tab, x->options->guard.origin, why);

	/* Some origins have none to clear; whether we arrive is seen later. */
	x->stored[0] = '\0';
	return st == ST_DENIED ? ST_OK : st;
}

/* Only when no other kept state has the same URL. */
static bool has_own_url(const struct model *m, uint32_t state)
{
	for (size_t i = 0; i < m->simulation.kept_count; i++) {
		uint32_t other = m->simulation.kept[i];

		if (other != state &&
		    str_eq(m->states[other]->seen.url, m->states[state]->seen.url))
			return false;
	}
	return true;
}

static enum status try_url(struct explorer *x, uint32_t to, bool *ret, struct diag *why)
{
	const struct raw_state *const *all =
		(const struct raw_state *const *)x->model->states;

	*ret = false;
	if (!has_own_url(x->model, to))
		return ST_OK;
	/* What the page finds stored must be what it found when the state was first seen.
	 */
	if (!is_stored_as_in(x, to)) {
		if (!str_eq(all[to]->seen.stored, all[0]->seen.stored))
			return ST_OK;
		TRY(clear_storage(x, why));
	}
	TRY(load(x, x->model->states[to]->seen.url, why));
	return look_whether(x, to, WAY_URL, ret, why);
}

/*
 * The events by which `to` was first seen, the last one first.  A shorter way may have
 * become known, but only on this one everything that does not show is as it was.
 */
static size_t first_way(const struct model *m, uint32_t to, const struct deed **ret,
			size_t max)
{
	const struct deed *d;
	size_t n = 0;

	for (uint32_t at = to; n < max && (d = model_first_deed(m, at)); at = d->state)
		ret[n++] = d;
	return n > 0 && n < max && ret[n - 1]->state == 0 ? n : 0;
}

#define WAY_MAX 64

static enum status try_replay(struct explorer *x, uint32_t to, enum way_back way,
			      bool *ret, struct diag *why)
{
	const struct deed *steps[WAY_MAX];
	size_t n = to ? first_way(x->model, to, steps, WAY_MAX) : 0;

	*ret = false;
	if (to && n == 0)
		return ST_OK;
	TRY(clear_storage(x, why));
	TRY(load(x, x->options->url, why));
	while (n--) {
		enum status st = explorer_act(x, steps[n], WALL_REPEATING, why);

		if (st != ST_OK)
			return is_of_the_page(st) ? ST_OK : st;
	}
	return look_whether(x, to, way, ret, why);
}

static enum status try_fresh(struct explorer *x, uint32_t to, bool *ret, struct diag *why)
{
	TRY(explorer_take_traffic(x, why));
	tab_close(x->tab);
	x->tab = NULL;
	TRY(explorer_open_tab(x, why));
	return try_replay(x, to, WAY_FRESH, ret, why);
}

enum status explorer_go(struct explorer *x, uint32_t to, struct diag *why)
{
	bool there = arrived(x, to, WAY_STAYED);

	if (there) {
		x->stats.ways[WAY_STAYED]++;
		return ST_OK;
	}
	TRY(try_history(x, to, &there, why));
	if (!there)
		TRY(try_edge(x, to, &there, why));
	if (!there)
		TRY(try_url(x, to, &there, why));
	if (!there)
		TRY(try_replay(x, to, WAY_REPLAY, &there, why));
	if (!there)
		TRY(try_fresh(x, to, &there, why));
	return there ? ST_OK
		     : diag_fail(why, ST_NOT_FOUND, "no way leads back to state %u", to);
}
