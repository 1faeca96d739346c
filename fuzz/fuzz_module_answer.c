/* Lines that a module from outside answers. */
#include <stdlib.h>

#include "focus/page_line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct module_answer m;
	struct diag why;

	if (module_answer_parse((struct str){ (const char *)data, size }, &a, &m, &why) !=
	    ST_OK)
		return 0;
	for (size_t k = 0; k <= m.n_links; k++) {
		float v = module_answer_of(&m, k);

		if (v != MODULE_VETO && v != MODULE_SILENT && !(v >= 0 && v <= 1))
			abort();
	}
	return 0;
}
