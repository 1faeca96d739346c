/*
 * http_request.h - the head of a request, as much of it as the test web looks at.
 *
 * Reads foreign bytes in place; strings point into the input.
 */
#ifndef TESTWEB_HTTP_REQUEST_H
#define TESTWEB_HTTP_REQUEST_H

#include "base/str.h"

#define HTTP_REQUEST_MAX ((size_t)32 * 1024)

enum coding { CODING_NONE, CODING_GZIP, CODING_BR, CODING_ZSTD, CODINGS };

struct http_request {
	struct str method, target, host;
	struct str if_none_match, if_modified_since, cookie, authorization, user_agent;
	uint64_t body_bytes; /* Content-Length; the body is to be skipped */
	bool keep_alive;
	bool old; /* HTTP/1.0: knows no chunks */
	bool head_only;
	bool https;      /* the target is an absolute https URL, as a proxy is asked */
	uint8_t codings; /* bits 1 << enum coding that the client accepts */
};

/*
 * ST_AGAIN until the head is complete, ST_TOO_LARGE when it never will be,
 * ST_SYNTAX when it is no request.  `ret_n` is the length of the head.
 */
must_use enum status http_request_parse(struct str in, struct http_request *ret,
					size_t *ret_n);
#endif
