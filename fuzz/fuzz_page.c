#include <assert.h>

#include "page/page.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = { (const char *)data, size };
	struct arena a = { 0 };
	struct page p = { 0 };

	page_parse(&(struct page_input){ .body = in }, NULL, &a, &p);
	assert(p.main_bytes <= p.text.n);
	arena_release(&a);
	return 0;
}
