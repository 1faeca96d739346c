/* online_returns.c - how what was skipped returns when that was wrong. */
#include <stdlib.h>

#include "base/alloc.h"
#include "online/online_internal.h"

/*
 * How often what was skipped for a key returns: each time one more of its URLs is
 * fetched, and the others are skipped for that one.  A page that is gone is gone under
 * all its URLs; redirects lead to one of them in the end.
 */
static const uint8_t times_max[ONLINE_FAILURES] = {
	[ONLINE_ABSENT] = 1,
	[ONLINE_PASSING] = 4,
	[ONLINE_NOT_REQUESTED] = 1,
	[ONLINE_MOVED] = 8,
};
/* Keys remembered to have returned; past that one may return once more. */
#define KEYS_MAX ((size_t)1 << 20)
/* URLs of a retracted rule that are in flight at once: what they teach may bring the rule
 * back before the next ones are fetched. */
#define IN_FLIGHT_MAX 64

void return_queue_release(struct return_queue *q)
{
	free(q->by_key);
	free(q->by_rule);
	map_release(&q->in_flight);
	map_release(&q->times);
	free(q->out);
	arena_release(&q->out_text);
	arena_release(&q->urls);
}

static void return_key(struct return_queue *q, const struct returning *r)
{
	struct returning copy = *r;

	if (q->times.n > KEYS_MAX)
		map_reset(&q->times);
	uint64_t *times = map_add(&q->times, r->key, NULL);
	if (!r->alone && *times >= times_max[r->cause])
		return;
	*times += !r->alone;
	copy.failed = arena_copy(&q->urls, r->failed);
	copy.first = arena_copy(&q->urls, r->first);
	VEC_ADD(q->by_key, q->n_by_key, q->by_key_cap, copy);
}

void online_return(struct dust_online *o, const struct returning *r)
{
	struct return_queue *q = &o->returns;

	o->sweep.is_done = false;
	if (r->rule != RULE_NONE)
		VEC_ADD(q->by_rule, q->n_by_rule, q->by_rule_cap, *r);
	else if (map_find(&o->skips.by_key, r->key))
		return_key(q, r);
}

static void clear_out(struct return_queue *q)
{
	q->n_out = 0;
	arena_reset(&q->out_text);
}

static void give_back(struct return_queue *q, struct skip_table *skips, uint32_t nr)
{
	struct online_skip what;

	if (skip_table_take(skips, nr, &q->out_text, &what))
		VEC_ADD(q->out, q->n_out, q->out_cap, what);
}

/* Of the skips of a key the one of this URL, if it is one. */
static void return_one(struct return_queue *q, struct skip_table *skips, uint64_t key,
		       struct str url)
{
	cleanup(arena_release) struct arena text = { 0 };
	struct online_skip what;

	for (uint32_t i = skip_table_latest(skips, key); i != UINT32_MAX;
	     i = skips->v[i].older) {
		arena_reset(&text);
		if (skip_table_read(skips, i, &text, &what) && str_eq(what.url, url)) {
			give_back(q, skips, i);
			return;
		}
	}
}

static void return_by_key(struct return_queue *q, struct skip_table *skips, uint64_t key,
			  struct str first)
{
	for (uint32_t i = skip_table_latest(skips, key); i != UINT32_MAX;
	     i = skips->v[i].older)
		give_back(q, skips, i);
	map_remove(&skips->by_key, key);
	for (size_t k = 1; k < q->n_out; k++)
		if (str_eq(q->out[k].url, first)) {
			struct online_skip front = q->out[0];

			q->out[0] = q->out[k];
			q->out[k] = front;
		}
}

static void return_some(struct return_queue *q, struct skip_table *skips,
			struct rule_record *r, size_t most)
{
	while (r->n_skips > 0 && q->n_out < most)
		give_back(q, skips, r->skips[--r->n_skips]);
}

void dust_online_answered(struct dust_online *o, struct str url)
{
	uint64_t *rule = map_find(&o->returns.in_flight, hash64(url));

	if (!rule)
		return;
	o->rules.records[*rule].in_flight--;
	map_remove(&o->returns.in_flight, hash64(url));
}

void dust_online_idle(struct dust_online *o)
{
	map_reset(&o->returns.in_flight);
	for (size_t i = 0; i < o->rules.all.n; i++)
		o->rules.records[i].in_flight = 0;
	/* The final sweep knows which of their pages nobody has. */
	o->returns.n_by_rule = 0;
}

/* What returned for a rule's sake is in flight. */
static void count_in_flight(struct dust_online *o, uint32_t rule)
{
	for (size_t i = 0; i < o->returns.n_out; i++) {
		bool is_new;
		uint64_t *of = map_add(&o->returns.in_flight,
				       hash64(o->returns.out[i].url), &is_new);

		if (!is_new)
			o->rules.records[*of].in_flight--;
		*of = rule;
		o->rules.records[rule].in_flight++;
	}
}

/* As much of what a rule has skipped as may be in flight for it. */
static bool take_by_rule(struct dust_online *o, struct returning *ret)
{
	struct return_queue *q = &o->returns;

	for (size_t i = 0; i < q->n_by_rule;) {
		*ret = q->by_rule[i];
		struct rule_record *r = &o->rules.records[ret->rule];
		bool active = life_is_active(r->life.state);

		if (!active && r->in_flight < IN_FLIGHT_MAX)
			return_some(q, &o->skips, r, IN_FLIGHT_MAX - r->in_flight);
		if (active || r->n_skips == 0) /* learnt again: the rest stays */
			q->by_rule[i] = q->by_rule[--q->n_by_rule];
		else
			i++;
		count_in_flight(o, ret->rule);
		if (q->n_out > 0)
			return true;
	}
	return false;
}

bool dust_online_next_return(struct dust_online *o, struct online_return *ret)
{
	struct return_queue *q = &o->returns;
	struct returning r;

	clear_out(q);
	if (q->head < q->n_by_key) {
		r = q->by_key[q->head++];
		if (r.alone)
			return_one(q, &o->skips, r.key, r.first);
		else
			return_by_key(q, &o->skips, r.key, r.first);
	} else {
		q->head = q->n_by_key = 0;
		if (!take_by_rule(o, &r))
			return false;
	}
	*ret = (struct online_return){
		.rule = r.rule, .failed = r.failed, .urls = q->out, .n = q->n_out
	};
	return true;
}

/* Once more for probes, if the last ones taught anything; else it is given up, and what
 * it skipped is left to the final sweep. */
static bool settle_rule(struct dust_online *o, uint32_t nr, struct online_return *ret)
{
	struct rule_record *r = &o->rules.records[nr];
	struct return_queue *q = &o->returns;
	uint64_t probes = o->rules.all.v[nr].evidence.probes;

	if (r->life.settled == probes + 1) {
		r->life.settled = 0;
		online_retract(o, nr);
		return false;
	}
	r->life.settled = probes + 1;
	r->life.issued = 0;
	clear_out(q);
	return_some(q, &o->skips, r, o->o.probes + 1);
	*ret = (struct online_return){
		.rule = nr, .urls = q->out, .n = q->n_out, .unproved = true
	};
	return q->n_out > 0;
}

static bool has_skips(const struct skip_table *t, struct rule_record *r)
{
	while (r->n_skips > 0 && t->v[r->skips[r->n_skips - 1]].at == SKIP_RETURNED)
		r->n_skips--;
	return r->n_skips > 0;
}

bool dust_online_settle(struct dust_online *o, size_t *at, struct online_return *ret)
{
	if (*at == 0)
		dust_online_idle(o);
	while (*at < o->rules.all.n) {
		uint32_t nr = (uint32_t)(*at)++;

		if (life_is_on_trial(rule_table_state(&o->rules, nr)) &&
		    has_skips(&o->skips, &o->rules.records[nr]) &&
		    settle_rule(o, nr, ret))
			return true;
	}
	return false;
}
