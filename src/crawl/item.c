#include "crawl/item.h"

#include <stdlib.h>

#include "base/alloc.h"

/*
 * What the pool keeps of one buffer: most pages fit.  There are hundreds of items with
 * several buffers each, and sooner or later each of them meets a giant.
 */
#define KEEP_BYTES ((size_t)128 << 10)

struct crawl_item *item_new(void)
{
	return NEW(struct crawl_item);
}

static void reset_buf(struct buf *b)
{
	if (b->cap > KEEP_BYTES) {
		size_t limit = b->limit;

		buf_release(b);
		b->limit = limit;
	}
	buf_reset(b);
}

void item_reset(struct crawl_item *i)
{
	struct crawl_item kept = *i;

	arena_reset(&kept.arena);
	reset_buf(&kept.body);
	reset_buf(&kept.decoded);
	reset_buf(&kept.journal);
	reset_buf(&kept.ledger);
	reset_buf(&kept.facts);
	reset_buf(&kept.record);
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
	};
}

void item_free(struct crawl_item *i)
{
	arena_release(&i->arena);
	buf_release(&i->body);
	buf_release(&i->decoded);
	buf_release(&i->journal);
	buf_release(&i->ledger);
	buf_release(&i->facts);
	buf_release(&i->record);
	capture_release(&i->capture);
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
