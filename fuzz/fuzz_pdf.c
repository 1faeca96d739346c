#include <assert.h>

#include "page/pdf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = { (const char *)data, size };
	struct arena a = { 0 };
	struct page p = { 0 };

	pdf_read(in, NULL, &a, &p);
	for (size_t i = 0; i < p.n_links; i++)
		assert(p.links[i].kind == LINK_PDF);
	arena_release(&a);
	return 0;
}
