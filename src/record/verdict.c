#include "record/verdict.h"

#include <string.h>

#define VERDICT_VERSION 1

struct str verdict_name(enum verdict_kind kind)
{
	static const char *const names[] = { "new", "exact", "near", "template-only",
					     "soft-404" };

	return (size_t)kind < COUNT(names) ? str_from(names[kind]) : STR("");
}

static void add_double(struct buf *to, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	buf_add_u64(to, bits);
}

static bool take_double(struct str *in, double *ret)
{
	uint64_t bits;

	if (!str_take_u64(in, &bits))
		return false;
	memcpy(ret, &bits, sizeof(bits));
	return true;
}

void verdict_encode(const struct verdict *v, struct buf *to)
{
	buf_add_u8(to, VERDICT_VERSION);
	buf_add_u8(to, v->kind);
	add_double(to, v->score);
	add_double(to, v->threshold);
	buf_add_u32(to, v->distance);
	buf_add_u64(to, v->representative);
	buf_add_u32(to, v->shared);
	buf_add_u32(to, v->only_here);
	buf_add_u32(to, v->only_there);
	buf_add_sized(to, v->method);
	buf_add_sized(to, v->representative_url);
}

enum status verdict_decode(struct str in, struct verdict *ret)
{
	struct verdict v = { 0 };
	uint8_t version;

	if (!str_take_u8(&in, &version) || version != VERDICT_VERSION ||
	    !str_take_u8(&in, &v.kind) || !take_double(&in, &v.score) ||
	    !take_double(&in, &v.threshold) || !str_take_u32(&in, &v.distance) ||
	    !str_take_u64(&in, &v.representative) || !str_take_u32(&in, &v.shared) ||
	    !str_take_u32(&in, &v.only_here) || !str_take_u32(&in, &v.only_there) ||
	    !str_take_sized(&in, &v.method) ||
	    !str_take_sized(&in, &v.representative_url) || in.n)
		return ST_CORRUPT;
	if (v.kind > VERDICT_SOFT_404)
		return ST_CORRUPT;
	*ret = v;
	return ST_OK;
}
