/* check_internal.h - between warc_check.c and check_record.c.  Nobody else includes it.
 */
#ifndef WARC_CHECK_INTERNAL_H
#define WARC_CHECK_INTERNAL_H

#include "warc/warc_check.h"

__attribute__((format(printf, 3, 4))) void check_tell(struct warc_check *c, bool is_error,
						      const char *fmt, ...);
#define check_error(c, ...)   check_tell(c, true, __VA_ARGS__)
#define check_warning(c, ...) check_tell(c, false, __VA_ARGS__)

/* All that the header alone can tell; remembers what it says of others. */
void check_header(struct warc_check *c, const struct warc_record *rec);

/* The digests of a block while it is read, and what its HTTP head said. */
struct block_check {
	struct digest *block, *payload; /* NULL: not asked for, or not computable */
	uint8_t want_block[DIGEST_MAX_BYTES], want_payload[DIGEST_MAX_BYTES];
	bool in_head; /* the HTTP head has not ended yet */
	bool is_http;
	struct buf head;     /* as much of it as came */
	uint64_t body_bytes; /* behind the head */
};

void block_check_start(struct warc_check *c, struct block_check *b,
		       const struct warc_record *rec);
void block_check_add(struct block_check *b, struct str piece);
void block_check_end(struct warc_check *c, struct block_check *b,
		     const struct warc_record *rec);
#endif
