/*
 * print_index.h - have we seen this page, by any method?
 *
 * The sibling of index.h for methods that have neither the default's sketch nor 64 bits:
 * each new document is compared with all before it that share a blocking key, as seeds
 * 003 and 004 describe their repositories of keywords.  Names and fingerprints stand in a
 * log, which is the truth; keys are found by postings.  What was added
 * before print_index_sync() survives a crash.  One thread.
 */
#ifndef DUP_PRINT_INDEX_H
#define DUP_PRINT_INDEX_H

#include "dup/postings.h"
#include "method/blocking.h"
#include "os/segment.h"
#include "record/verdict.h"

struct print_index_options {
	const char *dir;
	size_t memory_bytes; /* for the tables; 0: 256 MiB */
	const struct method *method;
	double threshold;
	struct bands bands;
	uint64_t weights; /* a digest of the table of weights, where one is used */
};

struct print_index {
	struct print_index_options options;
	struct segment log;
	uint64_t *offsets;
	size_t n, cap_offsets;
	struct postings postings;
	struct buf record, name; /* of the candidate; of the last verdict */
};

/* ST_EXISTS when the folder holds an index made with other settings. */
must_use enum status print_index_open(struct print_index *x,
				      const struct print_index_options *options,
				      struct diag *why);
void print_index_release(struct print_index *x);
/* The nearest, of equally near ones the oldest; else new.  Strings live until the next
 * call. */
must_use enum status print_index_ask(struct print_index *x, struct str print,
				     struct verdict *ret, struct diag *why);
must_use enum status print_index_add(struct print_index *x, struct str print,
				     struct str name, struct diag *why);
must_use enum status print_index_sync(struct print_index *x, struct diag *why);
#endif
