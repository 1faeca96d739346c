/*
 * multipart.h - the parts of a multipart body (RFC 2046, RFC 7578), one after the other.
 *
 * Slices of the body, nothing is copied.  Fields longer than their names need and
 * nested multiparts are not looked into.  Pure.
 */
#ifndef KB_MULTIPART_H
#define KB_MULTIPART_H

#include "base/str.h"

struct part {
	struct str name, filename, content_type; /* empty where not given */
	struct str body;
};

struct multipart {
	struct str rest, boundary;
	bool bad; /* it ended before its last boundary, or a head has no end */
};

/* False when the type is no multipart type or names no boundary. */
bool multipart_start(struct multipart *m, struct str content_type, struct str body);
/* False at the end; then `bad` says whether it was a proper one. */
bool multipart_next(struct multipart *m, struct part *ret);
#endif
