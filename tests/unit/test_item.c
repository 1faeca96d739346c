#include "pipeline/item.h"

#include <string.h>

#include "test.h"

/* Hundreds of items wait in the pool: none may stay as large as the largest page it met.
 */
static void giants_are_not_kept(void)
{
	struct crawl_item *i = item_new();
	struct buf *all[] = { &i->body,  &i->decoded, &i->journal,      &i->ledger,
			      &i->facts, &i->record,  &i->capture.bytes };

	for (size_t k = 0; k < COUNT(all); k++)
		buf_reserve(all[k], 1 << 20);
	item_reset(i);
	for (size_t k = 0; k < COUNT(all); k++)
		CHECK(all[k]->cap <= 128 << 10);
	for (size_t k = 0; k < COUNT(all); k++)
		buf_reserve(all[k], 20000);
	item_reset(i);
	for (size_t k = 0; k < COUNT(all); k++)
		CHECK(all[k]->cap >= 20000);
	item_free(i);
}

/* Memory moves from page to page; what an item had in its arena before stays. */
static void room_is_lent_and_taken_back(void)
{
	struct crawl_item *first = item_new(), *second = item_new();
	struct item_room room = { 0 };

	item_lend(first, &room);
	buf_add(&first->journal, STR("lines"));
	buf_add(&first->body, STR("body"));
	arena_alloc(&first->arena, 100000);
	item_reset(first);
	CHECK(first->has_room);
	room = item_take_room(first);
	CHECK(!first->has_room && first->journal.cap == 0 && first->body.cap > 0);
	CHECK(room.journal.cap > 0 && room.journal.n == 0);

	struct str url = arena_copy(&second->arena, STR("http://a.test/"));
	item_lend(second, &room);
	memset(arena_alloc(&second->arena, 100000), 'x', 100000);
	CHECK(str_eq(url, STR("http://a.test/")));
	CHECK(second->has_room && second->journal.cap > 0 && room.journal.cap == 0);
	item_free(first);
	item_free(second);
}

static void a_batch_goes_when_it_is_full_and_when_it_is_sent(void)
{
	struct queue q;
	struct item_batch b = { .to = &q };
	void *got[2 * ITEM_BATCH];
	size_t n;

	queue_init(&q, 2 * ITEM_BATCH);
	item_batch_send(&b);
	CHECK(queue_length(&q) == 0);
	for (size_t k = 0; k + 1 < ITEM_BATCH; k++)
		item_batch_add(&b, item_new());
	CHECK(queue_length(&q) == 0);
	item_batch_add(&b, item_new());
	CHECK(queue_length(&q) == ITEM_BATCH && b.n == 0);
	item_batch_add(&b, item_new());
	item_batch_send(&b);
	CHECK(queue_take_many(&q, 0, got, COUNT(got), &n) == ST_OK &&
	      n == ITEM_BATCH + 1);
	for (size_t k = 0; k < n; k++)
		item_free(got[k]);
	queue_release(&q);
}

static void what_a_closed_queue_refuses_is_freed(void)
{
	struct queue q;
	struct item_batch b = { .to = &q };

	queue_init(&q, 1);
	queue_close(&q);
	item_batch_add(&b, item_new());
	item_batch_send(&b);
	CHECK(b.n == 0 && queue_length(&q) == 0);
	queue_release(&q);
}

int main(void)
{
	RUN(giants_are_not_kept);
	RUN(room_is_lent_and_taken_back);
	RUN(a_batch_goes_when_it_is_full_and_when_it_is_sent);
	RUN(what_a_closed_queue_refuses_is_freed);
	DONE();
}
