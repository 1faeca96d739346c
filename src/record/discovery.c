#include "record/discovery.h"

#include "record/fetch.h"

#define DISCOVERY_VERSION 5

enum { FLAG_NOFOLLOW = 1, FLAG_SCORED = 2, FLAGS = 3 };

/* Finer than any queue has places for. */
#define SCORE_STEPS 65535.0f

void discovery_encode(const struct discovery *d, struct buf *to)
{
	buf_add_u8(to, DISCOVERY_VERSION);
	buf_add_u8(to, d->hop);
	buf_add_u8(to, d->priority);
	buf_add_u8(to, d->purpose);
	buf_add_u8(to, (uint8_t)((d->nofollow ? FLAG_NOFOLLOW : 0) |
				 (d->has_score ? FLAG_SCORED : 0)));
	buf_add_u8(to, d->penalty);
	buf_add_u8(to, d->veto);
	buf_add_u64(to, d->hash.hi);
	buf_add_u64(to, d->hash.lo);
	buf_add_varint(to, d->depth);
	buf_add_sized(to, d->url);
	/* Nearly always equal to the URL: then it is not written twice. */
	buf_add_sized(to, str_eq(d->key, d->url) ? STR("") : d->key);
	buf_add_sized(to, d->via);
	buf_add_sized(to, d->rule);
	buf_add_sized(to, d->veto_by);
	if (!d->has_score)
		return;
	buf_add_varint(to, (uint64_t)(d->score * SCORE_STEPS + 0.5f));
	buf_add_sized(to, d->scores);
}

static bool take_score(struct str *in, struct discovery *d)
{
	uint64_t steps;

	if (!str_take_varint(in, &steps) || (float)steps > SCORE_STEPS ||
	    !str_take_sized(in, &d->scores))
		return false;
	d->score = (float)steps / SCORE_STEPS;
	return true;
}

enum status discovery_decode(struct str in, struct discovery *ret)
{
	struct discovery d = { 0 };
	uint8_t version, flags;
	uint64_t depth;

	if (!str_take_u8(&in, &version) || version != DISCOVERY_VERSION ||
	    !str_take_u8(&in, &d.hop) || !str_take_u8(&in, &d.priority) ||
	    !str_take_u8(&in, &d.purpose) || d.purpose >= PURPOSES ||
	    !str_take_u8(&in, &flags) || flags > FLAGS || !str_take_u8(&in, &d.penalty) ||
	    !str_take_u8(&in, &d.veto) || d.veto >= VETOES ||
	    !str_take_u64(&in, &d.hash.hi) || !str_take_u64(&in, &d.hash.lo) ||
	    !str_take_varint(&in, &depth) || depth > UINT32_MAX ||
	    !str_take_sized(&in, &d.url) || !str_take_sized(&in, &d.key) ||
	    !str_take_sized(&in, &d.via) || !str_take_sized(&in, &d.rule) ||
	    !str_take_sized(&in, &d.veto_by))
		return ST_CORRUPT;
	d.has_score = flags & FLAG_SCORED;
	if ((d.has_score && !take_score(&in, &d)) || in.n)
		return ST_CORRUPT;
	d.depth = (uint32_t)depth;
	d.nofollow = flags & FLAG_NOFOLLOW;
	if (d.key.n == 0)
		d.key = d.url;
	*ret = d;
	return ST_OK;
}
