/*
 * store.h - the documents of an index: name and sketch, on disk, by number.
 *
 * The truth from which every other file of an index can be made again.  An
 * append-only segment of checksummed records; a torn tail is cut on opening.
 * Eight bytes a document stay in memory.  One thread.
 */
#ifndef DUP_STORE_H
#define DUP_STORE_H

#include "os/segment.h"
#include "os/sync.h"
#include "sketch/page_sketch.h"

struct store {
	struct segment log;
	uint64_t *offsets; /* of each document's record */
	size_t n, cap;
	struct buf record; /* the last one read or written */
};

struct stored_doc {
	struct str name;  /* URL, or file and position */
	uint64_t length;  /* of the text, in bytes */
	double score;     /* given by the caller, for the keep-policies */
	struct str extra; /* the caller's own bytes */
	struct str print; /* its sketch as bytes, of what was read */
};

must_use enum status doc_store_open(struct store *s, const char *path, struct diag *why);
void doc_store_close(struct store *s);
/* Buffered until doc_store_sync(); documents are numbered from 0. */
must_use enum status doc_store_add(struct store *s, const struct stored_doc *doc,
				   const struct page_sketch *sketch, struct diag *why);
/* On disk when it returns, or, given a set, once that is synced. */
must_use enum status doc_store_sync(struct store *s, struct sync_set *later,
				    struct diag *why);
/* `ret_sketch` may be NULL.  Strings live until the next call. */
must_use enum status doc_store_get(struct store *s, size_t doc, struct stored_doc *ret,
				   struct page_sketch *ret_sketch, struct diag *why);
/* The same without the set of shingles, for which far less is read. */
must_use enum status doc_store_get_head(struct store *s, size_t doc,
					struct stored_doc *ret,
					struct text_sketch *ret_text,
					struct u128 *ret_payload, struct diag *why);

/* For the fuzz target: one record as it stands on disk. */
must_use enum status doc_store_decode(struct str record, struct stored_doc *ret,
				      struct page_sketch *ret_sketch);
#endif
