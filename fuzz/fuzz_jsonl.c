#include "corpus/jsonl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jsonl_want w[] = { { .name = STR("text") }, { .name = STR("id") } };
	cleanup(buf_release) struct buf scratch = { 0 };
	size_t sum = 0;

	if (jsonl_read((struct str){ (const char *)data, size }, w, 2, &scratch, NULL) ==
	    ST_OK)
		for (size_t i = 0; w[0].found && i < w[0].value.n; i++)
			sum += (unsigned char)w[0].value.p[i];
	return sum == SIZE_MAX;
}
