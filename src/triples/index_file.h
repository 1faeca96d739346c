/*
 * index_file.h - one order of a segment: delta-coded blocks in a mapped file.
 *
 *   header   8 bytes "threshix", u32 version, u32 order, u64 blocks, u64 rows, u64 gone,
 *            u32 checksum of the keys, u32 checksum of the bytes before; 512 bytes
 *   blocks   512 bytes each: u32 checksum, the rows
 *   keys     u64 arrays: of all blocks the first column of their first row, the second,
 *            the third, the fourth, and how many live rows stand before them
 *
 * A row starts with a control byte: two bits say which column is the first to change,
 * one that the row is gone, five hold the change of the last column when it is small.
 * A block has four parts of 128 bytes.  The first row of a part is written whole, so
 * a search leaps from part to part and decodes one of them; zeros fill it up, since no
 * row begins with one.  A block is checked when it is first decoded.  Written
 * once, in order; never changed.
 */
#ifndef TRIPLES_INDEX_FILE_H
#define TRIPLES_INDEX_FILE_H

#include "os/file.h"
#include "os/map_file.h"
#include "triples/row.h"

/* A search decodes half a part, a scan all of them: small enough for the one, large
 * enough for the other. */
#define INDEX_PART_BYTES  128
#define INDEX_BLOCK_BYTES 512
#define INDEX_ROWS_MAX    512 /* a row takes a byte at least */

/* Neighbouring blocks whose first rows agree in the leading columns. */
struct index_group {
	struct row lead;
	size_t from; /* the first of them; they end where the next group begins */
};

struct index_file {
	struct map_file map;
	const uint64_t *first[4]; /* columns of the first row of each block */
	const uint64_t *live_before;
	struct index_group *groups; /* and one behind them */
	size_t n_groups;
	unsigned lead; /* columns in which a group agrees */
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
	struct row at;      /* the row at hand */
	bool more;          /* there is one */
	const uint8_t *p;   /* what follows it */
	const uint8_t *end; /* of its part */
	const uint8_t *block_end;
	bool damaged;
};
/* At the first row; false, and damaged, when the block fails its checksum. */
bool index_walk_start(struct index_walk *w, const struct index_file *f, size_t block);
/* Pass over the rows that are before `key` in its first `columns` columns. */
void index_walk_skip(struct index_walk *w, const struct row *key, unsigned columns);
/* Take the rows that match the first `columns` of `key`; `to` has room for a block's. */
size_t index_walk_take(struct index_walk *w, const struct row *key, unsigned columns,
		       struct row *to);
/* Take all that are left. */
size_t index_walk_rest(struct index_walk *w, struct row *to);
/*
 * How many blocks begin before `key` in its first `bound` columns, 1 to 4.  Found soonest
 * when that is a little more than `near`.
 */
size_t index_file_find(const struct index_file *f, size_t near, const struct row *key,
		       unsigned bound);
/* The first row of a block begins with the first `bound` columns of `key`. */
bool index_file_matches(const struct index_file *f, size_t block, const struct row *key,
			unsigned bound);

/* The reader alone, over any bytes: what fuzzing aims at. */
bool index_walk_block(struct index_walk *w,
		      const uint8_t block[static INDEX_BLOCK_BYTES]);

struct index_writer {
	struct file file;
	enum order order;
	struct index_key {
		struct row first;
		uint64_t live_before;
	} * keys;
	size_t n_keys, keys_cap;
	uint8_t block[INDEX_BLOCK_BYTES];
	size_t used;
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
