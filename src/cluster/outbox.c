#include "cluster/outbox.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cluster/message.h"
#include "journal/journal.h"
#include "os/clock.h"
#include "os/file.h"
#include "policy/reason.h"
#include "record/purpose.h"
#include "url/url.h"

#define IDLE_MS  20
#define FLUSH_MS 10000
#define AGAIN_MS 500
#define SAVE_MS  2000
#define LAST_MS  5000 /* for what is left when the crawl ends */

/* --- sending --- */

static enum status open_dead(struct outbox *o, struct diag *why)
{
	struct kafka_topic_options t = { .partitions = 1 };

	if (o->dead)
		return ST_OK;
	TRY(kafka_make_topic(&o->place->kafka, o->place->dead_letters, &t, why));
	return kafka_producer_open(&o->dead, &o->place->kafka, o->place->dead_letters, 1,
				   why);
}

/* A full queue is waited for. */
static enum status add(struct outbox *o, struct kafka_producer *to, uint32_t partition,
		       struct str message, struct diag *why)
{
	enum status st = kafka_add(to, partition, STR(""), message, why);

	if (st == ST_AGAIN) {
		TRY(kafka_flush(to, FLUSH_MS, why));
		st = kafka_add(to, partition, STR(""), message, why);
	}
	__atomic_add_fetch(&o->messages, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&o->bytes, message.n, __ATOMIC_RELAXED);
	return st;
}

static enum status send_found(struct outbox *o, const struct journal_sent *s,
			      struct diag *why)
{
	if (s->partition == OUTBOX_DEAD_LETTER) {
		TRY(open_dead(o, why));
		TRY(add(o, o->dead, 0, s->message, why));
		return kafka_flush(o->dead, FLUSH_MS, why);
	}
	return add(o, o->out, s->partition, s->message, why);
}

/* The end of a URL waits for the commit that makes it true. */
static void keep_end(struct outbox *o, struct str url, struct str record)
{
	cleanup(buf_release) struct buf scratch = { 0 }, one = { 0 };
	struct url u;

	if (url_parse(url, NULL, &scratch, &u, NULL) != ST_OK)
		return;
	uint32_t p = cluster_partition(suffix_site_cached(o->suffixes, u.host),
				       o->place->partitions);
	buf_add_u32(&one, p);
	message_encode(&(struct message){ .kind = MESSAGE_DONE,
					  .node = o->node,
					  .epoch = __atomic_load_n(&o->epochs[p],
								   __ATOMIC_RELAXED),
					  .record = record },
		       &one);
	buf_add_sized(&o->ends, buf_str(&one));
}

static enum status send_ends(struct outbox *o, struct diag *why)
{
	struct str rest = buf_str(&o->ends), one;
	uint32_t p;

	while (str_take_sized(&rest, &one))
		if (str_take_u32(&one, &p))
			TRY(add(o, o->out, p, one, why));
	return rest.n == buf_str(&o->ends).n ? ST_OK : kafka_flush(o->out, FLUSH_MS, why);
}

static void publish(struct outbox *o)
{
	for (uint32_t p = 0; p < o->place->partitions; p++)
		__atomic_store_n(&o->sent[p], MAX(o->sent[p], kafka_end(o->out, p)),
				 __ATOMIC_RELAXED);
	__atomic_store_n(&o->shipped, o->position, __ATOMIC_RELAXED);
	/* Whoever sees the mark must see the offsets before it. */
	__atomic_store_n(&o->marked, o->mark, __ATOMIC_RELEASE);
}

static void save(struct outbox *o, bool now)
{
	cleanup(buf_release) struct buf text = { 0 };
	int64_t ms = clock_mono_ms(&real_clock);

	if (!now && ms < o->next_save_ms)
		return;
	o->next_save_ms = ms + SAVE_MS;
	buf_add_uint(&text, o->position);
	/* If it cannot be written, more is sent twice after a crash. */
	(void)!file_save(o->state, buf_str(&text), NULL);
}

/* All links before it are acknowledged, then all ends are. */
static enum status commit(struct outbox *o, struct diag *why)
{
	TRY(kafka_flush(o->out, FLUSH_MS, why));
	TRY(send_ends(o, why));
	buf_reset(&o->ends);
	o->position = o->cursor.position;
	publish(o);
	save(o, false);
	return ST_OK;
}

/* --- reading --- */

static bool is_told(const struct journal_dropped *d)
{
	return purpose_is_page(d->purpose) && d->reason != REASON_ELSEWHERE &&
	       d->reason != REASON_URL_RULE;
}

static enum status take(struct outbox *o, struct str bytes, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct journal_record r;

	/* Most records are none of our business, and need not be decoded. */
	switch (bytes.n ? bytes.p[0] : 0) {
	case JOURNAL_SENT:
	case JOURNAL_APPLIED:
	case JOURNAL_DONE:
	case JOURNAL_DROPPED:
	case JOURNAL_COMMIT:
		break;
	default:
		return ST_OK;
	}
	if (journal_decode(bytes, &a, &r) != ST_OK)
		return diag_fail(why, ST_CORRUPT, "%s is damaged", o->journal);
	switch (r.kind) {
	case JOURNAL_SENT:
		return send_found(o, &r.sent, why);
	case JOURNAL_APPLIED:
		if (r.applied.partition == JOURNAL_MARK)
			o->mark = r.applied.next;
		return ST_OK;
	case JOURNAL_DONE:
		if (purpose_is_page(r.done.purpose))
			keep_end(o, r.done.url, bytes);
		return ST_OK;
	case JOURNAL_DROPPED:
		if (is_told(&r.dropped))
			keep_end(o, r.dropped.url, bytes);
		return ST_OK;
	default:
		return commit(o, why);
	}
}

/* From the last commit that was acknowledged. */
static enum status go_back(struct outbox *o, struct diag *why)
{
	segment_cursor_close(&o->cursor);
	buf_reset(&o->ends);
	return segment_cursor_open(&o->cursor, o->journal, &journal_segments, o->position,
				   why);
}

static enum status pass(struct outbox *o, struct diag *why)
{
	struct str bytes;
	enum status st;

	while ((st = segment_cursor_next(&o->cursor, &bytes, why)) == ST_OK)
		TRY(take(o, bytes, why));
	return st == ST_AGAIN ? ST_OK : st;
}

static void run(void *arg)
{
	struct outbox *o = arg;
	struct diag why;
	int64_t until_ms = 0;

	for (;;) {
		bool stopping = __atomic_load_n(&o->stopping, __ATOMIC_ACQUIRE);
		enum status st = pass(o, &why);

		__atomic_store_n(&o->failing, st != ST_OK, __ATOMIC_RELAXED);
		if (st ==
		    ST_OK) { /* what was told to stop before this pass has been read */
			if (stopping)
				return;
			sleep_ms(IDLE_MS);
			continue;
		}
		if (stopping && until_ms == 0)
			until_ms = clock_mono_ms(&real_clock) + LAST_MS;
		if (stopping && clock_mono_ms(&real_clock) > until_ms)
			return;
		sleep_ms(AGAIN_MS);
		(void)!go_back(o, &why); /* failing, it is tried again */
	}
}

/* --- the whole --- */

static void load(struct outbox *o)
{
	cleanup(buf_release) struct buf text = { 0 };

	if (file_load(o->state, 64, &text, NULL) != ST_OK ||
	    !str_to_uint(str_trim(buf_str(&text)), UINT64_MAX / 2, &o->position))
		o->position = 0;
}

enum status outbox_start(struct outbox *o, const struct cluster_place *place,
			 const char *dir, uint64_t node, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };

	o->place = place;
	o->node = node;
	o->journal = strdup(path_join(&a, dir, STR("state/journal")));
	o->state = strdup(path_join(&a, dir, STR("state/outbox")));
	o->suffixes = NEW(struct suffix_cache);
	load(o);
	TRY(kafka_producer_open(&o->out, &place->kafka, place->topic, place->partitions,
				why));
	TRY(go_back(o, why));
	return thread_start(&o->thread, "outbox", run, o, why);
}

void outbox_stop(struct outbox *o)
{
	__atomic_store_n(&o->stopping, true, __ATOMIC_RELEASE);
	if (o->thread.running) {
		thread_join(&o->thread);
		save(o, true);
	}
	segment_cursor_close(&o->cursor);
	kafka_producer_close(&o->out);
	kafka_producer_close(&o->dead);
	buf_release(&o->ends);
	free(o->suffixes);
	free(o->journal);
	free(o->state);
	o->suffixes = NULL;
	o->journal = o->state = NULL;
}
