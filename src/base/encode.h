/*
 * encode.h - bytes as text: hex, base32 (RFC 4648, as WARC digests) and base64;
 * and text as markup.
 */
#ifndef BASE_ENCODE_H
#define BASE_ENCODE_H

#include "base/buf.h"

void buf_add_hex(struct buf *b, struct str bytes);
void buf_add_hex64(struct buf *b, uint64_t v); /* 16 digits */
/* Upper case; padded with '=' to a multiple of eight. */
void buf_add_base32(struct buf *b, struct str bytes);
void buf_add_base64(struct buf *b, struct str bytes);
/* For HTML and XML, between tags and within double quotes. */
void buf_add_markup(struct buf *b, struct str text);
/* The whole of `text`; ST_SYNTAX and nothing added otherwise. */
must_use enum status buf_add_unhex(struct buf *b, struct str text);
must_use enum status buf_add_unbase32(struct buf *b, struct str text);
must_use enum status buf_add_unbase64(struct buf *b, struct str text);
#endif
