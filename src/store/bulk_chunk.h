/*
 * bulk_chunk.h - statements of a bulk load while their terms have local numbers.
 *
 * One thread fills a chunk.  Terms get numbers from 0 in the order they are met,
 * rows are four such numbers.  A look-up in a large table waits for memory, so
 * look-ups are gathered and made a batch at a time: what one needs is fetched while
 * others are prepared.  When a chunk is full it is spilled: its keys, sorted, and
 * its rows go to files until the numbers of the store are known.
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

/* Open addressing; half of the slots at most are taken. */
struct chunk_table {
	struct chunk_slot {
		uint32_t hash;
		uint32_t ref; /* of a key its place in `bytes` / 8, of an inline value
				 its local number; 0: free */
	} * slots;
	size_t n, n_slots;
};

#define CHUNK_BATCH      64
#define CHUNK_PREDICATES 64

/* A term whose local number is not yet known. */
struct chunk_lookup {
	uint64_t id;    /* of an inline value; else ID_NONE */
	struct str key; /* behind the first byte `kind`; whole where that is 0 */
	uint32_t hash;
	char kind;
	uint8_t column;
	size_t row;
};

struct bulk_chunk {
	char *bytes; /* keys at multiples of 8, behind number and length, u32 both */
	size_t used, bytes_cap;
	/* By local number: the id of an inline value; of the others the id in the
	 * store, once they are numbered. */
	uint64_t *ids;
	size_t n, ids_cap;
	struct chunk_table keys, values;
	struct local_row *rows;
	size_t n_rows, rows_cap;
	struct chunk_lookup batch[CHUNK_BATCH];
	size_t n_batch, batch_row; /* the first row that waits for it */
	struct arena batch_keys;
	struct buf composed;
	struct {
		struct str text;
		uint32_t number;
	} predicates[CHUNK_PREDICATES]; /* lately met */
	struct str last_subject;        /* statements of one stand together mostly */
	struct str last_graph;
	uint32_t last_graph_number;
	struct map is_predicate; /* places of keys that were predicates */
	uint32_t *sorted; /* places of all keys in their order; NULL after a spill */
	size_t n_keys;
	struct map_file keys_map, rows_map; /* after a spill */
	bool spilled;
};

void chunk_init(struct bulk_chunk *c);
void chunk_release(struct bulk_chunk *c);
/*
 * `scope` tells blank nodes of different files apart.  The text of the statement
 * must live until chunk_flush(), that of its subject, predicate and graph as long
 * as statements are added; chunk_forget() ends that.
 */
void chunk_add(struct bulk_chunk *c, const struct statement *s, uint32_t graph,
	       uint32_t scope);
void chunk_flush(struct bulk_chunk *c);
void chunk_forget(struct bulk_chunk *c);
/* The number of a term at once. */
uint32_t chunk_term(struct bulk_chunk *c, struct term t, uint32_t scope);
size_t chunk_memory(const struct bulk_chunk *c);
/* No more statements: sort the keys, give the hash tables back. */
void chunk_sort_keys(struct bulk_chunk *c);

/* The keys in order. */
struct chunk_key {
	struct str key;
	uint32_t number;
};
struct chunk_walk {
	struct bulk_chunk *chunk;
	size_t at, offset;
};
bool chunk_next_key(struct chunk_walk *w, struct chunk_key *ret);
/* The key at a place of `is_predicate`. */
struct str chunk_key_at(const struct bulk_chunk *c, uint64_t place);

/* Write `path`.keys and `path`.rows and give the memory back. */
must_use enum status chunk_spill(struct bulk_chunk *c, const char *path,
				 struct diag *why);
/* The rows, wherever they are. */
const struct local_row *chunk_rows(const struct bulk_chunk *c);
/* They are not needed any more. */
void chunk_drop_rows(struct bulk_chunk *c);
#endif
