/*
 * redact.h - a request without the secrets in it, for archives that others read.
 *
 * The values of Authorization, Proxy-Authorization and Cookie are replaced; everything
 * else, and that these fields were sent, stays.  Responses are evidence and are never
 * touched. Pure.
 */
#ifndef WARC_REDACT_H
#define WARC_REDACT_H

#include "base/buf.h"

#define REDACTED "[redacted]"

/* `request` itself when it holds no secret, otherwise what was written to `scratch`. */
struct str redact_request(struct str request, struct buf *scratch);
#endif
