/*
 * warc_http.h - what a server sent, out of a record of a WARC file.
 *
 * For whoever reads archives to look at pages: dedup, rules, cat.  Undoes what the
 * record holds as it was received: chunks, and Content-Encoding.
 */
#ifndef WARC_WARC_HTTP_H
#define WARC_WARC_HTTP_H

#include "warc/stored_head.h"
#include "warc/warc_read.h"

struct warc_http {
	struct stored_head head; /* all zero when the block is not HTTP */
	struct str body;         /* as stored */
};

/* A response, request or revisit whose Content-Type says HTTP. */
bool warc_is_http(const struct warc_record *rec);
/*
 * Read the whole block of the present record.  Slices live until the reader moves
 * on or `spare` changes.  ST_TOO_LARGE when the block is longer than `limit`.
 */
must_use enum status warc_http_read(struct warc_reader *r, size_t limit,
				    struct buf *spare, struct warc_http *ret,
				    struct diag *why);
/*
 * Add the body as a browser would see it.  Status as of coding_decode(): whatever
 * it says, what could be read is there.
 */
must_use enum status warc_http_decode(const struct warc_http *h, struct buf *to);
/* Add the joined chunks; false when they do not end properly. */
bool http_dechunk(struct str body, struct buf *to);
#endif
