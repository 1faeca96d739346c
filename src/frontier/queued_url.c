#include "frontier/queued_url.h"

#include <string.h>

/* Beside the purpose, in the first byte. */
enum {
	FLAG_COUNTS = 1, /* attempt and off_hops follow: one of them is not 0 */
	FLAG_AGAIN = 2,
	FLAG_SCORES = 4,
	FLAG_BITS = 3,
};
_Static_assert(PURPOSES <= 256 >> FLAG_BITS, "a purpose needs more bits");

static size_t shared_bytes(struct str a, struct str b)
{
	size_t n = 0;

	while (n < MIN(a.n, b.n) && a.p[n] == b.p[n])
		n++;
	return n;
}

void queued_url_encode(const struct queued_url *q, size_t origin_bytes, struct buf *to)
{
	size_t shared = shared_bytes(q->via, q->url);

	buf_add_u8(to,
		   (uint8_t)(q->purpose << FLAG_BITS | (q->is_again ? FLAG_AGAIN : 0) |
			     (q->scores.n ? FLAG_SCORES : 0) |
			     (q->attempt || q->off_hops ? FLAG_COUNTS : 0)));
	if (q->attempt || q->off_hops) {
		buf_add_u8(to, q->attempt);
		buf_add_u8(to, q->off_hops);
	}
	buf_add_varint(to, q->depth);
	buf_add_varint(to, q->source);
	buf_add_sized(to, q->hops);
	buf_add_sized(to, str_skip(q->url, origin_bytes));
	if (q->scores.n > 0)
		buf_add_sized(to, q->scores);
	buf_add_varint(to, shared);
	buf_add(to, str_skip(q->via, shared));
}

static bool take_small(struct str *in, uint32_t *ret)
{
	uint64_t v;

	if (!str_take_varint(in, &v) || v > UINT32_MAX)
		return false;
	*ret = (uint32_t)v;
	return true;
}

static struct str join(struct arena *a, struct str x, struct str y)
{
	char *p = arena_alloc(a, x.n + y.n + 1);

	memcpy(p, x.p, x.n);
	memcpy(p + x.n, y.p, y.n);
	p[x.n + y.n] = '\0';
	return (struct str){ p, x.n + y.n };
}

enum status queued_url_decode(struct str in, struct str origin, struct arena *a,
			      struct queued_url *ret)
{
	struct queued_url q = { 0 };
	struct str path, hops, scores = STR("");
	uint64_t shared;
	uint8_t flags;

	if (!str_take_u8(&in, &flags) ||
	    (flags & FLAG_COUNTS &&
	     (!str_take_u8(&in, &q.attempt) || !str_take_u8(&in, &q.off_hops))) ||
	    !take_small(&in, &q.depth) || !take_small(&in, &q.source) ||
	    !str_take_sized(&in, &hops) || !str_take_sized(&in, &path) ||
	    (flags & FLAG_SCORES && !str_take_sized(&in, &scores)) ||
	    !str_take_varint(&in, &shared))
		return ST_CORRUPT;
	q.purpose = flags >> FLAG_BITS;
	q.is_again = flags & FLAG_AGAIN;
	q.url = join(a, origin, path);
	if (shared > q.url.n || q.purpose >= PURPOSES)
		return ST_CORRUPT;
	q.hops = arena_copy(a, hops);
	q.scores = arena_copy(a, scores);
	q.via = join(a, str_slice(q.url, 0, shared), in);
	*ret = q;
	return ST_OK;
}
