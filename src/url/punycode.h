/* punycode.h - RFC 3492: a label of any script in letters, digits and hyphens. */
#ifndef URL_PUNYCODE_H
#define URL_PUNYCODE_H

#include "base/buf.h"

/* Append `label` (code points) without the "xn--".  ST_TOO_LARGE on overflow. */
must_use enum status punycode_encode(const uint32_t *label, size_t n, struct buf *to);
/* Decode `text`, which has no "xn--"; at most `room` code points. */
must_use enum status punycode_decode(struct str text, uint32_t *label, size_t room,
				     size_t *ret_n);
#endif
