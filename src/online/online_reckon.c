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

static uint64_t key_of(struct dust_online *o, struct str url)
{
	struct online_key k;

	online_make_key(o, online_current_site(o, url), url, &k);
	return hash64(k.key);
}

static void apply_only_proved(struct dust_online *o, bool only)
{
	o->only_proved = only;
	online_rebuild_general(o);
}

void dust_online_reckon(struct dust_online *o)
{
	cleanup(arena_release) struct arena text = { 0 };
	struct online_skip what;

	apply_only_proved(o, true);
	map_reset(&o->skips_by_key);
	map_reset(&o->answered);
	map_reset(&o->pointed_at);
	o->is_reckoned = true;
	o->n_returned = 0;
	arena_reset(&o->returned_text);
	for (size_t i = 0; i < o->n_skips; i++) {
		struct skip *s = &o->skips[i];

		arena_reset(&text);
		if (s->at == SKIP_RETURNED ||
		    !skip_store_read(&o->store, s->at, &text, &what))
			continue;
		uint64_t *latest = map_add(&o->skips_by_key, key_of(o, what.url), NULL);
		s->older = *latest ? (uint32_t)(*latest - 1) : UINT32_MAX;
		*latest = i + 1;
	}
}

bool dust_online_is_reckoned(const struct dust_online *o)
{
	return o->is_reckoned || o->n_skips == 0;
}

void dust_online_reckon_not(struct dust_online *o)
{
	apply_only_proved(o, false);
	o->is_reckoned = false;
}

void dust_online_reckon_answered(struct dust_online *o, struct str url)
{
	uint64_t key = key_of(o, url);

	if (map_find(&o->skips_by_key, key))
		map_add(&o->answered, key, NULL);
}

void dust_online_reckon_moved(struct dust_online *o, struct str url, struct str to)
{
	uint64_t key = key_of(o, url);

	if (!map_find(&o->skips_by_key, key))
		return;
	if (key_of(o, to) == key)
		map_add(&o->pointed_at, hash64(to), NULL);
	else
		map_add(&o->answered, key, NULL);
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

	for (uint32_t i = (uint32_t)latest - 1; i != UINT32_MAX; i = o->skips[i].older) {
		arena_reset(&text);
		if (o->skips[i].at == SKIP_RETURNED ||
		    !skip_store_read(&o->store, o->skips[i].at, &text, &what))
			continue;
		if (map_find(&o->pointed_at, hash64(what.url)))
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

	while (map_next(&o->skips_by_key, at, &slot)) {
		if (map_find(&o->answered, slot.key))
			continue;
		map_add(&o->reckoned, slot.key, &is_first);
		uint32_t nr = choose(o, slot.value, is_first);
		if (nr != UINT32_MAX && online_give_back(o, nr, ret))
			return true;
	}
	apply_only_proved(o, false);
	return false;
}
