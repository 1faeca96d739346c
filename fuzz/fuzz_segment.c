#include <stdlib.h>

#include "os/segment.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whatever the bytes, the records lie inside them and the reader comes to an end. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct segment_kind kind = { "testSEGM", 3 };
	struct segment_reader r;
	struct str bytes = { (const char *)data, size }, record;
	struct diag why;

	if (segment_reader_init(&r, bytes, &kind, &why) != ST_OK)
		r = (struct segment_reader){ bytes, 0 }; /* the records, all the same */
	while (segment_next(&r, &record) == ST_OK)
		if (record.p < bytes.p || record.p + record.n > bytes.p + bytes.n)
			abort();
	return 0;
}
