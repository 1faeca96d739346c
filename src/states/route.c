#include <stdlib.h>

#include "base/alloc.h"
#include "states/explorer.h"

/* Does the browser keep for the page what it kept when `state` was first seen? */
static bool is_stored_as_in(const struct explorer *x, uint32_t state)
{
	return str_eq(x->model->states[state]->seen.stored, str_from(x->stored));
}

/* Where the event is to be fired, and its control. */
struct goal {
	uint32_t state;
	const struct candidate *control;
	uint8_t event;
};

/* Does what was looked at last offer the control? */
static bool holds(const struct explorer *x, const struct goal *g)
{
	const struct observation *o = &x->looked;

	for (size_t i = 0; i < o->candidate_count; i++) {
		const struct candidate *c = &o->candidates[i];

		if (c->events & 1u << g->event && str_eq(c->tag, g->control->tag) &&
		    str_eq(c->text, g->control->text) &&
		    (str_eq(c->path, g->control->path) ||
		     str_eq(c->css, g->control->css) ||
		     (c->href.n && str_eq(c->href, g->control->href))))
			return true;
	}
	return false;
}

#define NEAR_ENOUGH 0.3 /* at the same address */

/* After the same loads and events: it is the state, whatever of it is volatile. */
static bool is_near(const struct explorer *x, const struct goal *g, enum way_back way)
{
	const struct raw_state *s = x->model->states[g->state];

	if (!holds(x, g))
		return false;
	return way > WAY_URL ||
	       (str_eq(x->looked.url, s->seen.url) &&
		path_distance(&x->looked_id, &s->identity) <= NEAR_ENOUGH);
}

/*
 * Without a fresh load only the very same observation will do, and the same things
 * stored: a near one may hide a counter or a longer list, and what an event leads to
 * must not depend on which way we came, or a crawl that was killed would end otherwise.
 */
static bool arrived(const struct explorer *x, const struct goal *g, enum way_back way)
{
	uint32_t kept = x->model->simulation.absorbed_by[g->state];

	if (way < WAY_URL)
		return x->here == g->state && !x->dirty && is_stored_as_in(x, g->state);
	if (x->here == g->state || (x->kept == g->state && kept == g->state))
		return true;
	return is_near(x, g, way);
}

static enum status look_whether(struct explorer *x, const struct goal *g,
				enum way_back way, bool *ret, struct diag *why)
{
	TRY(explorer_look(x, why));
	*ret = arrived(x, g, way);
	if (*ret)
		x->stats.ways[way]++;
	return ST_OK;
}

/* A failure of the page is no failure of ours: the next way is tried. */
static bool is_of_the_page(enum status st)
{
	return st == ST_DENIED || st == ST_NOT_FOUND;
}

static enum status try_history(struct explorer *x, const struct goal *g, bool *ret,
			       struct diag *why)
{
	*ret = false;
	if (!x->crossed || x->dirty)
		return ST_OK;
	enum status st = tab_back(x->tab, (uint32_t)x->options->settle_ms, why);
	x->crossed = x->hovering = false;
	if (st != ST_OK)
		return is_of_the_page(st) ? ST_OK : st;
	return look_whether(x, g, WAY_HISTORY, ret, why);
}

static enum status try_edge(struct explorer *x, const struct goal *g, bool *ret,
			    struct diag *why)
{
	const struct model *m = x->model;

	*ret = false;
	if (x->kept == STATE_UNSEEN || x->here != x->kept || x->dirty)
		return ST_OK;
	for (size_t i = 0; i < m->deed_count; i++) {
		const struct deed *d = &m->deeds[i];

		if (d->outcome != DEED_DONE || d->state != x->kept || d->to != g->state)
			continue;
		enum status st = explorer_act(x, d, WALL_REPEATING, why);
		if (st != ST_OK)
			return is_of_the_page(st) ? ST_OK : st;
		return look_whether(x, g, WAY_EDGE, ret, why);
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

static enum status try_url(struct explorer *x, const struct goal *g, bool *ret,
			   struct diag *why)
{
	uint32_t to = g->state;
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
	return look_whether(x, g, WAY_URL, ret, why);
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

/* Was nothing seen at its address before it?  Then loading the address leads there. */
static bool is_first_at_url(const struct model *m, uint32_t state)
{
	for (uint32_t i = 0; i < state; i++)
		if (str_eq(m->states[i]->seen.url, m->states[state]->seen.url))
			return false;
	return str_eq(m->states[state]->seen.stored, m->states[0]->seen.stored);
}

static enum status do_steps(struct explorer *x, const struct deed **steps, size_t n,
			    struct diag *why)
{
	while (n--) {
		enum status st = explorer_act(x, steps[n], WALL_REPEATING, why);

		if (st != ST_OK && !is_of_the_page(st))
			return st;
		/* A step that cannot be done may not be needed any more: what it did, a
		 * dialog that was dismissed, may be remembered by the server. */
		if (st != ST_OK)
			break;
	}
	return ST_OK;
}

static enum status try_replay(struct explorer *x, const struct goal *g, enum way_back way,
			      bool *ret, struct diag *why)
{
	uint32_t to = g->state;
	const struct deed *steps[WAY_MAX];
	size_t n = to ? first_way(x->model, to, steps, WAY_MAX) : 0;

	*ret = false;
	if (to && n == 0)
		return ST_OK;
	TRY(clear_storage(x, why));
	TRY(load(x, x->options->url, why));
	TRY(do_steps(x, steps, n, why));
	return look_whether(x, g, way, ret, why);
}

/* The end of the way alone, from the last state of it that has an address of its own. */
static enum status try_short(struct explorer *x, const struct goal *g, bool *ret,
			     struct diag *why)
{
	const struct deed *steps[WAY_MAX];
	size_t n = g->state ? first_way(x->model, g->state, steps, WAY_MAX) : 0, k = 1;

	*ret = false;
	/* steps[k] leads to the state in which steps[k - 1] is fired. */
	while (k < n && !is_first_at_url(x->model, steps[k - 1]->state))
		k++;
	if (k >= n)
		return ST_OK;
	TRY(clear_storage(x, why));
	TRY(load(x, x->model->states[steps[k - 1]->state]->seen.url, why));
	TRY(do_steps(x, steps, k, why));
	return look_whether(x, g, WAY_SHORT, ret, why);
}

static enum status try_fresh(struct explorer *x, const struct goal *g, bool *ret,
			     struct diag *why)
{
	TRY(explorer_take_traffic(x, why));
	tab_close(x->tab);
	x->tab = NULL;
	TRY(explorer_open_tab(x, why));
	return try_replay(x, g, WAY_FRESH, ret, why);
}

enum status explorer_go(struct explorer *x, const struct deed *d, struct diag *why)
{
	struct goal g = { d->state,
			  &x->model->states[d->state]->seen.candidates[d->candidate],
			  d->event };
	bool there = arrived(x, &g, WAY_STAYED);

	if (there) {
		x->stats.ways[WAY_STAYED]++;
		return ST_OK;
	}
	TRY(try_history(x, &g, &there, why));
	if (!there)
		TRY(try_edge(x, &g, &there, why));
	if (!there)
		TRY(try_url(x, &g, &there, why));
	if (!there)
		TRY(try_short(x, &g, &there, why));
	if (!there)
		TRY(try_replay(x, &g, WAY_REPLAY, &there, why));
	if (!there)
		TRY(try_fresh(x, &g, &there, why));
	return there ? ST_OK
		     : diag_fail(why, ST_NOT_FOUND, "no way leads back to state %u",
				 d->state);
}
