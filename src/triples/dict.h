/*
 * dict.h - a range of term numbers and their keys: in memory, or a settled file.
 *
 * The dictionary of a store is a list of parts with growing ranges.  The part in
 * memory is the only one that grows: one writer adds, any thread reads.  Parts
 * are shared by reference count.
 */
#ifndef TRIPLES_DICT_H
#define TRIPLES_DICT_H

#include <pthread.h>

#include "triples/dict_file.h"

struct dict_part {
	unsigned refs;
	uint64_t first; /* number of its first term */
	bool on_disk;
	struct dict_file file;
	struct dict_delta *delta; /* in memory */
};

struct dict_part *dict_part_open(const char *path, uint64_t first, struct diag *why);
struct dict_part *dict_part_new(uint64_t first);
struct dict_part *dict_part_share(struct dict_part *p);
void dict_part_release(struct dict_part *p);
/* How many terms it has now. */
uint64_t dict_part_count(const struct dict_part *p);
/* The number of `key`, or DICT_NONE. */
uint64_t dict_part_find(const struct dict_part *p, struct str key);
/* In memory only: the number of `key`, given to it now if it had none. */
uint64_t dict_part_add(struct dict_part *p, struct str key);
/* The key of a number of this part, in `to`. */
bool dict_part_key(const struct dict_part *p, uint64_t number, struct buf *to);
/* The same with the help of a cursor; borrowed from the part, or from the cursor. */
bool dict_part_key_near(const struct dict_part *p, uint64_t number, struct dict_cursor *c,
			struct str *ret);
/* The part in memory, sorted, as a file. */
must_use enum status dict_part_settle(const struct dict_part *p, const char *path,
				      uint64_t count, struct diag *why);
#endif
