/* archive_internal.h - between archive.c and recover.c.  Nobody else includes it. */
#ifndef ARCHIVE_ARCHIVE_INTERNAL_H
#define ARCHIVE_ARCHIVE_INTERNAL_H

#include "archive/archive.h"

/* Make the folder what it was at `at`; a->serial becomes the next free one. */
must_use enum status archive_recover(struct archive *a, const struct archive_position *at,
				     struct archive_cut *cut, struct diag *why);
/* index.cdxj from itself and index.cdxj.open, which then goes. */
must_use enum status archive_sort_index(struct archive *a, struct diag *why);
#endif
