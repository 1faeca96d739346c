#include <assert.h>

#include "page/sitemap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = { (const char *)data, size };
	struct arena a = { 0 };
	struct page p = { 0 };

	sitemap_read_xml(in, &(struct page_options){ .max_links = 100 }, &a, &p);
	assert(p.n_links <= 100);
	if (sitemap_is_text(in))
		sitemap_read_text(in, NULL, &a, &p);
	arena_release(&a);
	return 0;
}
