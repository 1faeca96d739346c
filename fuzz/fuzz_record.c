#include <assert.h>

#include "record/discovery.h"
#include "record/fetch.h"
#include "record/verdict.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte chooses the record; what decodes must encode and decode again. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = { (const char *)data, size };
	cleanup(buf_release) struct buf again = { 0 };
	uint8_t which;
	struct verdict verdict;
	struct discovery discovery;

	if (!str_take_u8(&in, &which))
		return 0;
	if (which % 3 == 1 && verdict_decode(in, &verdict) == ST_OK) {
		verdict_encode(&verdict, &again);
		assert(verdict_decode(buf_str(&again), &verdict) == ST_OK);
	}
	if (which % 3 == 2 && discovery_decode(in, &discovery) == ST_OK) {
		discovery_encode(&discovery, &again);
		assert(discovery_decode(buf_str(&again), &discovery) == ST_OK);
	}
	return 0;
}
