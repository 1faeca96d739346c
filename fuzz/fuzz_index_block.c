/* Any 512 bytes are read as a block, or refused, without harm. */
#include <string.h>

#include "triples/index_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct row rows[INDEX_ROWS_MAX];
	const struct row key = { { 0, 1, 200, 0 } };
	uint8_t block[INDEX_BLOCK_BYTES] = { 0 };
	struct index_walk w;

	memcpy(block, data, size < sizeof(block) ? size : sizeof(block));
	for (unsigned columns = 0; columns <= 4; columns++) {
		if (!index_walk_block(&w, block))
			return 0;
		index_walk_skip(&w, &key, columns);
		size_t n = index_walk_take(&w, &key, columns, rows);
		(void)index_walk_rest(&w, rows + n);
	}
	return 0;
}
