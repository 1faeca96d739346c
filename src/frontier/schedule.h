/*
 * schedule.h - whose turn is it?
 *
 * Members (pay-level domains, by number) are in one of three places: the ring of
 * those that may be asked now, served round robin; the heap of those that wait for
 * a time; or nowhere, until somebody adds them again.  A member is in one place at
 * most.  Pure; one owner.
 */
#ifndef FRONTIER_SCHEDULE_H
#define FRONTIER_SCHEDULE_H

#include "base/heap.h"

struct due {
	int64_t at_ms;
	uint32_t member;
	uint32_t stamp; /* an entry whose member has a newer one is stale */
};

static inline bool due_before(const struct due *a, const struct due *b)
{
	return a->at_ms != b->at_ms ? a->at_ms < b->at_ms : a->member < b->member;
}

HEAP_DEFINE(due_heap, struct due, due_before)

struct schedule_member {
	uint8_t place; /* enum schedule_place */
	uint32_t stamp;
};

struct schedule {
	uint32_t *ring;
	size_t ring_cap, ring_head, ring_n; /* cap is a power of two */
	struct due_heap heap;
	struct schedule_member *members;
	size_t members_cap;
	size_t waiting; /* members in the heap */
};

void schedule_release(struct schedule *s);
/* To the end of the ring, wherever it was; nothing when it is in the ring already. */
void schedule_ready(struct schedule *s, uint32_t member);
/* Into the heap, wherever it was. */
void schedule_wait(struct schedule *s, uint32_t member, int64_t until_ms);
/* Take the next out of the ring, after those whose time has come joined it. */
bool schedule_take(struct schedule *s, int64_t now_ms, uint32_t *ret);
/* When the next of the heap is due; INT64_MAX for never. */
int64_t schedule_next_due_ms(struct schedule *s);
bool schedule_has(const struct schedule *s, uint32_t member);
#endif
