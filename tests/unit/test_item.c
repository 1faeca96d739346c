#include "crawl/item.h"

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

int main(void)
{
	RUN(giants_are_not_kept);
	DONE();
}
