/*
 * unpack.h - a compressed file as plain bytes: gzip (.gz) and Zstandard (.zst).
 *
 * A bulk load reads its text in several places at once, so it is unpacked to disk first,
 * into a file that is gone when it is closed.
 */
#ifndef KB_UNPACK_H
#define KB_UNPACK_H

#include "os/map_file.h"

enum packing { PACKING_NONE, PACKING_GZIP, PACKING_ZSTD };

/* As the name says; the name without that suffix in `*ret_name`. */
enum packing packing_of(struct str name, struct str *ret_name);
/*
 * The bytes of `path`, mapped.  Unpacked ones go to a file in the folder `dir`.
 * ST_SYNTAX when they are damaged or cut short, ST_TOO_LARGE when there are more than
 * `most` of them; 0 means UNPACK_RATIO times what they were packed to, and
 * UNPACK_FREE besides: text is not denser, what is made to fill a disk is.
 */
#define UNPACK_RATIO 200
#define UNPACK_FREE  ((uint64_t)64 << 20)
must_use enum status unpack_open(struct map_file *ret, const char *path,
				 enum packing packing, const char *dir, uint64_t most,
				 struct diag *why);
#endif
