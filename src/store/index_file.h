/*
 * index_file.h - one order of a segment: delta-coded blocks in a mapped file.
 *
 *   header   8 bytes "threshix", u32 version, u32 order, u64 blocks, u64 rows, u64 gone,
 *            u32 checksum of the keys, u32 checksum of the bytes before; 512 bytes
 *   blocks   512 bytes each: u32 checksum, u16 rows, u16 bytes used, the rows
 *   keys     40 bytes a block: its first row, and how many live rows stand before it
 *
 * The first row of a block is its key.  Every other one starts with a control byte:
 * two bits say which column is the first to change, one that the row is gone, five
 * hold the change of the last column when it is small.  A block is checked
 * when it is first decoded.  Written once, in order; never changed.
 */
#ifndef STORE_INDEX_FILE_H
#define STORE_INDEX_FILE_H

#include "os/file.h"
#include "os/map_file.h"
#include "store/row.h"

/* A search anywhere decodes a block, a scan all of them: small enough for the one,
 * large enough for the other. */
#define INDEX_BLOCK_BYTES 512
#define INDEX_ROWS_MAX    512 /* a row takes a byte at least */

struct index_key {
	struct row first;
	uint64_t live_before;
};

struct index_file {
	struct map_file map;
	const struct index_key *keys;
	const uint8_t *blocks;
	size_t n_blocks;
	uint64_t n_rows, n_gone;
	uint8_t *checked; /* a bit a block: its checksum was found right */
};

/* ST_CORRUPT when header or keys are damaged; blocks are checked when decoded. */
must_use enum status index_file_open(struct index_file *ret, const char *path,
				     enum order order, struct diag *why);
void index_file_release(struct index_file *f);

/*
 * A walk through one block.  Only as many rows are decoded as are asked for, since most
 * searches want a few out of the middle.
 */
struct index_walk {
	struct row at;         /* the row at hand, when `left` is not 0 */
	size_t left;           /* rows from it to the end */
	const uint8_t *p;      /* what follows it */
	const uint8_t *end;    /* of the rows */
	const uint8_t *behind; /* of the block */
	bool damaged;
};
/* At the first row; false, and damaged, when the block fails its checksum. */
bool index_walk_start(struct index_walk *w, const struct index_file *f, size_t block);
/* Pass over the rows that are before `key` in its first `columns` columns. */
void index_walk_skip(struct index_walk *w, const struct row *key, unsigned columns);
/* Take the rows that match the first `columns` of `key`; `to` has room for `left`. */
size_t index_walk_take(struct index_walk *w, const struct row *key, unsigned columns,
		       struct row *to);
/* Take all that are left. */
size_t index_walk_rest(struct index_walk *w, struct row *to);
/*
 * The last block whose first row is before `key` in `bound` columns, or 0.  Blocks
 * before `low` are known to be so, those from `high` on are known not to be.
 */
size_t index_file_find(const struct index_file *f, size_t low, size_t high,
		       const struct row *key, unsigned bound);

/* The reader alone, over any bytes: what fuzzing aims at. */
bool index_walk_block(struct index_walk *w, const uint8_t block[static INDEX_BLOCK_BYTES],
		      const struct row *first);

struct index_writer {
	struct file file;
	enum order order;
	struct index_key *keys;
	size_t n_keys, keys_cap;
	uint8_t block[INDEX_BLOCK_BYTES];
	size_t used, n_in_block;
	struct row last;
	struct buf pending; /* whole blocks not yet written */
	uint64_t n_rows, n_gone;
};

must_use enum status index_writer_open(struct index_writer *w, const char *path,
				       enum order order, struct diag *why);
/* Rows must come in strictly growing order. */
must_use enum status index_writer_add(struct index_writer *w, const struct row *r,
				      struct diag *why);
/* On disk when it returns. */
must_use enum status index_writer_end(struct index_writer *w, struct diag *why);
void index_writer_release(struct index_writer *w);
#endif
