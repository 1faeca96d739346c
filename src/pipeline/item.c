#include "pipeline/item.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"

/*
 * What is kept of one buffer: most pages fit.  There are hundreds of items, and sooner or
 * later each of them meets a giant.
 */
#define KEEP_BYTES ((size_t)128 << 10)
#define KEEP_BODY  ((size_t)64 << 10)

struct crawl_item *item_new(void)
{
	return NEW(struct crawl_item);
}

void item_reset(struct crawl_item *i)
{
	struct crawl_item kept = *i;

	rendering_free(kept.rendering);
	arena_reset(&kept.arena);
	buf_reset_small(&kept.body, KEEP_BODY);
	buf_reset_small(&kept.decoded, KEEP_BYTES);
	buf_reset_small(&kept.journal, KEEP_BYTES);
	buf_reset_small(&kept.ledger, KEEP_BYTES);
	buf_reset_small(&kept.facts, KEEP_BYTES);
	buf_reset_small(&kept.record, KEEP_BYTES);
	if (kept.capture.bytes.cap > KEEP_BYTES)
		capture_release(&kept.capture);
	*i = (struct crawl_item){
		.arena = kept.arena,
		.body = kept.body,
		.decoded = kept.decoded,
		.journal = kept.journal,
		.ledger = kept.ledger,
		.facts = kept.facts,
		.record = kept.record,
		.capture = kept.capture,
		.has_room = kept.has_room,
	};
}

void item_lend(struct crawl_item *i, struct item_room *room)
{
	assert(!i->decoded.cap && !i->journal.cap && !i->ledger.cap && !i->facts.cap &&
	       !i->record.cap && !i->capture.bytes.cap);
	arena_lend(&i->arena, &room->arena);
	i->decoded = room->decoded;
	i->journal = room->journal;
	i->ledger = room->ledger;
	i->facts = room->facts;
	i->record = room->record;
	i->capture = room->capture;
	i->has_room = true;
	*room = (struct item_room){ 0 };
}

struct item_room item_take_room(struct crawl_item *i)
{
	struct item_room room = { i->arena, i->decoded, i->journal, i->ledger,
				  i->facts, i->record,  i->capture };

	*i = (struct crawl_item){ .body = i->body };
	return room;
}

void item_room_release(struct item_room *room)
{
	arena_release(&room->arena);
	buf_release(&room->decoded);
	buf_release(&room->journal);
	buf_release(&room->ledger);
	buf_release(&room->facts);
	buf_release(&room->record);
	capture_release(&room->capture);
}

void item_free(struct crawl_item *i)
{
	rendering_free(i->rendering);
	struct item_room room = item_take_room(i);

	item_room_release(&room);
	buf_release(&i->body);
	free(i);
}

void item_batch_send(struct item_batch *b)
{
	size_t given;

	if (queue_add_many(b->to, b->v, b->n, QUEUE_FOREVER, &given) != ST_OK)
		for (; given < b->n; given++)
			item_free(b->v[given]);
	b->n = 0;
}

void item_batch_add(struct item_batch *b, struct crawl_item *i)
{
	b->v[b->n++] = i;
	if (b->n == COUNT(b->v))
		item_batch_send(b);
}

size_t item_brought(const struct crawl_item *i)
{
	return MIN(i->brought, i->page.text.n * i->new_percent / 100);
}
