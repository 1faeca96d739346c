#include "journal/trace.h"

#include <string.h>

const char *const trace_blind_words[BLINDS] = {
	[BLIND_SEEN_ON_DISK] = "the seen set went to disk, and answers late from then on",
	[BLIND_SETTINGS] = "crawl.yaml was read again while it ran",
	[BLIND_REVISITS] = "pages were revisited",
	[BLIND_BROWSER] = "browsers rendered pages",
	[BLIND_CONTROL] = "the queue was changed from outside",
};

static void add_signed(struct buf *to, int64_t v)
{
	buf_add_varint(to, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

static bool take_signed(struct str *in, int64_t *ret)
{
	uint64_t v;

	if (!str_take_varint(in, &v))
		return false;
	*ret = (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
	return true;
}

static bool take_u32(struct str *in, uint32_t *ret)
{
	uint64_t v;

	if (!str_take_varint(in, &v) || v > UINT32_MAX)
		return false;
	*ret = (uint32_t)v;
	return true;
}

static bool take_code(struct str *in, int *ret)
{
	int64_t v;

	if (!take_signed(in, &v) || v < INT32_MIN || v > INT32_MAX)
		return false;
	*ret = (int)v;
	return true;
}

/* --- the two kinds with many fields --- */

static void add_resolved(struct buf *to, const struct trace_event *e)
{
	buf_add_varint(to, e->request);
	buf_add_u8(to, e->outcome);
	buf_add_sized(to, (struct str){ (const char *)e->ip, e->ip_bytes });
}

static bool take_resolved(struct str *in, struct trace_event *e)
{
	struct str ip;

	if (!str_take_varint(in, &e->request) || !str_take_u8(in, &e->outcome) ||
	    e->outcome >= TRACE_OUTCOMES || !str_take_sized(in, &ip) ||
	    ip.n > sizeof(e->ip))
		return false;
	memcpy(e->ip, ip.p, ip.n);
	e->ip_bytes = (uint8_t)ip.n;
	return true;
}

static void add_answer(struct buf *to, const struct trace_event *e)
{
	buf_add_varint(to, e->request);
	add_signed(to, e->code);
	buf_add_u8(to, e->cause);
	buf_add_u8(to, (uint8_t)(e->truncated << 1 | e->sets_cookie));
	buf_add_varint(to, e->duration_ms);
	buf_add_varint(to, e->retry_after_ms);
	buf_add_varint(to, e->wire_bytes);
	buf_add_sized(to, e->error);
}

static bool take_answer(struct str *in, struct trace_event *e)
{
	uint8_t flags;

	if (!str_take_varint(in, &e->request) || !take_code(in, &e->code) ||
	    !str_take_u8(in, &e->cause) || !str_take_u8(in, &flags) ||
	    !take_u32(in, &e->duration_ms) || !take_u32(in, &e->retry_after_ms) ||
	    !str_take_varint(in, &e->wire_bytes) || !str_take_sized(in, &e->error))
		return false;
	e->truncated = flags >> 1;
	e->sets_cookie = flags & 1;
	return true;
}

/* --- all --- */

void trace_event_add(struct buf *to, const struct trace_event *e, int64_t *last_ms)
{
	buf_add_u8(to, e->kind);
	add_signed(to, e->time_ms - *last_ms);
	*last_ms = e->time_ms;
	switch ((enum trace_kind)e->kind) {
	case TRACE_RESOLVED:
		add_resolved(to, e);
		break;
	case TRACE_ANSWER:
		add_answer(to, e);
		break;
	case TRACE_DEFERRED:
	case TRACE_JUDGED:
		buf_add_varint(to, e->request);
		break;
	case TRACE_STOP:
		add_signed(to, e->code);
		break;
	case TRACE_BLIND:
		buf_add_u8(to, e->blind);
		break;
	case TRACE_START:
	case TRACE_NEXT:
	case TRACE_QUIET:
	case TRACE_LEARN:
	case TRACE_LINES:
	case TRACE_ABORT:
	case TRACE_KINDS:
		break;
	}
}

static bool take_fields(struct str *in, struct trace_event *e)
{
	switch ((enum trace_kind)e->kind) {
	case TRACE_RESOLVED:
		return take_resolved(in, e);
	case TRACE_ANSWER:
		return take_answer(in, e);
	case TRACE_DEFERRED:
	case TRACE_JUDGED:
		return str_take_varint(in, &e->request);
	case TRACE_STOP:
		return take_code(in, &e->code);
	case TRACE_BLIND:
		return str_take_u8(in, &e->blind) && e->blind < BLINDS;
	case TRACE_START:
	case TRACE_NEXT:
	case TRACE_QUIET:
	case TRACE_LEARN:
	case TRACE_LINES:
	case TRACE_ABORT:
		return true;
	case TRACE_KINDS:
		break;
	}
	return false;
}

bool trace_event_take(struct str *in, int64_t *last_ms, struct trace_event *ret)
{
	struct trace_event e = { 0 };
	int64_t passed;

	if (!str_take_u8(in, &e.kind) || e.kind >= TRACE_KINDS ||
	    !take_signed(in, &passed) ||
	    __builtin_add_overflow(*last_ms, passed, &e.time_ms) || !take_fields(in, &e))
		return false;
	*last_ms = e.time_ms;
	*ret = e;
	return true;
}
