#include "frontier/lanes.h"

#include <stdlib.h>

#include "base/alloc.h"

static const char letters[LANE_KINDS] = { 'h', 'd', 'a', 'g' };

void lanes_release(struct lanes *l)
{
	for (size_t i = 0; i < l->names.n; i++)
		free(l->v[i].waiters);
	free(l->v);
	intern_release(&l->names);
	l->v = NULL;
	l->cap = 0;
}

uint32_t lanes_get(struct lanes *l, enum lane_kind kind, struct str name)
{
	char text[1024];
	size_t known = l->names.n;

	text[0] = letters[kind];
	name.n = MIN(name.n, sizeof(text) - 1);
	memcpy(text + 1, name.p, name.n);
	uint32_t id = intern_add(&l->names, (struct str){ text, name.n + 1 });
	if (id == known) {
		VEC_RESERVE(l->v, l->cap, known + 1);
		l->v[id] = (struct lane_slot){ .kind = (uint8_t)kind };
	}
	return id;
}

int64_t lanes_ready_ms(struct lanes *l, const struct lane_set *set, int64_t now_ms,
		       uint32_t *ret_blocking)
{
	int64_t ready = 0;

	for (unsigned k = 0; k < LANE_KINDS; k++) {
		if (set->id[k] == LANE_NONE)
			continue;
		int64_t t = lane_ready_ms(&l->v[set->id[k]].lane, &l->rules[k], now_ms);
		if (t == INT64_MAX && ret_blocking)
			*ret_blocking = set->id[k];
		if (t == INT64_MAX)
			return t;
		ready = MAX(ready, t);
	}
	return ready;
}

void lanes_start(struct lanes *l, const struct lane_set *set, int64_t now_ms)
{
	for (unsigned k = 0; k < LANE_KINDS; k++)
		if (set->id[k] != LANE_NONE)
			lane_start(&l->v[set->id[k]].lane, &l->rules[k], now_ms);
}

void lanes_stop(struct lanes *l, const struct lane_set *set, const struct answer *a)
{
	struct answer fine = *a;

	fine.kind = ANSWER_FINE;
	fine.retry_after_ms = 0;
	for (unsigned k = 0; k < LANE_KINDS; k++)
		if (set->id[k] != LANE_NONE)
			lane_stop(&l->v[set->id[k]].lane, &l->rules[k],
				  k == LANE_HOST ? a : &fine, &l->random);
}

void lanes_cancel(struct lanes *l, const struct lane_set *set)
{
	for (unsigned k = 0; k < LANE_KINDS; k++)
		if (set->id[k] != LANE_NONE)
			lane_cancel(&l->v[set->id[k]].lane);
}

void lane_wait(struct lanes *l, uint32_t lane, uint32_t waiter)
{
	struct lane_slot *s = &l->v[lane];

	VEC_ADD(s->waiters, s->n_waiters, s->cap_waiters, waiter);
}

bool lane_next_waiter(struct lanes *l, uint32_t lane, uint32_t *ret)
{
	struct lane_slot *s = &l->v[lane];

	if (s->n_waiters == 0)
		return false;
	*ret = s->waiters[--s->n_waiters];
	return true;
}
