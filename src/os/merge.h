/*
 * merge.h - sorted runs on disk, written one after the other, read all at once.
 *
 * A run is a segment file whose records are blocks of about 256 KiB; a block holds
 * whole records, each with its length as u32 unless all have one size.  Part of
 * extsort.h; not for others.
 */
#ifndef OS_MERGE_H
#define OS_MERGE_H

#include "os/map_file.h"
#include "os/segment.h"

struct run_writer {
	struct segment segment;
	struct buf block;
	size_t record_bytes; /* 0: any length */
};

must_use enum status run_writer_open(struct run_writer *w, const char *path,
				     size_t record_bytes, struct diag *why);
must_use enum status run_writer_add(struct run_writer *w, struct str record,
				    struct diag *why);
/* Write what is pending and close. */
must_use enum status run_writer_end(struct run_writer *w, struct diag *why);
void run_writer_release(struct run_writer *w);

struct run_reader {
	uint64_t word; /* the first eight bytes of `record`, to compare by */
	struct str record;
	struct str block; /* what follows it in its block */
	bool ended;
	struct segment_reader reader;
	struct map_file map;
};

/* A tree of losers over the runs: one comparison a level for each record. */
struct merge {
	struct run_reader *runs;
	size_t n;
	size_t *losers; /* [0] is the winner; the rest as in a heap of n leaves */
	size_t record_bytes;
	bool started;
};

must_use enum status merge_open(struct merge *m, char **paths, size_t n,
				size_t record_bytes, struct diag *why);
/* Borrowed until the next call; ST_AGAIN at the end. */
must_use enum status merge_next(struct merge *m, struct str *ret, struct diag *why);
void merge_release(struct merge *m);
#endif
