#include "control/counters.h"

#include <string.h>

#include "base/hash.h"
#include "os/file.h"

#define MAGIC STR("thrCNT01")

const struct str counter_window_names[WINDOWS] = { STR("hour"), STR("day"), STR("week") };

static const struct {
	size_t first, n;
	int64_t slot_ms;
} windows[WINDOWS] = {
	[WINDOW_HOUR] = { 0, 60, 60000 },
	[WINDOW_DAY] = { 60, 96, 900000 },
	[WINDOW_WEEK] = { 156, 168, 3600000 },
};

static uint64_t period_of(enum counter_window w, int64_t now_ms)
{
	return (uint64_t)(MAX(now_ms, 0) / windows[w].slot_ms);
}

void counters_note(struct counters *c, const uint64_t *totals, size_t n, int64_t now_ms)
{
	n = MIN(n, (size_t)COUNTERS_MAX);
	for (unsigned w = 0; w < WINDOWS && c->begun; w++) {
		uint64_t period = period_of(w, now_ms);
		struct counter_slot *s =
			&c->slots[windows[w].first + period % windows[w].n];

		if (s->period != period)
			*s = (struct counter_slot){ .period = period };
		for (size_t i = 0; i < n; i++)
			s->added[i] +=
				totals[i] > c->last[i] ? totals[i] - c->last[i] : 0;
	}
	memcpy(c->last, totals, n * sizeof(*totals));
	c->begun = true;
}

uint64_t counters_sum(const struct counters *c, enum counter_window w, size_t i,
		      int64_t now_ms)
{
	uint64_t period = period_of(w, now_ms), sum = 0;

	for (size_t k = 0; k < windows[w].n; k++) {
		const struct counter_slot *s = &c->slots[windows[w].first + k];

		if (s->period <= period && s->period + windows[w].n > period)
			sum += s->added[i];
	}
	return sum;
}

void counters_load(struct counters *c, const char *path)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct str in;
	uint64_t check;

	*c = (struct counters){ 0 };
	if (!file_exists(path) || file_load(path, 1 << 20, &b, NULL) != ST_OK)
		return;
	in = buf_str(&b);
	if (in.n != MAGIC.n + 8 + sizeof(c->slots) || !str_take_prefix(&in, MAGIC) ||
	    !str_take_u64(&in, &check) || check != hash64(in))
		return;
	memcpy(c->slots, in.p, sizeof(c->slots));
}

enum status counters_save(const struct counters *c, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct str slots = { (const char *)c->slots, sizeof(c->slots) };

	buf_add(&b, MAGIC);
	buf_add_u64(&b, hash64(slots));
	buf_add(&b, slots);
	return file_replace(path, buf_str(&b), why);
}
