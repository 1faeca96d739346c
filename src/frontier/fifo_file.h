/*
 * fifo_file.h - any number of first-in-first-out byte streams in one file.
 *
 * A stream is a chain of blocks of 128 bytes (u32 number of the next block, 124
 * bytes of content); memory holds only its two ends.  Blocks that were read go
 * to a free list, itself a chain in the file.  Small blocks, because most
 * queues of a large crawl are short: what a stream wastes is half a block.
 *
 * Pages of the file that were used last stay in memory and are written when another
 * takes their place, so the queue of a small crawl never touches the disk.
 *
 * The file is a view of the journal, made anew by every process: nothing in it
 * has to survive a crash.  One owner.
 */
#ifndef FRONTIER_FIFO_FILE_H
#define FRONTIER_FIFO_FILE_H

#include "os/file.h"

#define FIFO_BLOCK 128u
#define FIFO_PAGE  4096u
#define FIFO_PAGES 1024u /* in memory */

struct fifo_page {
	uint32_t number; /* in the file, plus one; 0: none is here */
	bool changed;    /* and not written yet */
};

struct fifo_file {
	struct file file;
	uint32_t blocks;     /* in the file, block 0 (never used) included */
	uint32_t free_block; /* head of the free list; 0 for none */
	uint32_t free_count;
	struct fifo_page pages[FIFO_PAGES]; /* page n is in place n % FIFO_PAGES */
	char *bytes;                        /* of all of them */
};

/* Positions are offsets in the file; both 0 when the stream has no block. */
struct fifo {
	uint64_t head, tail;
};

must_use enum status fifo_file_open(struct fifo_file *f, const char *path,
				    struct diag *why);
/* Removes the file. */
void fifo_file_close(struct fifo_file *f);

/* `ret_at` is where the bytes begin. */
must_use enum status fifo_add(struct fifo_file *f, struct fifo *q, struct str bytes,
			      uint64_t *ret_at, struct diag *why);
/* `n` bytes from `*at`, which moves behind them; nothing is freed. */
must_use enum status fifo_read(struct fifo_file *f, uint64_t *at, char *to, size_t n,
			       struct diag *why);
/* The stream now begins at `at`, a position read from it; blocks before are free. */
must_use enum status fifo_drop_until(struct fifo_file *f, struct fifo *q, uint64_t at,
				     struct diag *why);
/* Change one byte in place. */
must_use enum status fifo_set_byte(struct fifo_file *f, uint64_t at, uint8_t byte,
				   struct diag *why);
static inline bool fifo_is_at_end(const struct fifo *q, uint64_t at)
{
	return at == q->tail;
}
/* Bytes on disk that hold content or are the rest of a block in use. */
static inline uint64_t fifo_file_bytes(const struct fifo_file *f)
{
	return (uint64_t)(f->blocks - f->free_count) * FIFO_BLOCK;
}
#endif
