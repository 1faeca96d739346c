/*
 * mirror.h - an archive as a folder of files, to be looked at without a server.
 *
 * OUT/HOST/PATH, the newest answer of each URL; links between what is there are relative,
 * others lead to the web as they did.  Where the archive has the rendered document of a
 * page it stands for it, without its scripts, which could fetch nothing from a file.
 */
#ifndef REPLAY_MIRROR_H
#define REPLAY_MIRROR_H

#include "replay/captures.h"

struct mirror_counts {
	uint64_t files, pages, rendered, bytes;
	uint64_t failed; /* could not be read from the archive */
};

/* The file of `url` below OUT, relative: the same for ever, on any file system. */
void mirror_add_path(struct buf *to, struct str url, struct str mime);
/* OUT must not exist, or be empty. */
must_use enum status mirror_write(const struct captures *c, const char *out,
				  struct mirror_counts *ret, struct diag *why);
#endif
