/*
 * snapshot.h - the store at one point in time: what every reader works on.
 *
 * Immutable and shared by reference count: it stays what it is while commits
 * and merges go on, and any thread may read it.
 */
#ifndef STORE_SNAPSHOT_H
#define STORE_SNAPSHOT_H

#include "triples/dict.h"
#include "triples/run.h"

struct snapshot {
	unsigned refs;
	struct run **runs; /* oldest first */
	size_t n_runs;
	struct dict_part **parts; /* by growing numbers */
	size_t n_parts;
};

struct snapshot *snapshot_share(struct snapshot *s);
void snapshot_release(struct snapshot *s);
/* A copy to change before it is published; the references are counted. */
struct snapshot *snapshot_copy(const struct snapshot *s);
void snapshot_add_run(struct snapshot *s, struct run *r);
void snapshot_add_part(struct snapshot *s, struct dict_part *p);

/* The id of a term other than a blank node; ID_NONE when the store has never met it. */
uint64_t snapshot_find(const struct snapshot *s, struct term t);
/* The term of an id, its text in `a`; false for an id that is not of this store. */
bool snapshot_term(const struct snapshot *s, uint64_t id, struct arena *a,
		   struct term *ret);
/* The same for many: a cursor makes terms with numbers near each other cheap. */
bool snapshot_term_near(const struct snapshot *s, uint64_t id, struct dict_cursor *c,
			struct arena *a, struct term *ret);

/* Rows of `order` that begin with the first `bound` columns of `key`. */
uint64_t snapshot_count(const struct snapshot *s, enum order order, const struct row *key,
			unsigned bound);
uint64_t snapshot_size(const struct snapshot *s);
/* The named graphs that hold anything, ascending; the list is freed by the caller. */
size_t snapshot_graphs(const struct snapshot *s, uint64_t **ret);
bool snapshot_has_graph(const struct snapshot *s, uint64_t graph);

/*
 * A scan gives the rows of a prefix in order, in chunks; it can be started
 * again with another key at the price of a search, cheapest when keys ascend.
 */
struct scan {
	enum order order;
	struct run_cursor *cursors; /* one a run */
	size_t n;
	struct row key;
	unsigned bound;
	struct row *merged; /* a chunk that was put together from several runs */
};

void scan_open(struct scan *s, const struct snapshot *from, enum order order);
void scan_close(struct scan *s);
void scan_start(struct scan *s, const struct row *key, unsigned bound);
/* The next rows; they live until the next call.  False at the end. */
bool scan_next(struct scan *s, const struct row **ret, size_t *ret_n);
/* Pass over rows before `key` in its first `columns` columns; not back. */
void scan_skip(struct scan *s, const struct row *key, unsigned columns);
uint64_t scan_count(struct scan *s, const struct row *key, unsigned bound);
/* True when any block met so far was damaged: the answer is not complete. */
bool scan_is_damaged(const struct scan *s);
#endif
