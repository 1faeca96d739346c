/* online_skips.c - what was skipped, and how it returns when that was wrong. */
#include <stdlib.h>

#include "base/alloc.h"
#include "dust/online_internal.h"

/* Keys remembered to have returned; past that one may return once more. */
#define FAILED_MAX ((size_t)1 << 20)
/* URLs of retracted rules that are under way at once: what they teach may bring the rule
 * back before the next ones are asked. */
#define OWED_MAX 64

void online_skips_release(struct dust_online *o)
{
	for (size_t i = 0; i < o->all.n; i++)
		free(o->notes[i].skips);
	free(o->skips);
	map_release(&o->skips_by_key);
	map_release(&o->failed);
	map_release(&o->owed);
	map_release(&o->restored);
	arena_release(&o->skipped);
	free(o->returning);
	free(o->fallen);
	free(o->returned);
	free(o->orphans);
	free(o->checks);
}

static uint32_t add_skip(struct dust_online *o, struct str url, uint64_t key,
			 const struct str *via, uint32_t depth)
{
	uint64_t *latest = map_add(&o->skips_by_key, key, NULL);
	struct skip s = { .key = key,
			  .older = *latest ? (uint32_t)(*latest - 1) : UINT32_MAX };

	/* The links of a page come together: its own URL is kept once. */
	if (!str_eq(o->last_via, *via))
		o->last_via = arena_copy(&o->skipped, *via);
	s.what = (struct online_skip){ arena_copy(&o->skipped, url), o->last_via, depth };
	VEC_ADD(o->skips, o->n_skips, o->skips_cap, s);
	*latest = o->n_skips;
	return (uint32_t)o->n_skips - 1;
}

void online_remember_skip(struct dust_online *o, struct str url,
			  const struct online_key *k)
{
	bool room = o->n_skips < o->o.skips_max;
	uint32_t nr =
		room ? add_skip(o, url, hash64(k->key), &k->via, k->depth) : UINT32_MAX;

	o->dirty = true;
	dust_online_answered(o, url);
	for (size_t i = 0; i < k->n_rules; i++) {
		struct rule_note *n = &o->notes[k->rule[i]];

		o->all.v[k->rule[i]].evidence.skipped++;
		if (room)
			VEC_ADD(n->skips, n->n_skips, n->skips_cap, nr);
	}
}

void dust_online_restore_skip(struct dust_online *o, const struct online_skip *skip,
			      struct str key, struct str rule)
{
	uint32_t nr = online_rule_at(o, skip->url, rule);

	if (o->n_skips >= o->o.skips_max)
		return;
	uint32_t at = add_skip(o, skip->url, hash64(key), &skip->via, skip->depth);
	/* It may have returned, and been skipped again: only the last time counts. */
	dust_online_restore_return(o, skip->url);
	*map_add(&o->restored, hash64(skip->url), NULL) = at;
	if (nr != RULE_NONE)
		VEC_ADD(o->notes[nr].skips, o->notes[nr].n_skips, o->notes[nr].skips_cap,
			at);
	else /* learnt shortly before the end, and not saved */
		VEC_ADD(o->orphans, o->n_orphans, o->orphans_cap, at);
}

void dust_online_restored(struct dust_online *o)
{
	online_restore_disputes(o);
	for (size_t i = 0; i < o->n_orphans; i++)
		if (o->skips[o->orphans[i]].what.url.n > 0)
			online_return(o, &(struct returning){
						 .rule = RULE_NONE,
						 .failed = STR(""),
						 .key = o->skips[o->orphans[i]].key });
	for (uint32_t i = 0; i < o->all.n; i++)
		if (!rule_is_active(&o->all.v[i]) && o->notes[i].n_skips > 0)
			online_return(o, &(struct returning){ .rule = i });
	map_release(&o->restored);
}

void dust_online_restore_return(struct dust_online *o, struct str url)
{
	uint64_t *at = map_find(&o->restored, hash64(url));

	if (at)
		o->skips[*at].what.url = STR("");
}

void online_return(struct dust_online *o, const struct returning *r)
{
	struct returning copy = *r;
	bool new;

	if (r->rule == RULE_NONE) {
		if (!map_find(&o->skips_by_key, r->key))
			return;
		if (o->failed.n > FAILED_MAX)
			map_reset(&o->failed);
		map_add(&o->failed, r->key, &new);
		if (!new)
			return;
		copy.failed = arena_copy(&o->skipped, r->failed);
	}
	if (r->rule == RULE_NONE)
		VEC_ADD(o->returning, o->n_returning, o->returning_cap, copy);
	else
		VEC_ADD(o->fallen, o->n_fallen, o->fallen_cap, copy);
}

/* Hand it out; it is skipped no longer. */
static void give_back(struct dust_online *o, uint32_t nr)
{
	struct skip *s = &o->skips[nr];

	if (s->what.url.n == 0)
		return;
	VEC_ADD(o->returned, o->n_returned, o->returned_cap, s->what);
	s->what.url = STR("");
}

static void return_by_key(struct dust_online *o, uint64_t key)
{
	uint64_t *latest = map_find(&o->skips_by_key, key);
	uint32_t i = latest ? (uint32_t)*latest - 1 : UINT32_MAX;

	for (; i != UINT32_MAX; i = o->skips[i].older)
		give_back(o, i);
	map_remove(&o->skips_by_key, key);
}

static void return_some(struct dust_online *o, struct rule_note *n, size_t most)
{
	while (n->n_skips > 0 && o->n_returned < most)
		give_back(o, n->skips[--n->n_skips]);
}

void dust_online_answered(struct dust_online *o, struct str url)
{
	map_remove(&o->owed, hash64(url));
}

void dust_online_idle(struct dust_online *o)
{
	map_reset(&o->owed);
}

/* As much of what rules have skipped as may be under way. */
static bool take_fallen(struct dust_online *o, struct returning *ret)
{
	while (o->n_fallen > 0 && o->owed.n < OWED_MAX) {
		*ret = o->fallen[0];
		struct rule_note *n = &o->notes[ret->rule];
		bool active = rule_is_active(&o->all.v[ret->rule]);

		if (!active) /* else it was learnt again: the rest stays */
			return_some(o, n, OWED_MAX - o->owed.n);
		if (active || n->n_skips == 0)
			o->fallen[0] = o->fallen[--o->n_fallen];
		for (size_t i = 0; i < o->n_returned; i++)
			map_add(&o->owed, hash64(o->returned[i].url), NULL);
		if (o->n_returned > 0)
			return true;
	}
	return false;
}

bool dust_online_next_return(struct dust_online *o, struct online_return *ret)
{
	struct returning r;

	o->n_returned = 0;
	if (o->returning_head < o->n_returning) {
		r = o->returning[o->returning_head++];
		return_by_key(o, r.key);
	} else {
		o->returning_head = o->n_returning = 0;
		if (!take_fallen(o, &r))
			return false;
	}
	*ret = (struct online_return){ .rule = r.rule,
				       .failed = r.failed,
				       .urls = o->returned,
				       .n = o->n_returned,
				       .unproved = r.unproved };
	return true;
}

/* Once more for probes, if the last ones taught anything; else it is given up. */
static bool settle_rule(struct dust_online *o, uint32_t nr, struct online_return *ret)
{
	struct rule_note *n = &o->notes[nr];
	const struct rule_evidence *e = &o->all.v[nr].evidence;

	if (n->settled == e->probes + 1) {
		n->settled = 0;
		online_retract(o, nr);
		o->fallen[o->n_fallen - 1].unproved = true;
		return dust_online_next_return(o, ret);
	}
	n->settled = e->probes + 1;
	n->issued = 0;
	o->n_returned = 0;
	return_some(o, n, o->o.probes + 1);
	*ret = (struct online_return){
		.rule = nr, .urls = o->returned, .n = o->n_returned, .unproved = true
	};
	return o->n_returned > 0;
}

static bool has_skips(struct dust_online *o, struct rule_note *n)
{
	while (n->n_skips > 0 && o->skips[n->skips[n->n_skips - 1]].what.url.n == 0)
		n->n_skips--;
	return n->n_skips > 0;
}

bool dust_online_settle(struct dust_online *o, struct online_return *ret)
{
	dust_online_idle(o);
	for (size_t i = 0; i < o->all.n; i++)
		if (o->all.v[i].state == RULE_PROBATION && has_skips(o, &o->notes[i]) &&
		    settle_rule(o, (uint32_t)i, ret))
			return true;
	return false;
}
