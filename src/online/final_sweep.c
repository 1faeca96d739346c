/*
 * online_reckon.c - the last reckoning: what was skipped for a page that never came.
 *
 * A skip is filed under the key of its time.  Rules come and go, the page that stood for
 * the key may be forgotten, held or dropped; so in the end all keys are made anew, and
 * each that nobody answered is asked for once.  A rule on probation that has skipped
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

static void apply_only_proved(struct dust_online *o, bool only)
{
	o->rules.only_proved = only;
	rule_table_rebuild_general(&o->rules);
}

void dust_online_reckon(struct dust_online *o)
{
	cleanup(arena_release) struct arena text = { 0 };
	struct online_skip what;

	apply_only_proved(o, true);
	map_reset(&o->skips.by_key);
	map_reset(&o->sweep.answered);
	map_reset(&o->sweep.redirected_to);
	o->sweep.is_done = true;
	o->returns.n_out = 0;
	arena_reset(&o->returns.out_text);
	for (uint32_t i = 0; i < o->skips.n; i++) {
		struct skip *s = &o->skips.v[i];

		arena_reset(&text);
		if (!skip_table_read(&o->skips, i, &text, &what))
			continue;
		uint64_t *latest = map_add(&o->skips.by_key, key_of(o, what.url), NULL);
		s->older = *latest ? (uint32_t)(*latest - 1) : UINT32_MAX;
		*latest = (uint64_t)i + 1;
	}
}

bool dust_online_is_reckoned(const struct dust_online *o)
{
	return o->sweep.is_done || o->skips.n == 0;
}

void dust_online_reckon_not(struct dust_online *o)
{
	apply_only_proved(o, false);
	o->sweep.is_done = false;
}

void dust_online_reckon_answered(struct dust_online *o, struct str url)
{
	uint64_t key = key_of(o, url);

	if (map_find(&o->skips.by_key, key))
		map_add(&o->sweep.answered, key, NULL);
}

void dust_online_reckon_moved(struct dust_online *o, struct str url, struct str to)
{
	uint64_t key = key_of(o, url);

	if (!map_find(&o->skips.by_key, key))
		return;
	if (key_of(o, to) == key)
		map_add(&o->sweep.redirected_to, hash64(to), NULL);
	else
		map_add(&o->sweep.answered, key, NULL);
}

/*
 * Of the skips of a key the one to ask for: where a redirect led, or else, but only once,
 * the shortest of those that may be asked; a variant may be of a kind that nobody wants
 * any more.
 */
static uint32_t choose(const struct dust_online *o, uint64_t latest, bool is_first)
{
	cleanup(arena_release) struct arena text = { 0 };
	uint32_t best = UINT32_MAX;
	size_t least = SIZE_MAX;
	struct online_skip what;

	for (uint32_t i = (uint32_t)latest - 1; i != UINT32_MAX;
	     i = o->skips.v[i].older) {
		arena_reset(&text);
		if (!skip_table_read(&o->skips, i, &text, &what))
			continue;
		if (map_find(&o->sweep.redirected_to, hash64(what.url)))
			return i;
		if (!is_first)
			continue;
		bool welcome = !o->o.may_ask || o->o.may_ask(o->o.arg, what.url);
		size_t cost = what.url.n + (welcome ? 0 : UNWELCOME);
		if (cost <= least) {
			least = cost;
			best = i;
		}
	}
	return best;
}

bool dust_online_reckon_next(struct dust_online *o, size_t *at, struct online_skip *ret)
{
	struct map_slot slot;
	bool is_first;

	while (map_next(&o->skips.by_key, at, &slot)) {
		if (map_find(&o->sweep.answered, slot.key))
			continue;
		map_add(&o->sweep.swept, slot.key, &is_first);
		uint32_t nr = choose(o, slot.value, is_first);
		if (nr != UINT32_MAX &&
		    skip_table_take(&o->skips, nr, &o->returns.out_text, ret))
			return true;
	}
	apply_only_proved(o, false);
	return false;
}
