#include <assert.h>

#include "page/jsguess.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = { (const char *)data, size };
	struct arena a = { 0 };

	struct str url;

	while (jsguess_next(&in, &a, &url))
		assert(jsguess_is_url(url));
	assert(in.n == 0);
	arena_release(&a);
	return 0;
}
