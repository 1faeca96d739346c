/*
 * dict_file.h - settled terms: sorted keys, front-coded in blocks of 32, mapped.
 *
 *   header    8 bytes "threshdi", u32 version, u32 flags, u64 terms, u64 bytes of blocks,
 *             u32 checksum of the tail, u32 checksum of the bytes before; 64 bytes
 *   blocks    u32 checksum, then 32 times: varint shared with the one before,
 *             varint length of the rest, the rest
 *   tail      u64 offset of each block; with DICT_PERMUTED, u32 number of each rank
 *             and u32 rank of each number
 *
 * A term's number is the part's first number plus its rank, or what the permutation
 * says: terms that got their numbers one by one keep them when they are settled.
 */
#ifndef TRIPLES_DICT_FILE_H
#define TRIPLES_DICT_FILE_H

#include "os/file.h"
#include "os/map_file.h"

#define DICT_BLOCK_TERMS 32
#define DICT_PERMUTED    1u
#define DICT_NONE        UINT64_MAX
#define DICT_KEY_BYTES   ((size_t)64 << 20) /* the longest key */

struct dict_file {
	struct map_file map;
	uint64_t n;
	struct str blocks;
	const uint64_t *offsets;
	size_t n_blocks;
	const uint32_t *number_of_rank, *rank_of_number; /* NULL when they are equal */
	uint8_t *checked;
};

must_use enum status dict_file_open(struct dict_file *ret, const char *path,
				    struct diag *why);
void dict_file_release(struct dict_file *f);
/* The number of a key, from 0, or DICT_NONE. */
uint64_t dict_file_find(const struct dict_file *f, struct str key);
/* Put the key of `number` into `to`; false when the block is damaged. */
bool dict_file_key(const struct dict_file *f, uint64_t number, struct buf *to);
/*
 * Where a reader last was: the key after it is put together from it, not from the
 * front of its block.  Zeroed is nowhere; one thread uses it.
 */
struct dict_cursor {
	const struct dict_file *file;
	uint64_t rank;
	struct str rest; /* of the block, behind that key */
	struct buf key;
};
void dict_cursor_release(struct dict_cursor *c);
/* As dict_file_key(), into c->key. */
bool dict_file_key_near(const struct dict_file *f, uint64_t number,
			struct dict_cursor *c);
/* The next key in sorted order, the first for a zeroed cursor; false at the end. */
bool dict_file_next(const struct dict_file *f, struct dict_cursor *c,
		    uint64_t *ret_number);

struct dict_writer {
	struct file file;
	struct buf block, pending, last;
	uint64_t *offsets;
	size_t n_offsets, offsets_cap;
	uint32_t *numbers; /* of each rank, when permuted */
	size_t n_numbers, numbers_cap;
	bool permuted;
	uint64_t n, bytes;
};

must_use enum status dict_writer_open(struct dict_writer *w, const char *path,
				      bool permuted, struct diag *why);
/* Keys in strictly growing order; `number` counts only when permuted. */
must_use enum status dict_writer_add(struct dict_writer *w, struct str key,
				     uint64_t number, struct diag *why);
must_use enum status dict_writer_end(struct dict_writer *w, struct diag *why);
void dict_writer_release(struct dict_writer *w);
#endif
