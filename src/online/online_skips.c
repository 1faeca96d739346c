/* online_skips.c - what was skipped, and how it returns when that was wrong. */
#include <stdlib.h>

#include "base/alloc.h"
#include "online/online_internal.h"

/*
 * How often what was skipped for a key returns: each time one more of its URLs is asked,
 * and the others are skipped for that one.  A page that is gone is gone under all its
 * URLs; redirects lead to one of them in the end.
 */
static const uint8_t returns_most[ONLINE_FAILURES] = {
	[ONLINE_ABSENT] = 1,
	[ONLINE_PASSING] = 4,
	[ONLINE_UNASKED] = 1,
	[ONLINE_MOVED] = 8,
};
/* Keys remembered to have returned; past that one may return once more. */
#define FAILED_MAX ((size_t)1 << 20)
/* URLs of a retracted rule that are under way at once: what they teach may bring the rule
 * back before the next ones are asked. */
#define OWED_MAX 64

void online_skips_release(struct dust_online *o)
{
	for (size_t i = 0; i < o->all.n; i++)
		free(o->notes[i].skips);
	free(o->skips);
	map_release(&o->skips_by_key);
	map_release(&o->failed);
	map_release(&o->answered);
	map_release(&o->reckoned);
	map_release(&o->pointed_at);
	map_release(&o->owed);
	map_release(&o->restored);
	map_release(&o->kinds);
	skip_store_release(&o->store);
	arena_release(&o->names_kept);
	arena_release(&o->returned_text);
	free(o->returning);
	free(o->fallen);
	free(o->returned);
	free(o->orphans);
	free(o->checks);
}

enum status dust_online_keep_skips_in(struct dust_online *o, const char *path,
				      struct diag *why)
{
	return skip_store_open(&o->store, path, why);
}

/* False when there is no room for it. */
static bool add_skip(struct dust_online *o, const struct online_skip *what, uint64_t key,
		     uint32_t *ret)
{
	struct skip s;

	if (o->n_skips >= o->o.skips_max || !skip_store_add(&o->store, what, &s.at))
		return false;
	uint64_t *latest = map_add(&o->skips_by_key, key, NULL);
	s.older = *latest ? (uint32_t)(*latest - 1) : UINT32_MAX;
	VEC_ADD(o->skips, o->n_skips, o->skips_cap, s);
	o->is_reckoned = false;
	*latest = o->n_skips;
	*ret = (uint32_t)o->n_skips - 1;
	return true;
}

bool online_remember_skip(struct dust_online *o, struct str url,
			  const struct online_key *k)
{
	uint32_t nr;
	bool kept = add_skip(o, &(struct online_skip){ url, k->via, k->depth },
			     hash64(k->key), &nr);

	if (!kept && !online_are_proved(o, k))
		return false;
	o->dirty = true;
	dust_online_answered(o, url);
	for (size_t i = 0; i < k->n_rules; i++) {
		struct rule_note *n = &o->notes[k->rule[i]];

		o->all.v[k->rule[i]].evidence.skipped++;
		if (kept)
			VEC_ADD(n->skips, n->n_skips, n->skips_cap, nr);
	}
	return true;
}

void dust_online_restore_skip(struct dust_online *o, const struct online_skip *skip,
			      struct str key, struct str rules)
{
	bool orphaned = rules.n == 0;
	uint32_t nr, at;

	if (!add_skip(o, skip, hash64(key), &at))
		return;
	/* It may have returned, and been skipped again: only the last time counts. */
	dust_online_restore_return(o, skip->url);
	*map_add(&o->restored, hash64(skip->url), NULL) = at;
	while (online_take_rule(o, skip->url, &rules, &nr))
		if (nr != RULE_NONE)
			VEC_ADD(o->notes[nr].skips, o->notes[nr].n_skips,
				o->notes[nr].skips_cap, at);
		else /* learnt shortly before the end, and not saved */
			orphaned = true;
	if (orphaned)
		VEC_ADD(o->orphans, o->n_orphans, o->orphans_cap,
			(struct orphan){ hash64(key), at });
}

void dust_online_restored(struct dust_online *o)
{
	online_restore_disputes(o);
	for (size_t i = 0; i < o->n_orphans; i++)
		if (o->skips[o->orphans[i].skip].at != SKIP_RETURNED)
			online_return(o, &(struct returning){ .rule = RULE_NONE,
							      .failed = STR(""),
							      .key = o->orphans[i].key });
	for (uint32_t i = 0; i < o->all.n; i++)
		if (!rule_is_active(&o->all.v[i]) && o->notes[i].n_skips > 0)
			online_return(o, &(struct returning){ .rule = i });
	map_release(&o->restored);
}

void dust_online_restore_return(struct dust_online *o, struct str url)
{
	uint64_t *at = map_find(&o->restored, hash64(url));

	if (at)
		o->skips[*at].at = SKIP_RETURNED;
}

static void return_key(struct dust_online *o, const struct returning *r)
{
	struct returning copy = *r;

	if (!map_find(&o->skips_by_key, r->key))
		return;
	if (o->failed.n > FAILED_MAX)
		map_reset(&o->failed);
	uint64_t *times = map_add(&o->failed, r->key, NULL);
	if (!r->alone && *times >= returns_most[r->cause])
		return;
	*times += !r->alone;
	copy.failed = arena_copy(&o->names_kept, r->failed);
	copy.first = arena_copy(&o->names_kept, r->first);
	VEC_ADD(o->returning, o->n_returning, o->returning_cap, copy);
}

void online_return(struct dust_online *o, const struct returning *r)
{
	if (r->rule == RULE_NONE)
		return_key(o, r);
	else
		VEC_ADD(o->fallen, o->n_fallen, o->fallen_cap, *r);
	o->is_reckoned = false;
}

static void clear_returned(struct dust_online *o)
{
	o->n_returned = 0;
	arena_reset(&o->returned_text);
}

bool online_give_back(struct dust_online *o, uint32_t nr, struct online_skip *ret)
{
	struct skip *s = &o->skips[nr];

	if (s->at == SKIP_RETURNED ||
	    !skip_store_read(&o->store, s->at, &o->returned_text, ret))
		return false;
	s->at = SKIP_RETURNED;
	return true;
}

static void give_back(struct dust_online *o, uint32_t nr)
{
	struct online_skip what;

	if (online_give_back(o, nr, &what))
		VEC_ADD(o->returned, o->n_returned, o->returned_cap, what);
}

static uint32_t latest_skip(const struct dust_online *o, uint64_t key)
{
	const uint64_t *latest = map_find(&o->skips_by_key, key);

	return latest ? (uint32_t)*latest - 1 : UINT32_MAX;
}

/* Of the skips of a key the one of this URL, if it is one. */
static void return_one(struct dust_online *o, uint64_t key, struct str url)
{
	cleanup(arena_release) struct arena text = { 0 };
	struct online_skip what;

	for (uint32_t i = latest_skip(o, key); i != UINT32_MAX; i = o->skips[i].older) {
		arena_reset(&text);
		if (o->skips[i].at != SKIP_RETURNED &&
		    skip_store_read(&o->store, o->skips[i].at, &text, &what) &&
		    str_eq(what.url, url)) {
			give_back(o, i);
			return;
		}
	}
}

static void return_by_key(struct dust_online *o, uint64_t key, struct str first)
{
	for (uint32_t i = latest_skip(o, key); i != UINT32_MAX; i = o->skips[i].older)
		give_back(o, i);
	map_remove(&o->skips_by_key, key);
	for (size_t k = 1; k < o->n_returned; k++)
		if (str_eq(o->returned[k].url, first)) {
			struct online_skip front = o->returned[0];

			o->returned[0] = o->returned[k];
			o->returned[k] = front;
		}
}

static void return_some(struct dust_online *o, struct rule_note *n, size_t most)
{
	while (n->n_skips > 0 && o->n_returned < most)
		give_back(o, n->skips[--n->n_skips]);
}

void dust_online_answered(struct dust_online *o, struct str url)
{
	uint64_t *rule = map_find(&o->owed, hash64(url));

	if (!rule)
		return;
	o->notes[*rule].owed--;
	map_remove(&o->owed, hash64(url));
}

void dust_online_idle(struct dust_online *o)
{
	map_reset(&o->owed);
	for (size_t i = 0; i < o->all.n; i++)
		o->notes[i].owed = 0;
	o->n_fallen = 0; /* the reckoning knows which of their pages nobody has */
}

/* What was given back for a rule's sake is under way. */
static void note_owed(struct dust_online *o, uint32_t rule)
{
	for (size_t i = 0; i < o->n_returned; i++) {
		bool is_new;

		*map_add(&o->owed, hash64(o->returned[i].url), &is_new) = rule;
		o->notes[rule].owed += is_new;
	}
}

/* As much of what a rule has skipped as may be under way for it. */
static bool take_fallen(struct dust_online *o, struct returning *ret)
{
	for (size_t i = 0; i < o->n_fallen;) {
		*ret = o->fallen[i];
		struct rule_note *n = &o->notes[ret->rule];
		bool active = rule_is_active(&o->all.v[ret->rule]);

		if (!active && n->owed < OWED_MAX)
			return_some(o, n, OWED_MAX - n->owed);
		if (active || n->n_skips == 0) /* learnt again: the rest stays */
			o->fallen[i] = o->fallen[--o->n_fallen];
		else
			i++;
		note_owed(o, ret->rule);
		if (o->n_returned > 0)
			return true;
	}
	return false;
}

bool dust_online_next_return(struct dust_online *o, struct online_return *ret)
{
	struct returning r;

	clear_returned(o);
	if (o->returning_head < o->n_returning) {
		r = o->returning[o->returning_head++];
		if (r.alone)
			return_one(o, r.key, r.first);
		else
			return_by_key(o, r.key, r.first);
	} else {
		o->returning_head = o->n_returning = 0;
		if (!take_fallen(o, &r))
			return false;
	}
	*ret = (struct online_return){ .rule = r.rule,
				       .failed = r.failed,
				       .urls = o->returned,
				       .n = o->n_returned };
	return true;
}

/* Once more for probes, if the last ones taught anything; else it is given up, and what
 * it skipped is left to the reckoning. */
static bool settle_rule(struct dust_online *o, uint32_t nr, struct online_return *ret)
{
	struct rule_note *n = &o->notes[nr];
	const struct rule_evidence *e = &o->all.v[nr].evidence;

	if (n->settled == e->probes + 1) {
		n->settled = 0;
		online_retract(o, nr);
		return false;
	}
	n->settled = e->probes + 1;
	n->issued = 0;
	clear_returned(o);
	return_some(o, n, o->o.probes + 1);
	*ret = (struct online_return){
		.rule = nr, .urls = o->returned, .n = o->n_returned, .unproved = true
	};
	return o->n_returned > 0;
}

static bool has_skips(struct dust_online *o, struct rule_note *n)
{
	while (n->n_skips > 0 && o->skips[n->skips[n->n_skips - 1]].at == SKIP_RETURNED)
		n->n_skips--;
	return n->n_skips > 0;
}

bool dust_online_settle(struct dust_online *o, size_t *at, struct online_return *ret)
{
	if (*at == 0)
		dust_online_idle(o);
	while (*at < o->all.n) {
		uint32_t nr = (uint32_t)(*at)++;

		if (o->all.v[nr].state == RULE_PROBATION && has_skips(o, &o->notes[nr]) &&
		    settle_rule(o, nr, ret))
			return true;
	}
	return false;
}
