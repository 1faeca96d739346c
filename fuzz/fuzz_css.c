#include <assert.h>

#include "page/css.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = { (const char *)data, size };
	struct arena a = { 0 };

	enum css_url_kind kind;
	struct str url;

	while (css_next_url(&in, &a, &url, &kind))
		assert(url.n <= 4 * size);
	assert(in.n == 0);
	arena_release(&a);
	return 0;
}
