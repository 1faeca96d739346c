#include "sketch/page_sketch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As a stored sketch, and as a text: what is made must read back. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct page_sketch s = { 0 }, again = { 0 };
	struct str all = { (const char *)data, size };
	struct buf bytes = { 0 };

	if (page_sketch_decode(all, &s) == ST_OK)
		page_sketch_overlap(&s, &s);
	page_sketch_make(all, &s);
	page_sketch_encode(&s, &bytes);
	if (page_sketch_decode(buf_str(&bytes), &again) != ST_OK)
		__builtin_trap();
	buf_release(&bytes);
	page_sketch_release(&s);
	page_sketch_release(&again);
	return 0;
}
