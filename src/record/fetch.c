#include "record/fetch.h"

#define TASK_VERSION 2

void fetch_task_encode(const struct fetch_task *t, struct buf *to)
{
	buf_add_u8(to, TASK_VERSION);
	buf_add_u8(to, t->purpose);
	buf_add_u8(to, t->priority);
	buf_add_u8(to, t->attempt);
	buf_add_u64(to, t->key.hi);
	buf_add_u64(to, t->key.lo);
	buf_add_varint(to, t->depth);
	buf_add_varint(to, (uint64_t)t->modified_ms);
	buf_add_varint(to, (uint64_t)t->not_before_ms);
	buf_add_sized(to, t->url);
	buf_add_sized(to, t->via);
	buf_add_sized(to, t->hops);
	buf_add_sized(to, t->source);
	buf_add_sized(to, t->etag);
}

static bool take_numbers(struct str *in, struct fetch_task *t)
{
	uint64_t depth, modified, not_before;

	if (!str_take_u8(in, &t->purpose) || !str_take_u8(in, &t->priority) ||
	    !str_take_u8(in, &t->attempt) || !str_take_u64(in, &t->key.hi) ||
	    !str_take_u64(in, &t->key.lo) || !str_take_varint(in, &depth) ||
	    !str_take_varint(in, &modified) || !str_take_varint(in, &not_before))
		return false;
	t->depth = (uint32_t)depth;
	t->modified_ms = (int64_t)modified;
	t->not_before_ms = (int64_t)not_before;
	return depth <= UINT32_MAX && t->purpose < PURPOSES;
}

enum status fetch_task_decode(struct str in, struct fetch_task *ret)
{
	struct fetch_task t = { 0 };
	uint8_t version;

	if (!str_take_u8(&in, &version) || version != TASK_VERSION ||
	    !take_numbers(&in, &t) || !str_take_sized(&in, &t.url) ||
	    !str_take_sized(&in, &t.via) || !str_take_sized(&in, &t.hops) ||
	    !str_take_sized(&in, &t.source) || !str_take_sized(&in, &t.etag) || in.n)
		return ST_CORRUPT;
	if (t.url.n > FETCH_URL_MAX || t.hops.n > HOPS_MAX)
		return ST_CORRUPT;
	*ret = t;
	return ST_OK;
}

struct str truncation_name(enum truncation t)
{
	switch (t) {
	case TRUNCATED_LENGTH:
		return STR("length");
	case TRUNCATED_TIME:
		return STR("time");
	case TRUNCATED_DISCONNECT:
		return STR("disconnect");
	case TRUNCATED_UNSPECIFIED:
		return STR("unspecified");
	default:
		return STR("");
	}
}
