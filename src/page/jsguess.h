/*
 * jsguess.h - strings in scripts that look like URLs.
 *
 * Guesses: some lead to pages that nothing else links to, most lead nowhere,
 * and site owners dislike requests for the latter.  So the test is strict, the
 * links are marked LINK_GUESS and asked last, and each host keeps a score of
 * how its guesses fared: once it is clear that they are junk, no more are made.
 */
#ifndef PAGE_JSGUESS_H
#define PAGE_JSGUESS_H

#include "base/arena.h"

#define JSGUESS_MAX_BYTES 512 /* of one string */

/* Would a person take this string for a URL?  `s` is unescaped. */
bool jsguess_is_url(struct str s);

/*
 * Consume `*script` up to and including the next string that looks like a URL;
 * false when there is none.  A slice of the input, or a copy in `a` where it
 * held escapes.
 */
bool jsguess_next(struct str *script, struct arena *a, struct str *ret_url);

/* How a host's guesses fared.  Kept and fed by the caller; zeroed is new. */
struct jsguess_score {
	uint32_t asked; /* guesses that were requested */
	uint32_t found; /* of them, those that gave a page not known before */
};

void jsguess_learn(struct jsguess_score *s, bool found);
/* False once guesses have turned out junk; the score fades, so it may change back. */
bool jsguess_is_worth(const struct jsguess_score *s);
#endif
