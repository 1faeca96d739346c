/*
 * sort_bytes.h - records and strings in byte order, as memcmp() sees them.
 *
 * Most significant byte first, so that only as many bytes are looked at as are
 * needed to tell the elements apart.
 */
#ifndef BASE_SORT_BYTES_H
#define BASE_SORT_BYTES_H

#include "base/sort.h"

#define SORT_RECORD_BYTES 256

/* `n` records of `record_bytes` (at most SORT_RECORD_BYTES) each, in place. */
void sort_records(char *records, size_t n, size_t record_bytes);

/*
 * Leave out records whose first eight bytes no other has; a few of them may stay.
 * Those kept move up in their order; returns how many.  Two bytes of memory a
 * record at most, and a fraction of the time that sorting takes: for who is after
 * equal keys where most are single.
 */
size_t records_drop_single(char *records, size_t n, size_t record_bytes);

/*
 * Strings of any length: `value` of a pair is the offset in `base` of a u32 length
 * (host order, any alignment) with the bytes behind it.  `key` is ours to use;
 * `scratch` holds `n` pairs.  A string goes before those that it begins.
 */
void sort_sized(struct sort_pair *items, struct sort_pair *scratch, size_t n,
		const char *base);
/* The string that such an offset stands for. */
struct str sort_sized_str(const char *base, uint64_t offset);
/* The first eight bytes as a number that orders alike; shorter ones end in zeros. */
uint64_t sort_word(struct str s);
#endif
