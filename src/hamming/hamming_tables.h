/*
 * hamming_tables.h - 64-bit fingerprints in permuted, sorted tables (Manku 2007).
 *
 * Each table brings other blocks of bits to the front and is sorted; if two
 * fingerprints differ in at most k bits, then in one of the tables their front
 * blocks are equal.  The plans for k <= 3:
 *
 *   4 tables    16 bits in front   36 bytes a fingerprint
 *   10 tables   25 or 26           84
 *   16 tables   28                 132
 *   20 tables   31 to 33           164
 *
 * With 4 tables any k works: fronts that differ in up to k / 4 bits are looked up
 * too, which is multi-index hashing.  Nothing is ever missed.  Immutable once
 * built; many threads may ask.
 */
#ifndef HAMMING_HAMMING_TABLES_H
#define HAMMING_HAMMING_TABLES_H

#include "base/str.h"

#define HAMMING_TABLES_MAX 20
#define HAMMING_BLOCKS_MAX 8

struct hamming_pair {
	uint64_t print;
	uint32_t doc;
};

/* The order of bits in one table: blocks from the front to the back. */
struct bit_order {
	uint8_t n;
	uint8_t shift[HAMMING_BLOCKS_MAX], width[HAMMING_BLOCKS_MAX];
	uint8_t front; /* bits that must be equal */
};

struct hamming_table {
	struct bit_order order;
	uint64_t *prints;  /* permuted, ascending */
	uint32_t *buckets; /* first position of each value of the first `bucket_bits` */
	unsigned bucket_bits;
};

struct hamming_tables {
	unsigned n_tables;
	size_t n;
	struct hamming_table tables[HAMMING_TABLES_MAX];
	uint32_t *docs; /* of the prints of table 0, in its order */
	bool borrowed;  /* prints and docs belong to somebody else: a mapped file */
};

/* `n_tables` is 4, 10, 16 or 20.  `pairs` need not be sorted; below 2^32 of them. */
void hamming_tables_build(struct hamming_tables *t, unsigned n_tables,
			  const struct hamming_pair *pairs, size_t n);
/* Over arrays that are sorted already and stay: n_tables of n prints, then the documents.
 */
void hamming_tables_borrow(struct hamming_tables *t, unsigned n_tables,
			   uint64_t *const *prints, uint32_t *docs, size_t n);
void hamming_tables_release(struct hamming_tables *t);

/*
 * Documents within `k` bits of `query`, each once, in no particular order, up to
 * `max`; returns how many.  With 10, 16 or 20 tables k is 3 at most.
 */
size_t hamming_tables_find(const struct hamming_tables *t, uint64_t query, unsigned k,
			   uint32_t *ret, size_t max);

struct hamming_match {
	uint32_t query, doc; /* position of the query, document */
};

/*
 * All matches of many queries: sorted into each table's order first, so that it
 * is read from front to back.  `threads` share the tables.  Matches are sorted and
 * distinct; the caller frees `*ret`.
 */
size_t hamming_tables_batch(const struct hamming_tables *t, const uint64_t *queries,
			    size_t n, unsigned k, unsigned threads,
			    struct hamming_match **ret);
size_t hamming_tables_bytes(const struct hamming_tables *t);
/* A fingerprint in the order of bits of a table, and back. */
uint64_t hamming_table_permute(const struct hamming_table *t, uint64_t print);
uint64_t hamming_table_restore(const struct hamming_table *t, uint64_t permuted);
#endif
