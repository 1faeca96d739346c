/* Any bytes are a message or are refused; a message is written as it was read. */
#include <stdlib.h>

#include "cluster/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup(buf_release) struct buf again = { 0 };
	struct message m, twice;

	if (message_decode((struct str){ (const char *)data, size }, &m) != ST_OK)
		return 0;
	message_encode(&m, &again);
	if (message_decode(buf_str(&again), &twice) != ST_OK || twice.kind != m.kind ||
	    twice.node != m.node || twice.epoch != m.epoch ||
	    !str_eq(twice.record, m.record))
		abort();
	return 0;
}
