#include "archive/crawl_log.h"

#include "base/date.h"
#include "warc/digest.h"

/* A column holds no white space, whatever the network sent. */
static void add_column(struct buf *b, struct str s)
{
	if (s.n == 0)
		buf_add_char(b, '-');
	for (size_t i = 0; i < s.n; i++)
		buf_add_char(b, (uint8_t)s.p[i] <= ' ' || s.p[i] == 0x7f ? '_' : s.p[i]);
	buf_add_char(b, ' ');
}

/* Fetch begun, "+" and how long it took: 20261115031530123+87. */
static void add_times(struct buf *b, const struct fetch_result *r)
{
	if (r->start_ms == 0) {
		buf_add(b, STR("- "));
		return;
	}
	buf_add_date_digits(b, r->start_ms, true);
	buf_add_char(b, '+');
	buf_add_uint(b, r->duration_ms);
	buf_add_char(b, ' ');
}

static void add_annotations(struct buf *b, const struct crawl_log_entry *e)
{
	const struct fetch_result *r = e->result;
	static const char *const truncations[] = {
		[TRUNCATED_LENGTH] = "lenTrunc",
		[TRUNCATED_TIME] = "timeTrunc",
		[TRUNCATED_DISCONNECT] = "disconnectTrunc",
	};
	size_t from = b->n;

	if (r->task->attempt > 0)
		buf_addf(b, "%ut", r->task->attempt + 1u);
	if (r->truncated > TRUNCATED_NOT && r->truncated < COUNT(truncations))
		buf_addf(b, "%s%s", b->n > from ? "," : "", truncations[r->truncated]);
	if (e->annotations.n) {
		if (b->n > from)
			buf_add_char(b, ',');
		add_column(b, e->annotations);
		b->n--;
	}
	if (b->n == from)
		buf_add_char(b, '-');
}

void crawl_log_add(struct buf *to, const struct crawl_log_entry *e)
{
	const struct fetch_result *r = e->result;
	const struct fetch_task *t = r->task;

	buf_add_date_iso(to, e->now_ms, true);
	if (r->code > 0) {
		buf_add_char(to, ' ');
		buf_add_padded(to, (uint64_t)r->code, 5, ' ');
		buf_add_char(to, ' ');
		buf_add_padded(to, r->body_bytes, 10, ' ');
		buf_add_char(to, ' ');
	} else {
		buf_addf(to, " %5d          - ", r->code);
	}
	add_column(to, t->url);
	add_column(to, t->hops);
	add_column(to, t->via);
	add_column(to, e->mime.n     ? e->mime
		       : r->code > 0 ? STR("unknown")
				     : STR("no-type"));
	buf_add_char(to, '#');
	buf_add_padded(to, e->thread % 1000, 3, '0');
	buf_add_char(to, ' ');
	add_times(to, r);
	if (e->payload_sha1) {
		buf_add_sha1(to, e->payload_sha1);
		buf_add_char(to, ' ');
	} else {
		buf_add(to, STR("- "));
	}
	add_column(to, t->source);
	add_annotations(to, e);
	buf_add_char(to, '\n');
}
