#include <stdlib.h>

#include "warc/warc_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(void *arg, const struct check_finding *f)
{
	*(uint64_t *)arg += f->what.n;
}

/* Decompression, records, digests and resynchronisation, on whatever bytes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct warc_check c;
	uint64_t sum = 0;

	warc_check_init(&c, ignore, &sum);
	warc_check_bytes(&c, (struct str){ (const char *)data, size }, "input");
	warc_check_end(&c);
	if ((sum > 0) != (c.errors + c.warnings > 0))
		abort();
	warc_check_release(&c);
	return 0;
}
