/*
 * entity.h - character references: &amp; &#8364; &notit; into UTF-8.
 *
 * The rules of the HTML standard, 13.2.5.72 and on: longest name wins, some
 * names need no semicolon, and inside attribute values such a name followed
 * by '=' or a letter or digit is left alone, so that "?a=1&copy=2" survives.
 * Works on what is there already: nothing is allocated.
 */
#ifndef HTML_ENTITY_H
#define HTML_ENTITY_H

#include "base/arena.h"

enum entity_where { ENTITY_IN_TEXT, ENTITY_IN_ATTRIBUTE };

#define ENTITY_TEXT_MAX 8 /* no reference decodes to more bytes */

/*
 * Decode the reference that starts at p[0] == '&' into `out`, which has room
 * for ENTITY_TEXT_MAX bytes, `*ret_n` of them used.  Returns how many bytes of
 * input it took; 0 when the ampersand means itself.
 */
size_t entity_decode(const char *p, const char *end, enum entity_where where, char *out,
		     size_t *ret_n);

/* `s` itself where it holds no '&'; otherwise a decoded copy in `a`. */
struct str entity_decode_all(struct str s, enum entity_where where, struct arena *a);
#endif
