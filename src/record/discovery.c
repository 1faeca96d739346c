#include "record/discovery.h"

#include "record/fetch.h"

#define DISCOVERY_VERSION 4

enum { FLAG_NOFOLLOW = 1 };

void discovery_encode(const struct discovery *d, struct buf *to)
{
	buf_add_u8(to, DISCOVERY_VERSION);
	buf_add_u8(to, d->hop);
	buf_add_u8(to, d->priority);
	buf_add_u8(to, d->purpose);
	buf_add_u8(to, d->nofollow ? FLAG_NOFOLLOW : 0);
	buf_add_u64(to, d->hash.hi);
	buf_add_u64(to, d->hash.lo);
	buf_add_varint(to, d->depth);
	buf_add_sized(to, d->url);
	/* Nearly always equal to the URL: then it is not written twice. */
	buf_add_sized(to, str_eq(d->key, d->url) ? STR("") : d->key);
	buf_add_sized(to, d->via);
	buf_add_sized(to, d->rule);
}

enum status discovery_decode(struct str in, struct discovery *ret)
{
	struct discovery d = { 0 };
	uint8_t version, flags;
	uint64_t depth;

	if (!str_take_u8(&in, &version) || version != DISCOVERY_VERSION ||
	    !str_take_u8(&in, &d.hop) || !str_take_u8(&in, &d.priority) ||
	    !str_take_u8(&in, &d.purpose) || d.purpose >= PURPOSES ||
	    !str_take_u8(&in, &flags) || flags > FLAG_NOFOLLOW ||
	    !str_take_u64(&in, &d.hash.hi) || !str_take_u64(&in, &d.hash.lo) ||
	    !str_take_varint(&in, &depth) || depth > UINT32_MAX ||
	    !str_take_sized(&in, &d.url) || !str_take_sized(&in, &d.key) ||
	    !str_take_sized(&in, &d.via) || !str_take_sized(&in, &d.rule) || in.n)
		return ST_CORRUPT;
	d.depth = (uint32_t)depth;
	d.nofollow = flags & FLAG_NOFOLLOW;
	if (d.key.n == 0)
		d.key = d.url;
	*ret = d;
	return ST_OK;
}
