#include "control/inbox.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "test.h"
#include "tmp.h"

#define THREADS 8
#define BLOCKS  50

static struct diag why;

static void add_url(struct buf *b, const char *url)
{
	demand_encode(&(struct demand){ .kind = DEMAND_URL, .text = str_from(url) }, b);
}

static void demands_survive_their_bytes(void)
{
	const struct demand all[] = {
		{ .kind = DEMAND_URL,
		  .has_score = true,
		  .score = 0.25,
		  .deadline_ms = 1700000000000,
		  .text = STR("http://a/") },
		{ .kind = DEMAND_BLACKLIST, .text = STR("http://b/") },
		{ .kind = DEMAND_PAUSE },
	};
	cleanup(buf_release) struct buf b = { 0 };
	struct demand d;

	for (size_t i = 0; i < COUNT(all); i++)
		demand_encode(&all[i], &b);
	struct str in = buf_str(&b), cut;
	for (size_t i = 0; i < COUNT(all); i++) {
		CHECK(demand_next(&in, &d) == ST_OK);
		CHECK(d.kind == all[i].kind && str_eq(d.text, all[i].text) &&
		      d.has_score == all[i].has_score &&
		      d.deadline_ms == all[i].deadline_ms &&
		      (!d.has_score || d.score == 0.25));
	}
	CHECK(demand_next(&in, &d) == ST_AGAIN);
	for (size_t n = 1; n < 20; n++) {
		cut = str_slice(buf_str(&b), 0, n);
		CHECK(demand_next(&cut, &d) == ST_CORRUPT);
	}
}

static uint8_t priority(double score)
{
	return demand_priority(&(struct demand){ .has_score = true, .score = score }, 7);
}

static void a_score_is_a_place_in_the_queue(void)
{
	CHECK(demand_priority(&(struct demand){ 0 }, 7) == 7);
	CHECK(priority(0) == 0 && priority(1) == 255 && priority(0.5) == 128);
	CHECK(priority(-3) == 0 && priority(1e300) == 255 && priority((double)NAN) == 0);
}

static void what_was_added_is_read_in_order_also_later(void)
{
	const char *dir = tmp_path("order");
	cleanup(buf_release) struct buf b = { 0 };
	struct inbox_reader r;
	struct demand d;
	struct inbox x;
	struct str block;
	uint64_t end, first;

	inbox_reader_init(&r, dir, 0);
	CHECK(inbox_reader_next(&r, &block, &why) == ST_AGAIN);
	CHECK(inbox_open(&x, dir, &why) == ST_OK);
	add_url(&b, "http://a/1");
	CHECK(inbox_add(&x, buf_str(&b), &first, &why) == ST_OK);
	CHECK(inbox_sync(&x, first, &why) == ST_OK && x.synced >= first);
	CHECK(inbox_reader_next(&r, &block, &why) == ST_OK && !r.next_is_old);
	CHECK(r.position == first);
	CHECK(inbox_reader_next(&r, &block, &why) == ST_AGAIN);
	buf_reset(&b);
	add_url(&b, "http://a/2");
	CHECK(inbox_add(&x, buf_str(&b), &end, &why) == ST_OK);
	CHECK(inbox_reader_next(&r, &block, &why) == ST_OK && r.position == end);
	inbox_reader_release(&r);
	inbox_close(&x);
	/* The next process has the journal's word that the first was done. */
	inbox_reader_init(&r, dir, first);
	CHECK(inbox_reader_next(&r, &block, &why) == ST_OK && r.next_is_old);
	CHECK(demand_next(&block, &d) == ST_OK && str_eq(d.text, STR("http://a/2")));
	CHECK(inbox_reader_next(&r, &block, &why) == ST_AGAIN);
	inbox_reader_release(&r);
}

static void one_process_adds_at_a_time(void)
{
	const char *dir = tmp_path("alone");
	struct inbox x, other;

	CHECK(inbox_open(&x, dir, &why) == ST_OK);
	CHECK(inbox_open(&other, dir, &why) == ST_DENIED);
	inbox_close(&x);
	CHECK(inbox_open(&other, dir, &why) == ST_OK);
	inbox_close(&other);
	inbox_close(&other);
}

static struct inbox shared;

static void *add_many(void *arg)
{
	cleanup(buf_release) struct buf b = { 0 };
	bool *fine = arg;
	struct diag own;
	uint64_t end;

	add_url(&b, "http://a/");
	for (unsigned i = 0; i < BLOCKS; i++)
		if (inbox_add(&shared, buf_str(&b), &end, &own) != ST_OK ||
		    inbox_sync(&shared, end, &own) != ST_OK)
			*fine = false;
	return NULL;
}

static void many_threads_add_and_share_the_syncs(void)
{
	const char *dir = tmp_path("threads");
	pthread_t threads[THREADS];
	bool fine[THREADS];
	struct inbox_reader r;
	struct str block;
	unsigned n = 0;

	CHECK(inbox_open(&shared, dir, &why) == ST_OK);
	for (unsigned i = 0; i < THREADS; i++) {
		fine[i] = true;
		CHECK(pthread_create(&threads[i], NULL, add_many, &fine[i]) == 0);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		CHECK(fine[i]);
	}
	inbox_close(&shared);
	inbox_reader_init(&r, dir, 0);
	while (inbox_reader_next(&r, &block, &why) == ST_OK)
		n++;
	CHECK(n == THREADS * BLOCKS);
	inbox_reader_release(&r);
}

int main(void)
{
	RUN(demands_survive_their_bytes);
	RUN(a_score_is_a_place_in_the_queue);
	RUN(what_was_added_is_read_in_order_also_later);
	RUN(one_process_adds_at_a_time);
	RUN(many_threads_add_and_share_the_syncs);
	DONE();
}
