#include <stdlib.h>

#include "archive/cdx.h"
#include "archive/cdx_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Lines of any bytes, the search among them, and keys of any URL. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size }, rest = bytes, line;
	struct buf scratch = { 0 }, key = { 0 };
	struct cdx_line l;

	while (str_take_until(&rest, '\n', &line)) {
		if (cdx_line_parse(line, &scratch, &l) != ST_OK)
			continue;
		buf_reset(&key);
		cdx_add_key(&key, l.url);
		struct str found = cdx_find(bytes, l.key);
		if (found.n &&
		    (found.p < bytes.p || found.p + found.n > bytes.p + bytes.n))
			abort();
	}
	buf_release(&scratch);
	buf_release(&key);
	return 0;
}
