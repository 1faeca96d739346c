#include "frontier/queue_store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "test.h"

static char dir[] = "/tmp/thresh-queue-XXXXXX";

static struct u128 key_of(uint64_t i)
{
	return hash128((struct str){ (const char *)&i, sizeof(i) });
}

static enum status add(struct queue_store *s, struct host_queue *q, uint64_t i,
		       uint8_t priority, struct str payload)
{
	struct queued url = { .key = key_of(i),
			      .priority = priority,
			      .payload = payload };
	struct diag why;

	return queue_store_add(s, q, &url, &why);
}

static void best_priority_first_then_oldest(void)
{
	struct queue_store s;
	struct host_queue q = { 0 };
	struct queued got;
	struct buf b = { 0 };
	struct diag why;

	CHECK(queue_store_open(&s, dir, &why) == ST_OK);
	CHECK(queue_store_take(&s, &q, &b, &got, &why) == ST_AGAIN);
	CHECK(add(&s, &q, 1, 1, STR("/low")) == ST_OK);
	CHECK(add(&s, &q, 2, 9, STR("/a")) == ST_OK);
	CHECK(add(&s, &q, 3, 9, STR("/b")) == ST_OK);
	CHECK(host_queue_best(&q) == 9);
	CHECK(queue_store_take(&s, &q, &b, &got, &why) == ST_OK);
	CHECK(str_eq(got.payload, STR("/a")) && u128_eq(got.key, key_of(2)));
	CHECK(queue_store_take(&s, &q, &b, &got, &why) == ST_OK);
	CHECK(str_eq(got.payload, STR("/b")) && got.priority == 9);
	CHECK(queue_store_take(&s, &q, &b, &got, &why) == ST_OK);
	CHECK(str_eq(got.payload, STR("/low")));
	CHECK(queue_store_take(&s, &q, &b, &got, &why) == ST_AGAIN);
	CHECK(s.live == 0 && q.n == 0);
	host_queue_release(&q);
	buf_release(&b);
	queue_store_close(&s);
}

static void what_is_held_for_one_reason_is_let_go_alone(void)
{
	struct queue_store s;
	struct host_queue q = { 0 };
	struct queued got;
	struct buf b = { 0 };
	struct diag why;
	uint32_t n, hold = 0;

	CHECK(queue_store_open(&s, dir, &why) == ST_OK);
	for (uint64_t i = 0; i < 30; i++) {
		struct queued url = { .key = key_of(i),
				      .priority = 7,
				      .payload = STR("/a") };

		CHECK(queue_store_add_held(&s, &q, &url, i % 3 ? 900 : 5, &why) == ST_OK);
	}
	CHECK(s.held == 30 && q.live == 0);
	CHECK(host_queue_held(&q, 5) == 10 && host_queue_held(&q, 900) == 20);
	CHECK(host_queue_held(&q, 6) == 0);
	CHECK(host_queue_next_hold(&q, &hold) && hold == 5);
	CHECK(queue_store_unhold_some(&s, &q, 900, 1, &n, &why) == ST_OK && n == 1);
	CHECK(queue_store_take(&s, &q, &b, &got, &why) == ST_OK && got.granted);
	CHECK(u128_eq(got.key, key_of(1)) && got.priority == 7);
	CHECK(str_eq(got.payload, STR("/a")));
	CHECK(queue_store_unhold_some(&s, &q, 5, 100, &n, &why) == ST_OK && n == 10);
	hold = 0;
	CHECK(host_queue_next_hold(&q, &hold) && hold == 900);
	CHECK(!host_queue_next_hold(&q, &hold) && s.held == 19 && q.live == 10);
	CHECK(queue_store_drop(&s, &q, key_of(2), &why) == ST_OK && s.held == 18);
	host_queue_release(&q);
	buf_release(&b);
	queue_store_close(&s);
}

static void any_queued_url_can_be_moved_held_and_dropped(void)
{
	struct queue_store s;
	struct host_queue q = { 0 };
	struct queued got;
	struct buf b = { 0 };
	struct diag why;
	uint64_t rank;
	bool held;

	CHECK(queue_store_open(&s, dir, &why) == ST_OK);
	for (uint64_t i = 0; i < 50; i++)
		CHECK(add(&s, &q, i, 5, STR("/some/page")) == ST_OK);
	CHECK(queue_store_rank(&s, &q, key_of(30), 1000, &rank, &why) == ST_OK &&
	      rank == 30);
	CHECK(queue_store_move(&s, &q, key_of(30), 8, &why) == ST_OK);
	CHECK(queue_store_rank(&s, &q, key_of(30), 1000, &rank, &why) == ST_OK &&
	      rank == 0);
	CHECK(queue_store_rank(&s, &q, key_of(31), 1000, &rank, &why) == ST_OK &&
	      rank == 31);
	CHECK(queue_store_hold(&s, &q, key_of(0), &why) == ST_OK);
	CHECK(queue_store_find(&s, key_of(0), &b, &got, &held, &why) == ST_OK && held);
	CHECK(queue_store_drop(&s, &q, key_of(1), &why) == ST_OK);
	CHECK(queue_store_drop(&s, &q, key_of(1), &why) == ST_NOT_FOUND);
	CHECK(queue_store_take(&s, &q, &b, &got, &why) == ST_OK);
	CHECK(u128_eq(got.key, key_of(30)));
	CHECK(queue_store_take(&s, &q, &b, &got, &why) == ST_OK);
	CHECK(u128_eq(got.key, key_of(2)));
	for (unsigned i = 0; i < 46; i++)
		CHECK(queue_store_take(&s, &q, &b, &got, &why) == ST_OK);
	CHECK(queue_store_take(&s, &q, &b, &got, &why) == ST_AGAIN && s.held == 1);
	CHECK(queue_store_unhold(&s, &q, key_of(0), &why) == ST_OK);
	CHECK(queue_store_take(&s, &q, &b, &got, &why) == ST_OK);
	CHECK(u128_eq(got.key, key_of(0)) && got.priority == 5 && s.held == 0);
	host_queue_release(&q);
	buf_release(&b);
	queue_store_close(&s);
}

/* --- against a model: every URL in one array --- */

enum { HOSTS = 7, URLS = 4000 };

struct model_url {
	enum { ABSENT, QUEUED, HELD } state;
	unsigned host;
	uint8_t priority;
	uint64_t age;
	size_t bytes;
};

static struct model_url model[URLS];

static int model_best(unsigned host)
{
	int best = -1;

	for (int i = 0; i < URLS; i++) {
		struct model_url *u = &model[i], *v = &model[best < 0 ? 0 : best];

		if (u->state != QUEUED || u->host != host)
			continue;
		if (best < 0 || u->priority > v->priority ||
		    (u->priority == v->priority && u->age < v->age))
			best = i;
	}
	return best;
}

static void any_history_equals_the_model(void)
{
	static char text[2000];
	struct queue_store s;
	struct host_queue q[HOSTS] = { { 0 } };
	struct rng random = { 11 };
	struct queued got;
	struct buf b = { 0 };
	struct diag why;
	uint64_t age = 0;

	memset(text, 'x', sizeof(text));
	CHECK(queue_store_open(&s, dir, &why) == ST_OK);
	for (unsigned step = 0; step < 60000; step++) {
		unsigned i = (unsigned)rng_below(&random, URLS);
		struct model_url *u = &model[i];
		struct u128 key = key_of(i);
		uint8_t priority = (uint8_t)(rng_below(&random, 5) * 50);
		unsigned what = (unsigned)rng_below(&random, 8);

		if (what < 3 && u->state == ABSENT) {
			*u = (struct model_url){ QUEUED, i % HOSTS, priority, age++,
						 rng_below(&random, 100) < 3
							 ? 1999
							 : rng_below(&random, 90) };
			CHECK(add(&s, &q[u->host], i, priority,
				  (struct str){ text, u->bytes }) == ST_OK);
		} else if (what < 5) {
			unsigned host = i % HOSTS;
			int best = model_best(host);
			enum status st = queue_store_take(&s, &q[host], &b, &got, &why);

			CHECK((best < 0) == (st == ST_AGAIN));
			if (best < 0)
				continue;
			CHECK(st == ST_OK && u128_eq(got.key, key_of((uint64_t)best)));
			CHECK(got.payload.n == model[best].bytes);
			CHECK(got.priority == model[best].priority);
			model[best].state = ABSENT;
		} else if (u->state == ABSENT) {
			CHECK(queue_store_drop(&s, &q[i % HOSTS], key, &why) ==
			      ST_NOT_FOUND);
		} else if (what == 5) {
			CHECK(queue_store_move(&s, &q[u->host], key, priority, &why) ==
			      ST_OK);
			u->priority = priority;
			u->age = age++;
		} else if (what == 6) {
			CHECK((u->state == HELD ? queue_store_unhold : queue_store_hold)(
				      &s, &q[u->host], key, &why) == ST_OK);
			u->state = u->state == HELD ? QUEUED : HELD;
			u->age = age++;
		} else {
			CHECK(queue_store_drop(&s, &q[u->host], key, &why) == ST_OK);
			u->state = ABSENT;
		}
	}
	uint64_t live = 0, held = 0;
	for (unsigned i = 0; i < URLS; i++) {
		live += model[i].state == QUEUED;
		held += model[i].state == HELD;
	}
	CHECK(s.live == live && s.held == held);
	for (unsigned h = 0; h < HOSTS; h++)
		host_queue_release(&q[h]);
	buf_release(&b);
	queue_store_close(&s);
}

static void space_is_used_again_and_small(void)
{
	struct str path = STR("/a/typical/path/of/about/sixty/bytes/with?query=1&b=2");
	struct queue_store s;
	struct host_queue q[100] = { { 0 } };
	struct queued got;
	struct buf b = { 0 };
	struct diag why;
	uint64_t blocks;

	CHECK(queue_store_open(&s, dir, &why) == ST_OK);
	for (uint64_t i = 0; i < 20000; i++)
		CHECK(add(&s, &q[i % 100], i, (uint8_t)(i % 3), path) == ST_OK);
	CHECK(queue_store_bytes(&s) <= 20000 * 120);
	blocks = s.records.blocks;
	for (uint64_t i = 0; i < 20000; i++) {
		CHECK(queue_store_take(&s, &q[i % 100], &b, &got, &why) == ST_OK);
		CHECK(add(&s, &q[i % 100], 100000 + i, 1, path) == ST_OK);
	}
	CHECK(s.records.blocks <= blocks + 500);
	for (unsigned h = 0; h < 100; h++)
		host_queue_release(&q[h]);
	buf_release(&b);
	queue_store_close(&s);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	RUN(best_priority_first_then_oldest);
	RUN(what_is_held_for_one_reason_is_let_go_alone);
	RUN(any_queued_url_can_be_moved_held_and_dropped);
	RUN(any_history_equals_the_model);
	RUN(space_is_used_again_and_small);
	rmdir(dir);
	DONE();
}
