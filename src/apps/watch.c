#include "apps/watch.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

#define NONE UINT32_MAX

static struct watch_group *group_of(struct app_watch *w, struct str server,
				    struct str rule)
{
	bool is_new;
	uint64_t key = hash_mix(hash64(server) ^ hash_mix(hash64(rule)));
	uint64_t *at = map_add(&w->by_key, key, &is_new);

	if (is_new) {
		*at = w->n_groups;
		VEC_ADD(w->groups, w->n_groups, w->groups_cap,
			(struct watch_group){ .key = key,
					      .rule = arena_copy(&w->bytes, rule),
					      .first = NONE,
					      .last = NONE });
	}
	return &w->groups[*at];
}

static void keep(struct app_watch *w, struct watch_group *g, const struct watch_url *url)
{
	uint32_t nr = (uint32_t)w->n;

	VEC_RESERVE(w->next, w->next_cap, w->n + 1);
	w->next[nr] = NONE;
	VEC_ADD(w->urls, w->n, w->cap,
		(struct watch_url){ .url = arena_copy(&w->bytes, url->url),
				    .via = arena_copy(&w->bytes, url->via),
				    .depth = url->depth,
				    .was_queued = url->was_queued,
				    .group = (uint32_t)(g - w->groups) });
	if (g->last == NONE)
		g->first = nr;
	else
		w->next[g->last] = nr;
	g->last = nr;
	g->n++;
}

static bool note(struct app_watch *w, struct watch_group *g, const struct watch_url *url)
{
	bool is_new;

	if (g->state == WATCH_RETRACTED)
		return false;
	if (w->n >= WATCH_URLS_MAX || url->url.n > WATCH_URL_BYTES) {
		w->not_kept++;
		return true;
	}
	uint64_t *at = map_add(&w->by_url, hash64(url->url), &is_new);
	if (is_new) {
		keep(w, g, url);
		*at = w->n;
	}
	return true;
}

bool app_watch_note(struct app_watch *w, struct str server, struct str rule,
		    const struct watch_url *url)
{
	return note(w, group_of(w, server, rule), url);
}

bool app_watch_note_api(struct app_watch *w, struct str kind, uint64_t api,
			const struct watch_url *url)
{
	struct watch_group *g = group_of(w, kind, STR("api"));

	/* What cannot return is not left out. */
	if (w->n >= WATCH_URLS_MAX || url->url.n > WATCH_URL_BYTES)
		return false;
	g->api = api;
	return note(w, g, url);
}

bool app_watch_has_api(const struct app_watch *w, struct str url)
{
	const uint64_t *at = map_find(&w->by_url, hash64(url));
	const struct watch_url *u = at ? &w->urls[*at - 1] : NULL;

	return u && !u->is_taken && w->groups[u->group].api != 0 &&
	       w->groups[u->group].state != WATCH_RETRACTED;
}

void app_watch_retract_api(struct app_watch *w, uint64_t api)
{
	for (size_t k = 0; k < w->n_groups; k++)
		if (w->groups[k].api == api)
			w->groups[k].state = WATCH_RETRACTED;
}

/* The next of a group that was not taken, `skip` further on. */
static uint32_t untaken(const struct app_watch *w, const struct watch_group *g,
			uint32_t skip)
{
	uint32_t last = NONE;

	for (uint32_t i = g->first; i != NONE; i = w->next[i]) {
		if (w->urls[i].is_taken)
			continue;
		last = i;
		if (skip-- == 0)
			break;
	}
	return last;
}

static bool is_due(const struct watch_group *g)
{
	return g->state == WATCH_HOLDS ||
	       (g->state == WATCH_TESTED && g->n >= 2 * g->tested_at && g->pending == 0);
}

/* The first, one in the middle, the last: lists are found in order. */
static uint32_t next_sample(struct app_watch *w, struct watch_group *g)
{
	if (!is_due(g))
		return NONE;
	if (g->state == WATCH_TESTED) {
		g->state = WATCH_HOLDS;
		g->taken = 0;
	}
	uint32_t i = untaken(w, g, g->taken == 0 ? 0 : g->taken == 1 ? g->n / 2 : g->n);
	g->pending += i != NONE;
	if (i == NONE || ++g->taken == WATCH_SAMPLES) {
		g->state = WATCH_TESTED;
		g->tested_at = g->n;
	}
	return i;
}

static bool take(struct app_watch *w, uint32_t i, struct watch_url *ret,
		 struct str *ret_rule)
{
	if (i == NONE)
		return false;
	w->urls[i].is_taken = true;
	*ret = w->urls[i];
	*ret_rule = w->groups[w->urls[i].group].rule;
	return true;
}

bool app_watch_take_returned(struct app_watch *w, struct watch_url *ret,
			     struct str *ret_rule)
{
	for (size_t k = 0; k < w->n_groups; k++) {
		struct watch_group *g = &w->groups[k];

		if (g->state != WATCH_RETRACTED)
			continue;
		uint32_t i = untaken(w, g, 0);
		if (i != NONE)
			g->first = i; /* all before it were taken */
		if (take(w, i, ret, ret_rule))
			return true;
	}
	return false;
}

bool app_watch_take(struct app_watch *w, bool *ret_is_sample, struct watch_url *ret,
		    struct str *ret_rule)
{
	*ret_is_sample = false;
	if (app_watch_take_returned(w, ret, ret_rule))
		return true;
	*ret_is_sample = true;
	for (size_t k = 0; k < w->n_groups; k++)
		if (take(w, next_sample(w, &w->groups[k]), ret, ret_rule))
			return true;
	return false;
}

bool app_watch_answer(struct app_watch *w, struct str url, bool is_new)
{
	const uint64_t *at = map_find(&w->by_url, hash64(url));

	if (!at || !w->urls[*at - 1].is_taken)
		return false;
	struct watch_group *g = &w->groups[w->urls[*at - 1].group];
	if (g->state == WATCH_RETRACTED || g->pending == 0)
		return false;
	g->pending--;
	if (!is_new)
		return false;
	g->state = WATCH_RETRACTED;
	return true;
}

void app_watch_settled(struct app_watch *w)
{
	for (size_t k = 0; k < w->n_groups; k++) {
		struct watch_group *g = &w->groups[k];

		if (g->state == WATCH_HOLDS) {
			g->state = WATCH_TESTED;
			g->tested_at = g->n;
		}
	}
}

void app_watch_retract(struct app_watch *w, struct str url)
{
	const uint64_t *at = map_find(&w->by_url, hash64(url));

	if (!at)
		return;
	w->urls[*at - 1].is_taken = true;
	w->groups[w->urls[*at - 1].group].state = WATCH_RETRACTED;
}

void app_watch_release(struct app_watch *w)
{
	map_release(&w->by_key);
	map_release(&w->by_url);
	free(w->groups);
	free(w->urls);
	free(w->next);
	arena_release(&w->bytes);
	*w = (struct app_watch){ 0 };
}

void assert_app_watch(const struct app_watch *w)
{
	size_t n = 0;

	for (size_t k = 0; k < w->n_groups; k++) {
		const struct watch_group *g = &w->groups[k];

		assert(g->pending <= WATCH_SAMPLES); /* 1: few are in flight */
		assert(g->tested_at <= g->n);        /* 2: tested with what there was */
		assert((g->first == NONE) == (g->n == 0));
		n += g->n;
	}
	assert(n == w->n); /* 3: each URL is of one group */
}
