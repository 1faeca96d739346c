#include "dup/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct page_sketch s = { 0 };
	struct stored_doc doc;

	if (doc_store_decode((struct str){ (const char *)data, size }, &doc, &s) == ST_OK)
		page_sketch_overlap(&s, &s);
	page_sketch_release(&s);
	return 0;
}
