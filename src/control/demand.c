#include "control/demand.h"

#include <string.h>

enum {
	FLAG_SCORE = 1,
	FLAG_DEADLINE = 2,
};

void demand_encode(const struct demand *d, struct buf *to)
{
	uint64_t bits;

	memcpy(&bits, &d->score, sizeof(bits));
	buf_add_u8(to, d->kind);
	buf_add_u8(to, (uint8_t)((d->has_score ? FLAG_SCORE : 0) |
				 (d->deadline_ms ? FLAG_DEADLINE : 0)));
	if (d->has_score)
		buf_add_u64(to, bits);
	if (d->deadline_ms)
		buf_add_u64(to, (uint64_t)d->deadline_ms);
	buf_add_sized(to, d->text);
}

enum status demand_next(struct str *block, struct demand *ret)
{
	struct demand d = { 0 };
	uint64_t score = 0, deadline = 0;
	uint8_t flags;

	if (block->n == 0)
		return ST_AGAIN;
	if (!str_take_u8(block, &d.kind) || d.kind >= DEMANDS ||
	    !str_take_u8(block, &flags) || flags > (FLAG_SCORE | FLAG_DEADLINE) ||
	    (flags & FLAG_SCORE && !str_take_u64(block, &score)) ||
	    (flags & FLAG_DEADLINE && !str_take_u64(block, &deadline)) ||
	    !str_take_sized(block, &d.text))
		return ST_CORRUPT;
	d.has_score = flags & FLAG_SCORE;
	memcpy(&d.score, &score, sizeof(score));
	d.deadline_ms = (int64_t)deadline;
	*ret = d;
	return ST_OK;
}

uint8_t demand_priority(const struct demand *d, uint8_t otherwise)
{
	if (!d->has_score)
		return otherwise;
	/* Written so that NaN is 0. */
	return d->score >= 1 ? 255 : d->score > 0 ? (uint8_t)(d->score * 255 + 0.5) : 0;
}
