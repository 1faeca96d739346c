/*
 * index_format.h - the bytes of an index file, for those who write and read them; what
 * they mean is in index_file.h.
 */
#ifndef TRIPLES_INDEX_FORMAT_H
#define TRIPLES_INDEX_FORMAT_H

#include "base/hash.h"
#include "triples/index_file.h"

#define INDEX_MAGIC   "threshix"
#define INDEX_VERSION 4
#define KEY_COLUMNS   5
#define KEY_BYTES     (KEY_COLUMNS * sizeof(uint64_t))
#define BLOCK_HEADER  4
#define CHANGE_SHIFT  6
#define CHANGE_WHOLE  3 /* all columns are given */
#define GONE_BIT      0x20
#define SMALL_MAX     30 /* a change of the last column that the control byte holds */
#define SMALL_LONG    31 /* it follows as a number */

struct index_header {
	char magic[8];
	uint32_t version, order;
	uint64_t blocks, rows, gone;
	uint32_t keys_check, check;
};
_Static_assert(sizeof(struct index_header) == 48, "on disk");

/* The tag goes to the low bits, so that small numbers of any tag are short. */
static inline uint64_t to_low(uint64_t id)
{
	return id << 4 | id >> ID_PAYLOAD_BITS;
}
static inline uint64_t from_low(uint64_t v)
{
	return v >> 4 | v << ID_PAYLOAD_BITS;
}

static inline uint32_t block_check(const uint8_t *block)
{
	return checksum32((struct str){ (const char *)block + 4, INDEX_BLOCK_BYTES - 4 });
}
#endif
