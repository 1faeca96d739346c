/*
 * final_sweep.c - at the end of a crawl: what was skipped for a page that never came.
 *
 * A skip is filed under the key of its time.  Rules come and go, the page that stood for
 * the key may be forgotten or dropped; so in the end all keys are made anew, and of each
 * that nobody answered one skip is given out once.  A rule on trial that has skipped
 * nothing is never put to the test: it makes no keys then, or its guess that two URLs are
 * one would answer for a page that was skipped by another rule.
 */
#include "base/alloc.h"
#include "online/online_internal.h"

#define UNWELCOME ((size_t)1 << 32) /* longer than any URL */

void final_sweep_release(struct final_sweep *s)
{
	map_release(&s->answered);
	map_release(&s->swept);
	map_release(&s->redirected_to);
}

static uint64_t key_of(struct dust_online *o, struct str url)
{
	struct online_key k;

	online_make_key(o, online_current_site(o, url), url, &k);
	return hash64(k.key);
}

static void apply_only_proved(struct rule_table *t, bool only)
{
	t->only_proved = only;
	rule_table_rebuild_general(t);
}

void dust_online_sweep_start(struct dust_online *o)
{
	cleanup(arena_release) struct arena text = { 0 };
	struct skip_table *t = &o->skips;
	struct online_skip what;

	apply_only_proved(&o->rules, true);
	map_reset(&t->by_key);
	map_reset(&o->sweep.answered);
	map_reset(&o->sweep.redirected_to);
	o->sweep.is_done = true;
	for (uint32_t i = 0; i < t->n; i++) {
		arena_reset(&text);
		if (skip_table_read(t, i, &text, &what))
			skip_table_file(t, i, key_of(o, what.url));
	}
}

bool dust_online_is_swept(const struct dust_online *o)
{
	return o->sweep.is_done || o->skips.n == 0;
}

void dust_online_sweep_abandon(struct dust_online *o)
{
	apply_only_proved(&o->rules, false);
	o->sweep.is_done = false;
}

void dust_online_sweep_answered(struct dust_online *o, struct str url)
{
	uint64_t key = key_of(o, url);

	if (map_find(&o->skips.by_key, key))
		map_add(&o->sweep.answered, key, NULL);
}

void dust_online_sweep_redirected(struct dust_online *o, struct str url, struct str to)
{
	uint64_t key = key_of(o, url);

	if (!map_find(&o->skips.by_key, key))
		return;
	if (key_of(o, to) == key)
		map_add(&o->sweep.redirected_to, hash64(to), NULL);
	else
		map_add(&o->sweep.answered, key, NULL);
}

/* Of the skips of a key the one that a redirect led to, or UINT32_MAX. */
static uint32_t find_target(struct dust_online *o, uint32_t latest)
{
	cleanup(arena_release) struct arena text = { 0 };
	const struct skip_table *t = &o->skips;
	struct online_skip what;

	if (o->sweep.redirected_to.n == 0)
		return UINT32_MAX;
	for (uint32_t i = latest; i != UINT32_MAX; i = t->v[i].older) {
		arena_reset(&text);
		if (skip_table_read(t, i, &text, &what) &&
		    map_find(&o->sweep.redirected_to, hash64(what.url)))
			return i;
	}
	return UINT32_MAX;
}

bool dust_online_sweep_next(struct dust_online *o, struct sweep_cursor *c)
{
	struct map_slot slot;
	bool is_first;

	while (map_next(&o->skips.by_key, &c->at, &slot)) {
		if (map_find(&o->sweep.answered, slot.key))
			continue;
		uint32_t latest = (uint32_t)slot.value - 1;
		map_add(&o->sweep.swept, slot.key, &is_first);
		c->chosen = find_target(o, latest);
		c->least = SIZE_MAX;
		/* Where a redirect led is what is wanted; otherwise a key is tried once.
		 */
		c->next = c->chosen == UINT32_MAX && is_first ? latest : UINT32_MAX;
		if (c->chosen != UINT32_MAX || c->next != UINT32_MAX)
			return true;
	}
	apply_only_proved(&o->rules, false);
	return false;
}

bool dust_online_sweep_candidate(struct dust_online *o, struct sweep_cursor *c,
				 struct str *ret)
{
	struct arena *text = &o->returns.out_text;
	struct online_skip what;

	while (c->next != UINT32_MAX) {
		c->current = c->next;
		c->next = o->skips.v[c->current].older;
		arena_reset(text);
		if (skip_table_read(&o->skips, c->current, text, &what)) {
			c->current_bytes = what.url.n;
			*ret = what.url;
			return true;
		}
	}
	return false;
}

void sweep_cursor_rate(struct sweep_cursor *c, bool is_welcome)
{
	size_t cost = c->current_bytes + (is_welcome ? 0 : UNWELCOME);

	if (cost > c->least)
		return;
	c->least = cost;
	c->chosen = c->current;
}

bool dust_online_sweep_take(struct dust_online *o, const struct sweep_cursor *c,
			    struct online_skip *ret)
{
	arena_reset(&o->returns.out_text);
	return c->chosen != UINT32_MAX &&
	       skip_table_take(&o->skips, c->chosen, &o->returns.out_text, ret);
}
