/*
 * utf8.h - Unicode as it arrives: validated, never trusted.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/buf.h"

#define UTF8_REPLACEMENT 0xfffdu

/* Well-formed by Unicode 3.9 table 3-7: no overlong forms, no surrogates. */
bool utf8_valid(struct str s);
/* Length of the well-formed start of `s`; s.n when all of it is. */
size_t utf8_valid_prefix(struct str s);
/*
 * Consume one code point.  A malformed sequence consumes its maximal subpart
 * (one byte at least) and gives U+FFFD, as the Encoding standard does.
 * `s->n` must not be 0.
 */
uint32_t utf8_take(struct str *s);
/* Surrogates and numbers past U+10FFFF are added as U+FFFD. */
void buf_add_utf8(struct buf *b, uint32_t code_point);
/* Copy `s`, each malformed sequence replaced by U+FFFD. */
void buf_add_utf8_repaired(struct buf *b, struct str s);
#endif
