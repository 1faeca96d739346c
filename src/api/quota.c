#include "api/quota.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

#define DAY_MS        ((int64_t)86400000)
#define BLOCKED       UINT64_MAX /* in place of a window: not before this time */
#define BLOCK_MOST_MS (7 * DAY_MS)

static const struct segment_kind log_kind = { .name = "apiquota", .version = 1 };

void quota_release(struct quota *q)
{
	for (size_t i = 0; i < q->n; i++)
		free(q->v[i].v);
	free(q->v);
	map_release(&q->by_id);
	arena_release(&q->names);
	if (q->is_durable)
		segment_close(&q->log);
	*q = (struct quota){ 0 };
}

void assert_bucket(const struct bucket *b)
{
	uint64_t sum = 0;

	for (size_t i = b->head; i < b->n; i++) {
		assert(i == b->head || b->v[i - 1].at_ms <= b->v[i].at_ms);
		sum += b->v[i].cost;
	}
	assert(sum == b->sum);
	assert(b->limit == 0 || sum <= b->limit);
}

static int64_t window_start(const struct bucket *b, int64_t now_ms)
{
	if (!b->is_calendar)
		return now_ms - (int64_t)b->window_ms;
	int64_t window = MAX((int64_t)b->window_ms, 1), since = now_ms - b->zone_ms;
	int64_t into = since % window;
	return now_ms - (into < 0 ? into + window : into) - 1;
}

/* Forget what is out of the window. */
static void expire(struct bucket *b, int64_t now_ms)
{
	int64_t start = window_start(b, now_ms);

	while (b->head < b->n && b->v[b->head].at_ms <= start)
		b->sum -= b->v[b->head++].cost;
	if (b->head == b->n)
		b->head = b->n = 0;
	if (b->head > 2 * QUOTA_SPANS) {
		for (size_t i = b->head; i < b->n; i++)
			b->v[i - b->head] = b->v[i];
		b->n -= b->head;
		b->head = 0;
	}
}

static void note(struct bucket *b, uint64_t cost, int64_t at_ms)
{
	struct spending *last = b->n > b->head ? &b->v[b->n - 1] : NULL;

	if (b->window_ms == 0)
		return;
	b->sum += cost;
	/* A wall clock that was set back: the order is kept, the wait gets longer. */
	if (last && at_ms < last->at_ms)
		at_ms = last->at_ms;
	if (last && (uint64_t)(at_ms - last->at_ms) < b->window_ms / QUOTA_SPANS &&
	    b->n - b->head > 1) {
		last->cost += cost;
		last->at_ms = at_ms;
		return;
	}
	VEC_ADD(b->v, b->n, b->cap, (struct spending){ at_ms, cost });
}

/* --- the file --- */

static void encode(const struct bucket *b, uint64_t cost, int64_t at_ms, struct buf *to)
{
	buf_add_u64(to, b->id);
	buf_add_u64(to, cost);
	buf_add_u64(to, (uint64_t)at_ms);
	buf_add_u64(to, b->window_ms);
}

static size_t bucket_of(struct quota *q, uint64_t id)
{
	bool is_new;
	uint64_t *at = map_add(&q->by_id, id, &is_new);

	if (is_new) {
		*at = q->n;
		VEC_ADD(q->v, q->n, q->cap, (struct bucket){ .id = id });
	}
	return (size_t)*at;
}

static void replay(struct quota *q, struct str record, int64_t now_ms)
{
	uint64_t id, cost, at, window;

	if (!str_take_u64(&record, &id) || !str_take_u64(&record, &cost) ||
	    !str_take_u64(&record, &at) || !str_take_u64(&record, &window))
		return;
	size_t bucket = bucket_of(q, id); /* may move the array */
	struct bucket *b = &q->v[bucket];
	if (window == BLOCKED) {
		b->blocked_ms = MAX(b->blocked_ms,
				    MIN((int64_t)at, now_ms + (int64_t)BLOCK_MOST_MS));
		return;
	}
	b->window_ms = MAX(b->window_ms, window);
	if ((int64_t)at > now_ms - (int64_t)window - DAY_MS)
		note(b, cost, MIN((int64_t)at, now_ms));
}

/* Only what still counts is written anew, so the file stays small. */
static enum status rewrite(struct quota *q, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf name = { 0 };
	struct segment s = { 0 };
	enum status st;

	buf_addf(&name, "%s.new", path);
	TRY(file_remove(buf_cstr(&name), why));
	TRY(segment_open(&s, buf_cstr(&name), &log_kind, 0, NULL, why));
	st = ST_OK;
	for (size_t i = 0; st == ST_OK && i < q->n; i++) {
		struct bucket *b = &q->v[i];

		for (size_t k = b->head; st == ST_OK && k < b->n; k++) {
			cleanup(buf_release) struct buf record = { 0 };

			encode(b, b->v[k].cost, b->v[k].at_ms, &record);
			st = segment_add(&s, buf_str(&record), NULL, why);
		}
	}
	if (st == ST_OK)
		st = segment_sync(&s, why);
	segment_close(&s);
	if (st == ST_OK)
		st = file_rename(buf_cstr(&name), path, why);
	return st;
}

enum status quota_open(struct quota *q, const char *path, int64_t now_ms,
		       struct diag *why)
{
	if (file_exists(path)) {
		cleanup(buf_release) struct buf bytes = { 0 };
		struct segment_reader r;
		struct str record;

		TRY(file_load(path, (size_t)256 << 20, &bytes, why));
		/* One that was killed before its first record is as good as none. */
		if (segment_reader_init(&r, buf_str(&bytes), &log_kind, why) == ST_OK)
			while (segment_next(&r, &record) == ST_OK)
				replay(q, record, now_ms);
	}
	TRY(rewrite(q, path, why));
	TRY(segment_open(&q->log, path, &log_kind, 0, NULL, why));
	q->is_durable = true;
	return ST_OK;
}

/* --- use --- */

size_t quota_bucket(struct quota *q, struct str name, const struct bucket_limits *l)
{
	size_t at = bucket_of(q, hash64(name));
	struct bucket *b = &q->v[at];

	if (b->name.n == 0)
		b->name = arena_copy(&q->names, name);
	if (b->limit == 0 || (l->limit && l->limit < b->limit)) {
		b->limit = l->limit;
		b->window_ms = l->window_ms;
		b->is_calendar = l->is_calendar;
		b->zone_ms = l->zone_ms;
	}
	return at;
}

/* When enough of what was spent has left the window. */
static int64_t due_by_limit(const struct bucket *b, uint64_t cost, int64_t now_ms)
{
	uint64_t sum = b->sum;

	if (b->limit == 0 || sum + cost <= b->limit)
		return now_ms;
	if (b->is_calendar)
		return window_start(b, now_ms) + 1 + (int64_t)b->window_ms;
	for (size_t i = b->head; i < b->n; i++) {
		sum -= b->v[i].cost;
		if (sum + cost <= b->limit)
			return b->v[i].at_ms + (int64_t)b->window_ms;
	}
	return now_ms + (int64_t)b->window_ms;
}

int64_t quota_due(struct quota *q, size_t bucket, uint64_t cost, int64_t now_ms)
{
	struct bucket *b = &q->v[bucket];

	expire(b, now_ms);
	int64_t due = MAX(due_by_limit(b, cost, now_ms), b->blocked_ms);
	if (b->reset_ms > now_ms && b->left < cost)
		due = MAX(due, b->reset_ms);
	return due;
}

enum status quota_spend(struct quota *q, size_t bucket, uint64_t cost, int64_t now_ms,
			struct diag *why)
{
	struct bucket *b = &q->v[bucket];

	assert(quota_due(q, bucket, cost, now_ms) <= now_ms);
	note(b, cost, now_ms);
	if (b->reset_ms > now_ms)
		b->left -= cost;
	if (!q->is_durable || b->window_ms == 0)
		return ST_OK;
	cleanup(buf_release) struct buf record = { 0 };
	encode(b, cost, now_ms, &record);
	TRY(segment_add(&q->log, buf_str(&record), NULL, why));
	return segment_flush(&q->log, why);
}

/* Best effort: without it the server says it again. */
static void keep_block(struct quota *q, const struct bucket *b, int64_t until_ms)
{
	cleanup(buf_release) struct buf record = { 0 };

	if (!q->is_durable)
		return;
	buf_add_u64(&record, b->id);
	buf_add_u64(&record, 0);
	buf_add_u64(&record, (uint64_t)until_ms);
	buf_add_u64(&record, BLOCKED);
	if (segment_add(&q->log, buf_str(&record), NULL, NULL) == ST_OK &&
	    segment_flush(&q->log, NULL) != ST_OK)
		return;
}

void quota_block(struct quota *q, size_t bucket, int64_t now_ms, uint64_t wait_ms)
{
	struct bucket *b = &q->v[bucket];

	b->blocked_ms = MAX(b->blocked_ms, now_ms + (int64_t)wait_ms);
	keep_block(q, b, b->blocked_ms);
}

void quota_left(struct quota *q, size_t bucket, int64_t now_ms, uint64_t left,
		uint64_t reset_ms, bool may_be_overtaken)
{
	struct bucket *b = &q->v[bucket];
	int64_t reset = now_ms + (int64_t)reset_ms;

	/* An answer that was overtaken by another must not give back what was spent. */
	if (may_be_overtaken && b->reset_ms > now_ms && reset < b->reset_ms + 1000 &&
	    left > b->left)
		return;
	b->reset_ms = reset;
	b->left = left;
	if (left == 0)
		keep_block(q, b, reset);
}

uint64_t quota_spent(struct quota *q, size_t bucket, int64_t now_ms)
{
	expire(&q->v[bucket], now_ms);
	return q->v[bucket].sum;
}
