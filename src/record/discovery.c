#include "record/discovery.h"

#include "record/fetch.h"

#define DISCOVERY_VERSION 3

enum { FLAG_NOFOLLOW = 1, FLAG_WANTED = 2 };

void discovery_encode(const struct discovery *d, struct buf *to)
{
	buf_add_u8(to, DISCOVERY_VERSION);
	buf_add_u8(to, d->hop);
	buf_add_u8(to, d->priority);
	buf_add_u8(to, d->kind);
	buf_add_u8(to, (uint8_t)((d->nofollow ? FLAG_NOFOLLOW : 0) |
				 (d->wanted ? FLAG_WANTED : 0)));
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
	    !str_take_u8(&in, &d.kind) || d.kind > FETCH_REVISIT ||
	    !str_take_u8(&in, &flags) || flags > (FLAG_NOFOLLOW | FLAG_WANTED) ||
	    !str_take_u64(&in, &d.hash.hi) || !str_take_u64(&in, &d.hash.lo) ||
	    !str_take_varint(&in, &depth) || depth > UINT32_MAX ||
	    !str_take_sized(&in, &d.url) || !str_take_sized(&in, &d.key) ||
	    !str_take_sized(&in, &d.via) || !str_take_sized(&in, &d.rule) || in.n)
		return ST_CORRUPT;
	d.depth = (uint32_t)depth;
	d.nofollow = flags & FLAG_NOFOLLOW;
	d.wanted = flags & FLAG_WANTED;
	if (d.key.n == 0)
		d.key = d.url;
	*ret = d;
	return ST_OK;
}
