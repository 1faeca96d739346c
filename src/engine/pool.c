#include <stdlib.h>

#include "base/alloc.h"
#include "engine/steps.h"

/* As many pages are worked on at once, but for bursts. */
#define ROOMS_MOST 128

struct crawl_item *crawl_take_item(struct crawl *c)
{
	struct crawl_item *i = c->pool;

	if (i)
		c->pool = i->next;
	else
		i = item_new();
	i->next = NULL;
	c->items++;
	return i;
}

static void keep_room(struct crawl *c, struct item_room room)
{
	if (c->n_rooms < ROOMS_MOST)
		VEC_ADD(c->rooms, c->n_rooms, c->rooms_cap, room);
	else
		item_room_release(&room);
}

void crawl_give_item(struct crawl *c, struct crawl_item *i)
{
	item_reset(i);
	if (i->has_room)
		keep_room(c, item_take_room(i));
	i->next = c->pool;
	c->pool = i;
	c->items--;
}

void crawl_attach_buffers(struct crawl *c, struct crawl_item *i)
{
	struct item_room none = { 0 };

	if (!i->has_room)
		item_lend(i, c->n_rooms ? &c->rooms[--c->n_rooms] : &none);
}

void crawl_release_pool(struct crawl *c)
{
	while (c->pool) {
		struct crawl_item *i = c->pool;

		c->pool = i->next;
		item_free(i);
	}
	while (c->n_rooms)
		item_room_release(&c->rooms[--c->n_rooms]);
	free(c->rooms);
}

void item_add_record(struct crawl_item *i, const struct journal_record *r)
{
	buf_reset(&i->record);
	journal_encode(r, &i->record);
	buf_add_sized(&i->journal, buf_str(&i->record));
}

struct crawl_item *journal_batch(struct crawl *c)
{
	if (!c->batch) {
		c->batch = crawl_take_item(c);
		crawl_attach_buffers(c, c->batch);
		c->batch->stage = ITEM_LINES;
	}
	return c->batch;
}

void journal_batch_add(struct crawl *c, const struct journal_record *r)
{
	item_add_record(journal_batch(c), r);
	if (c->batch->journal.n > BATCH_FULL)
		journal_batch_send(c);
}

void journal_batch_send(struct crawl *c)
{
	struct crawl_item *batch = TAKE(c->batch);

	if (!batch)
		return;
	if (batch->journal.n > 0)
		crawl_event_kind(c, TRACE_LINES);
	batch->seq = c->decided;
	if (queue_add(&c->writer.in, batch, QUEUE_FOREVER) != ST_OK)
		crawl_give_item(c, batch);
}
