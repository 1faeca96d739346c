/*
 * bulk_chunk.h - statements of a bulk load while their terms have local numbers.
 *
 * One thread fills a chunk.  Terms get numbers from 0 in the order they are met,
 * rows are four such numbers.  When a chunk is full it is spilled: its keys,
 * sorted, and its rows go to files until the numbers of the store are known.
 */
#ifndef STORE_BULK_CHUNK_H
#define STORE_BULK_CHUNK_H

#include "base/map.h"
#include "os/file.h"
#include "os/map_file.h"
#include "rdf/id.h"

struct local_row {
	uint32_t v[4]; /* graph, subject, predicate, object; 0 is the default graph */
};

struct bulk_chunk {
	char *bytes; /* keys, each behind its local number and its length, u32 both */
	size_t used, bytes_cap;
	/* By local number: an inline id, or a tag with the offset of the key; after
	 * numbering, the id in the store. */
	uint64_t *ids;
	size_t n, ids_cap;
	uint32_t *slots, *tags;
	size_t n_slots;
	struct local_row *rows;
	size_t n_rows, rows_cap;
	uint32_t *
		sorted; /* local numbers of dictionary terms in the order of their keys */
	size_t n_sorted;
	struct map is_predicate; /* local numbers that were predicates */
	uint32_t last[3];        /* the statement before: often the same subject */
	struct str last_subject;
	struct buf key;
	struct map_file keys_map, rows_map; /* after a spill */
	char *path;                         /* of the spilled files, without suffix */
};

void chunk_init(struct bulk_chunk *c);
void chunk_release(struct bulk_chunk *c);
/* `scope` tells blank nodes of different files apart. */
void chunk_add(struct bulk_chunk *c, const struct statement *s, uint32_t graph,
	       uint32_t scope);
uint32_t chunk_term(struct bulk_chunk *c, struct term t, uint32_t scope);
size_t chunk_memory(const struct bulk_chunk *c);
/* No more statements: sort the keys, give the hash table back. */
void chunk_sort_keys(struct bulk_chunk *c);
/* The key of the i-th in sorted order. */
struct str chunk_key(const struct bulk_chunk *c, size_t i);

/* Write `path`.keys and `path`.rows and give the memory back. */
must_use enum status chunk_spill(struct bulk_chunk *c, const char *path,
				 struct diag *why);
/* Bring the rows of a spilled chunk back; its ids are set already. */
must_use enum status chunk_unspill(struct bulk_chunk *c, struct diag *why);
#endif
