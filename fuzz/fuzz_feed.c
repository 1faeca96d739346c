#include <assert.h>

#include "page/feed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = { (const char *)data, size };
	struct arena a = { 0 };
	struct page p = { 0 };

	feed_read_xml(in, NULL, &a, &p);
	for (size_t i = 0; i < p.n_links; i++)
		assert(p.links[i].url.n > 0);
	if (feed_read_json(in, NULL, &a, &p) == ST_OK)
		assert(p.kind == PAGE_FEED);
	arena_release(&a);
	return 0;
}
