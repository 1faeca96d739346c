/*
 * extsort.h - sort more records than fit in memory.
 *
 * Records in byte order of the whole record (memcmp, shorter first): either all
 * of one fixed size, or of any length.  Add them all, then take them in order:
 *
 *   extsort_init → extsort_add ... → extsort_sort → extsort_next ... → release
 *
 * What fits in `memory_bytes` is sorted there and never touches the disk.  Above
 * that, sorted runs go to files in `dir` (checksummed blocks, removed by release)
 * and are merged, 128 at a time.  Equal records come out next to each other, or
 * once.  One thread.  A key with a value is a record that begins with the key.
 */
#ifndef OS_EXTSORT_H
#define OS_EXTSORT_H

#include "base/sort_bytes.h"
#include "os/map_file.h"
#include "os/segment.h"

#define EXTSORT_RECORD_BYTES ((size_t)1 << 20) /* the longest record */

struct extsort_options {
	const char *dir;     /* for the runs; made when needed */
	size_t memory_bytes; /* for records and their index; 0: 64 MiB */
	size_t record_bytes; /* of every record, SORT_RECORD_BYTES at most; 0: any */
	/* Give out only the first of records that agree in so many leading bytes (all
	 * bytes: SIZE_MAX); 0: give out all. */
	size_t unique_bytes;
	/* Records of a fixed size whose first eight bytes no other has may be left out.
	 */
	bool drop_single;
};

struct extsort {
	struct extsort_options options;
	char *dir;
	char *bytes; /* the records in memory, and how much of it is used */
	size_t used, cap;
	struct sort_pair *items, *scratch; /* for records of any length */
	size_t n, item_cap;                /* records in memory */
	char **runs;                       /* paths; an empty name once merged */
	size_t run_count, run_cap, run_serial;
	uint64_t added;
	size_t at;           /* the next one, when all is in memory */
	struct merge *merge; /* otherwise */
	struct buf last;     /* what was given out last, for unique_bytes */
	bool has_last;
};

void extsort_init(struct extsort *s, const struct extsort_options *options);
void extsort_release(struct extsort *s);
must_use enum status extsort_add(struct extsort *s, struct str record, struct diag *why);
/* No more records; from here on extsort_next(). */
must_use enum status extsort_sort(struct extsort *s, struct diag *why);
/* The next in order, borrowed until the next call; ST_AGAIN when there is no more. */
must_use enum status extsort_next(struct extsort *s, struct str *ret, struct diag *why);
#endif
