/*
 * cdx_read.h - a sorted CDXJ index, asked for a URL.
 *
 * Lines of other writers too: members in any order, numbers with or without
 * quotes, members nobody knows.  Pure functions of bytes, usually a mapped file.
 */
#ifndef ARCHIVE_CDX_READ_H
#define ARCHIVE_CDX_READ_H

#include "base/buf.h"

/* What is not in the line is empty, or 0. */
struct cdx_line {
	struct str key, time; /* time: 14 or 17 digits */
	struct str url, mime, status, digest, filename;
	uint64_t offset, length;
};

/*
 * Take a line apart.  Values lie in `line`, or in `scratch` (which is reset) where
 * they held escapes.  ST_SYNTAX when it is not key, time and one JSON object.
 */
must_use enum status cdx_line_parse(struct str line, struct buf *scratch,
				    struct cdx_line *ret);
/*
 * All lines of the sorted `index` that begin with `key` and a space, by binary
 * search; empty when there is none.
 */
struct str cdx_find(struct str index, struct str key);
#endif
