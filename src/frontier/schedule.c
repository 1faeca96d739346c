#include "frontier/schedule.h"

#include <string.h>

enum schedule_place {
	PLACE_NOWHERE,
	PLACE_RING,
	PLACE_HEAP,
};

void schedule_release(struct schedule *s)
{
	free(s->ring);
	free(s->members);
	due_heap_release(&s->heap);
	*s = (struct schedule){ 0 };
}

static struct schedule_member *member_of(struct schedule *s, uint32_t member)
{
	size_t known = s->members_cap;

	VEC_RESERVE(s->members, s->members_cap, (size_t)member + 1);
	if (s->members_cap > known)
		memset(s->members + known, 0,
		       (s->members_cap - known) * sizeof(*s->members));
	return &s->members[member];
}

bool schedule_has(const struct schedule *s, uint32_t member)
{
	return member < s->members_cap && s->members[member].place != PLACE_NOWHERE;
}

/* Entries of ring and heap are not searched for: their stamp makes them stale. */
static void leave(struct schedule *s, struct schedule_member *m)
{
	s->waiting -= m->place == PLACE_HEAP;
	m->place = PLACE_NOWHERE;
	m->stamp++;
}

static void ring_grow(struct schedule *s)
{
	size_t cap = s->ring_cap ? 2 * s->ring_cap : 64;
	uint32_t *fresh = xcalloc(cap, sizeof(*fresh));

	for (size_t i = 0; i < s->ring_n; i++)
		fresh[i] = s->ring[(s->ring_head + i) & (s->ring_cap - 1)];
	free(s->ring);
	s->ring = fresh;
	s->ring_cap = cap;
	s->ring_head = 0;
}

void schedule_ready(struct schedule *s, uint32_t member)
{
	struct schedule_member *m = member_of(s, member);

	if (m->place == PLACE_RING)
		return;
	leave(s, m);
	m->place = PLACE_RING;
	if (s->ring_n == s->ring_cap)
		ring_grow(s);
	s->ring[(s->ring_head + s->ring_n++) & (s->ring_cap - 1)] = member;
}

void schedule_wait(struct schedule *s, uint32_t member, int64_t until_ms)
{
	struct schedule_member *m = member_of(s, member);

	if (m->place == PLACE_RING)
		return; /* it will find out when its turn comes */
	leave(s, m);
	m->place = PLACE_HEAP;
	s->waiting++;
	due_heap_add(&s->heap, (struct due){ until_ms, member, m->stamp });
}

static bool is_stale(const struct schedule *s, const struct due *d)
{
	const struct schedule_member *m = &s->members[d->member];

	return m->place != PLACE_HEAP || m->stamp != d->stamp;
}

int64_t schedule_next_due_ms(struct schedule *s)
{
	struct due d;

	while (s->heap.n > 0 && is_stale(s, &s->heap.v[0]))
		due_heap_take(&s->heap, &d);
	return s->heap.n > 0 ? s->heap.v[0].at_ms : INT64_MAX;
}

bool schedule_take(struct schedule *s, int64_t now_ms, uint32_t *ret)
{
	struct due d;

	while (schedule_next_due_ms(s) <= now_ms) {
		due_heap_take(&s->heap, &d);
		schedule_ready(s, d.member);
	}
	if (s->ring_n == 0)
		return false;
	*ret = s->ring[s->ring_head];
	s->ring_head = (s->ring_head + 1) & (s->ring_cap - 1);
	s->ring_n--;
	s->members[*ret].place = PLACE_NOWHERE;
	return true;
}
