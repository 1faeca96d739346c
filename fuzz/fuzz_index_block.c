/* Any 1024 bytes are decoded as a block, or refused, without harm. */
#include <string.h>

#include "store/index_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct row rows[INDEX_ROWS_MAX];
	uint8_t block[INDEX_BLOCK_BYTES] = { 0 };

	memcpy(block, data, size < sizeof(block) ? size : sizeof(block));
	(void)!index_block_decode(block, &(struct row){ { 0, 1, 2, 3 } }, rows);
	return 0;
}
