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
 * ST_SYNTAX when they are damaged or cut short.
 */
must_use enum status unpack_open(struct map_file *ret, const char *path,
				 enum packing packing, const char *dir, struct diag *why);
#endif
