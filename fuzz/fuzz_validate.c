#include <assert.h>

#include "validate/validate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Places are inside the page and in order, and no kind is kept more often than met. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct validate_input in = { .is_dom = size && data[0] & 1 };
	struct validation v;
	uint64_t kept[FAULT_KINDS] = { 0 };

	if (size)
		in.html = (struct str){ (const char *)data + 1, size - 1 };
	validate_page(&in, &a, &v);
	for (size_t i = 0; i < v.n; i++) {
		assert(v.v[i].offset <= in.html.n && v.v[i].line > 0 &&
		       v.v[i].column > 0);
		assert(i == 0 || v.v[i - 1].offset <= v.v[i].offset);
		assert(!in.is_dom || !fault_table[v.v[i].kind].is_markup);
		kept[v.v[i].kind]++;
	}
	for (int k = 0; k < FAULT_KINDS; k++)
		assert(kept[k] <= v.times[k]);
	arena_release(&a);
	return 0;
}
