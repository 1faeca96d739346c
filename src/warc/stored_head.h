/*
 * stored_head.h - the head of an HTTP message as it stands in a WARC record.
 *
 * Lenient in what it reads: bare LF, folded lines, junk.  Borrowed slices only.
 */
#ifndef WARC_STORED_HEAD_H
#define WARC_STORED_HEAD_H

#include "base/buf.h"

struct stored_head {
	struct str all;    /* first line to empty line, both included */
	struct str first;  /* the first line, without its end */
	struct str fields; /* what follows it */
	int status;        /* of a response; 0 when there is none */
};

/* False when no empty line ends the head within `bytes`; then `all` is all of it. */
bool stored_head_parse(struct str bytes, struct stored_head *ret);
/* The first value of a field, trimmed; empty when it is not there. */
struct str stored_head_field(const struct stored_head *h, struct str name);
/* One line after the other, folded ones as they are; false at the end. */
bool stored_field_next(struct str *fields, struct str *ret_name, struct str *ret_value);

#define HTTP_ANY_BODY UINT64_MAX /* of a 304: no body, whatever the head says */

/*
 * The head of a response as it is to be stored with a body of `body_bytes` whose
 * chunks were already joined: Transfer-Encoding goes, and then Content-Length is
 * what is stored; so it is too where the server said something else (a body cut
 * short), and its own claim becomes X-Archive-Orig-Content-Length, because
 * validators compare.  "HTTP/2 200" becomes "HTTP/1.1 200 OK", which is all that
 * readers know.  Everything else stays byte by byte.  Returns `head` itself when
 * nothing has to change, otherwise what was written to `scratch`.
 */
struct str stored_head_make(struct str head, uint64_t body_bytes, struct buf *scratch);
/* The standard's words for a status: "Not Found"; empty when it has none. */
struct str http_reason(int status);
#endif
