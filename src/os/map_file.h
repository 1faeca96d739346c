/*
 * map_file.h - a whole file as read-only memory.
 *
 * The bytes stay valid when the file is renamed or removed, but a file that is
 * cut while mapped kills whoever reads past its new end: map only files that
 * are never truncated in place.  Zeroed is an empty map; any thread may read.
 */
#ifndef OS_MAP_FILE_H
#define OS_MAP_FILE_H

#include "base/str.h"

struct map_file {
	struct str bytes;
	size_t passed; /* see map_file_pass() */
};

enum map_order {
	MAP_SEQUENTIAL, /* read ahead, drop behind */
	MAP_RANDOM,     /* no read-ahead */
};

/* An empty file gives empty bytes. */
must_use enum status map_file_open(struct map_file *ret, const char *path,
				   enum map_order order, struct diag *why);
void map_file_release(struct map_file *m);
/*
 * What stands before `upto` was read: it counts as our memory no more.  It may still
 * be read, at the price of fetching it again.
 */
void map_file_pass(struct map_file *m, size_t upto);
/* The same for any part of a map; for those who read it in several places at once. */
void map_file_pass_part(struct str part);
#endif
