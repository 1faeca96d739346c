#include "journal/trace.h"

#include "test.h"

static bool round_trip(const struct trace_event *e)
{
	cleanup(buf_release) struct buf b = { 0 }, again = { 0 };
	int64_t last[3] = { 17, 17, 17 };
	struct trace_event back;

	trace_event_add(&b, e, &last[0]);
	struct str in = buf_str(&b);
	if (!trace_event_take(&in, &last[1], &back) || in.n != 0 || last[0] != last[1])
		return false;
	trace_event_add(&again, &back, &last[2]);
	return back.kind == e->kind && back.time_ms == e->time_ms &&
	       str_eq(buf_str(&b), buf_str(&again));
}

static void every_event_comes_back(void)
{
	const struct trace_event all[] = {
		{ .kind = TRACE_START, .time_ms = 1790000000000 },
		{ .kind = TRACE_NEXT, .time_ms = 18 },
		{ .kind = TRACE_QUIET, .time_ms = -5 },
		{ .kind = TRACE_RESOLVED,
		  .request = UINT32_MAX,
		  .outcome = TRACE_ADDRESS,
		  .ip = { 127, 0, 0, 1 },
		  .ip_bytes = 4 },
		{ .kind = TRACE_ANSWER,
		  .request = UINT64_MAX,
		  .code = -4,
		  .cause = 6,
		  .truncated = 3,
		  .sets_cookie = true,
		  .duration_ms = UINT32_MAX,
		  .retry_after_ms = 1,
		  .wire_bytes = 1,
		  .error = STR("no answer in time") },
		{ .kind = TRACE_DEFERRED, .request = 3 },
		{ .kind = TRACE_JUDGED, .request = 300 },
		{ .kind = TRACE_LEARN },
		{ .kind = TRACE_LINES },
		{ .kind = TRACE_STOP, .code = 3 },
		{ .kind = TRACE_ABORT },
		{ .kind = TRACE_BLIND, .blind = BLIND_CONTROL },
	};

	for (size_t i = 0; i < COUNT(all); i++)
		CHECK(round_trip(&all[i]));
}

static void what_is_no_event_is_refused(void)
{
	const struct str bad[] = {
		STR("\x7f\0"),
		STR("\x01"),
		STR("\x03\0\x01\x09\0"),
		STR("\x0b\0\x7f"),
		STR("\x03\0\x01\x02\x11"),
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct str in = bad[i];
		int64_t last = 0;
		struct trace_event e;

		CHECK(!trace_event_take(&in, &last, &e));
	}
}

int main(void)
{
	RUN(every_event_comes_back);
	RUN(what_is_no_event_is_refused);
	DONE();
}
