#include "frontier/queue_store.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* A record: state, priority, u16 length of what follows the key, key; when held the u32
 * reason; payload. */
#define HEAD_BYTES 20
#define HOLD_BYTES 4

enum record_state {
	RECORD_LIVE,
	RECORD_HELD,    /* in a held stream */
	RECORD_DEAD,    /* moved or dropped: passed over */
	RECORD_GRANTED, /* live, and was held before */
};

struct record {
	uint64_t at, end; /* its position, and that of what follows */
	struct u128 key;
	uint32_t hold;
	uint16_t payload_bytes;
	uint8_t state, priority;
};

enum status queue_store_open(struct queue_store *s, const char *dir, struct diag *why)
{
	char path[4096];

	*s = (struct queue_store){ 0 };
	TRY(dir_remove(dir, why));
	TRY(dir_make(dir, why));
	snprintf(path, sizeof(path), "%s/index", dir);
	url_index_init(&s->index, path);
	snprintf(path, sizeof(path), "%s/records", dir);
	return fifo_file_open(&s->records, path, why);
}

void queue_store_close(struct queue_store *s)
{
	fifo_file_close(&s->records);
	url_index_release(&s->index);
	*s = (struct queue_store){ 0 };
}

void host_queue_release(struct host_queue *q)
{
	free(q->streams);
	*q = (struct host_queue){ 0 };
}

/* --- streams of a host --- */

static bool stream_before(const struct host_stream *a, uint8_t priority, uint32_t hold)
{
	return a->hold != hold ? a->hold < hold : a->priority > priority;
}

/* How many streams are before it. */
static unsigned streams_before(const struct host_queue *q, uint8_t priority,
			       uint32_t hold)
{
	unsigned low = 0, high = q->n;

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (stream_before(&q->streams[middle], priority, hold))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The stream for a priority, or of what is held, made when there is none. */
static struct host_stream *stream_of(struct host_queue *q, uint8_t priority,
				     uint32_t hold)
{
	if (hold)
		priority = 0;
	unsigned i = streams_before(q, priority, hold);
	if (i < q->n && q->streams[i].priority == priority && q->streams[i].hold == hold)
		return &q->streams[i];
	if (q->n == q->cap) {
		q->cap = q->cap ? (uint16_t)(2 * q->cap) : 1;
		q->streams = xrealloc(q->streams, q->cap, sizeof(*q->streams));
	}
	memmove(&q->streams[i + 1], &q->streams[i], (q->n - i) * sizeof(*q->streams));
	q->streams[i] = (struct host_stream){ .priority = priority, .hold = hold };
	q->n++;
	return &q->streams[i];
}

static void remove_stream(struct host_queue *q, struct host_stream *s)
{
	size_t i = (size_t)(s - q->streams);

	memmove(s, s + 1, (q->n - i - 1) * sizeof(*s));
	q->n--;
}

int host_queue_best(const struct host_queue *q)
{
	for (unsigned i = 0; i < q->n; i++)
		if (!q->streams[i].hold && q->streams[i].live > 0)
			return q->streams[i].priority;
	return -1;
}

uint32_t host_queue_held(const struct host_queue *q, uint32_t hold)
{
	unsigned i = streams_before(q, 0, hold);

	return i < q->n && q->streams[i].hold == hold ? q->streams[i].live : 0;
}

bool host_queue_next_hold(const struct host_queue *q, uint32_t *hold)
{
	unsigned i = *hold == UINT32_MAX ? q->n : streams_before(q, 0, *hold + 1);

	if (i >= q->n)
		return false;
	*hold = q->streams[i].hold;
	return true;
}

/* --- records --- */

static enum status record_read(struct queue_store *s, uint64_t at, struct record *ret,
			       struct diag *why)
{
	char head[HEAD_BYTES];

	ret->at = at;
	TRY(fifo_read(&s->records, &at, head, sizeof(head), why));
	/* Reading may have stepped into the next block first. */
	if (ret->at % FIFO_BLOCK == 0) {
		uint64_t first = ret->at;
		char byte;

		TRY(fifo_read(&s->records, &first, &byte, 1, why));
		ret->at = first - 1;
	}
	ret->state = (uint8_t)head[0];
	ret->priority = (uint8_t)head[1];
	ret->hold = 0;
	memcpy(&ret->payload_bytes, head + 2, 2);
	memcpy(&ret->key, head + 4, sizeof(ret->key));
	if (ret->state == RECORD_HELD) {
		TRY(fifo_read(&s->records, &at, (char *)&ret->hold, HOLD_BYTES, why));
		ret->payload_bytes -= HOLD_BYTES;
	}
	ret->end = at;
	return ST_OK;
}

/* The payload; `r->end` moves behind it. */
static enum status payload_read(struct queue_store *s, struct record *r, struct buf *to,
				struct diag *why)
{
	char *p;

	buf_reset(to);
	p = buf_reserve(to, r->payload_bytes);
	if (!p)
		return diag_fail(why, ST_TOO_LARGE, "a queued URL is too large");
	TRY(fifo_read(&s->records, &r->end, p, r->payload_bytes, why));
	to->n = r->payload_bytes;
	return ST_OK;
}

static enum status append(struct queue_store *s, struct host_queue *q,
			  const struct queued *url, uint32_t hold, struct diag *why)
{
	char bytes[HEAD_BYTES + HOLD_BYTES + QUEUE_PAYLOAD_MAX];
	size_t before = hold ? HOLD_BYTES : 0;
	uint16_t n = (uint16_t)(before + url->payload.n);
	uint64_t at;

	if (url->payload.n > QUEUE_PAYLOAD_MAX)
		return diag_fail(why, ST_TOO_LARGE, "a URL of %zu bytes", url->payload.n);
	bytes[0] = hold ? RECORD_HELD : url->granted ? RECORD_GRANTED : RECORD_LIVE;
	bytes[1] = (char)url->priority;
	memcpy(bytes + 2, &n, 2);
	memcpy(bytes + 4, &url->key, sizeof(url->key));
	memcpy(bytes + HEAD_BYTES, &hold, before);
	memcpy(bytes + HEAD_BYTES + before, url->payload.p, url->payload.n);

	struct host_stream *t = stream_of(q, url->priority, hold);
	TRY(fifo_add(&s->records, &t->bytes,
		     (struct str){ bytes, (size_t)HEAD_BYTES + n }, &at, why));
	TRY(url_index_add(&s->index, url->key, at, why));
	t->live++;
	if (hold) {
		s->held++;
	} else {
		s->live++;
		q->live++;
	}
	return ST_OK;
}

enum status queue_store_add(struct queue_store *s, struct host_queue *q,
			    const struct queued *url, struct diag *why)
{
	return append(s, q, url, 0, why);
}

/* Free a stream that has only dead records left. */
static enum status drop_if_empty(struct queue_store *s, struct host_queue *q,
				 struct host_stream *t, struct diag *why)
{
	if (t->live > 0)
		return ST_OK;
	if (t->bytes.tail != 0)
		TRY(fifo_drop_until(&s->records, &t->bytes, t->bytes.tail, why));
	remove_stream(q, t);
	return ST_OK;
}

/* The oldest record of a stream leaves it, in whatever state it is. */
static enum status take_first(struct queue_store *s, struct host_stream *t,
			      struct buf *to, struct record *ret, struct diag *why)
{
	TRY(record_read(s, t->bytes.head, ret, why));
	TRY(payload_read(s, ret, to, why));
	TRY(fifo_drop_until(&s->records, &t->bytes, ret->end, why));
	if (ret->state == RECORD_DEAD)
		return ST_OK;
	t->live--;
	return url_index_remove(&s->index, ret->key, ret->at, why);
}

enum status queue_store_take(struct queue_store *s, struct host_queue *q, struct buf *to,
			     struct queued *ret, struct diag *why)
{
	struct host_stream *t = q->streams;
	struct record r;

	if (q->n == 0 || t->hold || q->live == 0)
		return ST_AGAIN;
	assert(t->live > 0); /* empty streams are removed at once */
	do
		TRY(take_first(s, t, to, &r, why));
	while (r.state == RECORD_DEAD);
	q->live--;
	s->live--;
	*ret = (struct queued){ .key = r.key,
				.priority = r.priority,
				.granted = r.state == RECORD_GRANTED,
				.payload = buf_str(to) };
	return drop_if_empty(s, q, t, why);
}

/* --- finding --- */

static enum status find(struct queue_store *s, struct u128 key, struct record *ret,
			struct diag *why)
{
	uint64_t at = 0, place;

	for (;;) {
		TRY(url_index_next(&s->index, key, &at, &place, why));
		TRY(record_read(s, place, ret, why));
		if (ret->state != RECORD_DEAD && u128_eq(ret->key, key))
			return ST_OK;
	}
}

enum status queue_store_find(struct queue_store *s, struct u128 key, struct buf *to,
			     struct queued *ret, bool *ret_held, struct diag *why)
{
	struct record r;

	TRY(find(s, key, &r, why));
	TRY(payload_read(s, &r, to, why));
	*ret_held = r.state == RECORD_HELD;
	*ret = (struct queued){ .key = key,
				.priority = r.priority,
				.payload = buf_str(to) };
	return ST_OK;
}

/* Take a record out of wherever it is. */
static enum status extract(struct queue_store *s, struct host_queue *q, struct u128 key,
			   struct queued *ret, struct buf *payload, uint32_t *ret_hold,
			   struct diag *why)
{
	struct record r;

	TRY(find(s, key, &r, why));
	TRY(payload_read(s, &r, payload, why));
	*ret_hold = r.hold;
	TRY(fifo_set_byte(&s->records, r.at, RECORD_DEAD, why));
	TRY(url_index_remove(&s->index, key, r.at, why));
	struct host_stream *t = stream_of(q, r.priority, r.hold);
	t->live--;
	if (r.hold) {
		s->held--;
	} else {
		s->live--;
		q->live--;
	}
	*ret = (struct queued){ .key = key,
				.priority = r.priority,
				.granted = r.state == RECORD_GRANTED,
				.payload = buf_str(payload) };
	return drop_if_empty(s, q, t, why);
}

enum status queue_store_move(struct queue_store *s, struct host_queue *q, struct u128 key,
			     uint8_t priority, struct diag *why)
{
	cleanup(buf_release) struct buf payload = { 0 };
	struct queued url;
	uint32_t hold;

	TRY(extract(s, q, key, &url, &payload, &hold, why));
	url.priority = priority;
	return append(s, q, &url, hold, why);
}

static enum status set_hold(struct queue_store *s, struct host_queue *q, struct u128 key,
			    uint32_t hold, struct diag *why)
{
	cleanup(buf_release) struct buf payload = { 0 };
	struct queued url;
	uint32_t before;

	TRY(extract(s, q, key, &url, &payload, &before, why));
	url.granted |= before != 0;
	return append(s, q, &url, hold, why);
}

enum status queue_store_add_held(struct queue_store *s, struct host_queue *q,
				 const struct queued *url, uint32_t hold,
				 struct diag *why)
{
	assert(hold != 0);
	return append(s, q, url, hold, why);
}

enum status queue_store_hold(struct queue_store *s, struct host_queue *q, struct u128 key,
			     struct diag *why)
{
	return set_hold(s, q, key, HELD_BY_HAND, why);
}

enum status queue_store_unhold(struct queue_store *s, struct host_queue *q,
			       struct u128 key, struct diag *why)
{
	return set_hold(s, q, key, 0, why);
}

enum status queue_store_unhold_some(struct queue_store *s, struct host_queue *q,
				    uint32_t hold, uint32_t limit, uint32_t *ret_n,
				    struct diag *why)
{
	cleanup(buf_release) struct buf payload = { 0 };
	struct record r;

	*ret_n = 0;
	while (*ret_n < limit) {
		unsigned i = streams_before(q, 0, hold);
		struct host_stream *t = &q->streams[i];

		if (i >= q->n || t->hold != hold)
			break;
		TRY(take_first(s, t, &payload, &r, why));
		TRY(drop_if_empty(s, q, t, why));
		if (r.state == RECORD_DEAD)
			continue;
		s->held--;
		++*ret_n;
		struct queued url = { r.key, r.priority, true, buf_str(&payload) };
		TRY(append(s, q, &url, 0, why));
	}
	return ST_OK;
}

enum status queue_store_drop(struct queue_store *s, struct host_queue *q, struct u128 key,
			     struct diag *why)
{
	cleanup(buf_release) struct buf payload = { 0 };
	struct queued url;
	uint32_t hold;

	return extract(s, q, key, &url, &payload, &hold, why);
}

enum status queue_store_rank(struct queue_store *s, const struct host_queue *q,
			     struct u128 key, uint64_t limit, uint64_t *ret,
			     struct diag *why)
{
	cleanup(buf_release) struct buf skipped = { 0 };
	uint64_t before = 0, walked = 0;
	struct record r, wanted;

	TRY(find(s, key, &wanted, why));
	for (unsigned i = 0; i < q->n && !q->streams[i].hold; i++) {
		const struct host_stream *t = &q->streams[i];

		if (t->priority != wanted.priority) {
			before += t->live;
			continue;
		}
		for (uint64_t at = t->bytes.head;
		     !fifo_is_at_end(&t->bytes, at) && walked < limit; walked++) {
			TRY(record_read(s, at, &r, why));
			if (r.at == wanted.at)
				break;
			TRY(payload_read(s, &r, &skipped, why));
			before += r.state != RECORD_DEAD;
			at = r.end;
		}
		break;
	}
	*ret = before;
	return ST_OK;
}

uint64_t queue_store_bytes(const struct queue_store *s)
{
	return fifo_file_bytes(&s->records) + url_index_bytes(&s->index);
}
