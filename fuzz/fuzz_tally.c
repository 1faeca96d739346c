#include "report/tally.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct log_line l;

	(void)log_line_parse((struct str){ (const char *)data, size }, &l);
	return 0;
}
