/*
 * coding.h - undo a Content-Encoding: gzip, deflate, br, zstd, one after another.
 *
 * Hostile input: the output stops at the limit its buffer was born with, so a
 * compression bomb costs no more than that; what a cut-off body still holds is
 * given all the same.  Pure; any thread.
 */
#ifndef WEB_CODING_H
#define WEB_CODING_H

#include "base/buf.h"

#define CODINGS_MAX 4 /* applied to one body; more is an attack, not a server */

/*
 * Append `body` decoded as `field` (the value of Content-Encoding) says.
 * ST_OK: all of it.  ST_TOO_LARGE: cut at the limit of `to`.  ST_SYNTAX: broken
 * or cut short, `to` has what could be read.  ST_UNSUPPORTED: a coding nobody
 * knows, nothing added.  `field` may be empty: then the body is copied.
 */
must_use enum status coding_decode(struct str field, struct str body, struct buf *to);
/* True when the field asks for no work: absent, empty or "identity". */
bool coding_is_identity(struct str field);
#endif
