/*
 * css.h - the URLs in a style sheet: url(...), src(...) and @import "...".
 *
 * A scanner, not a parser: it knows comments, strings and escapes, so that a
 * URL in a comment is none and a ')' in a string ends nothing.  One pass.
 */
#ifndef PAGE_CSS_H
#define PAGE_CSS_H

#include "base/arena.h"

enum css_url_kind { CSS_URL, CSS_IMPORT };

/*
 * Consume `*css` up to and including its next URL; false when there is none.
 * The URL is a slice of the input, or a copy in `a` where it held escapes.
 */
bool css_next_url(struct str *css, struct arena *a, struct str *ret_url,
		  enum css_url_kind *ret_kind);
#endif
