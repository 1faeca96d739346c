/* Files of scores that another program writes. */
#include <stdlib.h>

#include "control/score_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = { (const char *)data, size };
	struct score_line l;
	uint64_t malformed = 0;

	while (score_line_next(&rest, &l, &malformed))
		if (l.url.n == 0 || str_find_char(l.url, '\n') != STR_NONE)
			abort();
	if (rest.n > 0)
		abort();
	return 0;
}
