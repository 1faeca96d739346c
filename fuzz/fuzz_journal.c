/* The journal's records: whatever is decoded encodes to the same bytes again. */
#include <stdlib.h>

#include "journal/journal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct buf again = { 0 };
	struct journal_record r, back;

	if (journal_decode((struct str){ (const char *)data, size }, &a, &r) == ST_OK) {
		journal_encode(&r, &again);
		if (journal_decode(buf_str(&again), &a, &back) != ST_OK)
			abort();
	}
	buf_release(&again);
	arena_release(&a);
	return 0;
}
