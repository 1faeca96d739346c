/*
 * ends.h - what all URLs of a cluster have in common at both ends, as bytes.
 *
 * Most URLs of a cluster differ in one place; what lies before and after it is
 * the same in all of them and need be neither cut into tokens nor aligned.
 * The first end stops after a delimiter and the last begins with one, and the
 * first leaves one more part and delimiter in between, so that a traceback
 * (align.h) comes to rest before it reaches the end.  Pure.
 */
#ifndef ALIGN_ENDS_H
#define ALIGN_ENDS_H

#include "dust/token.h"

/* Above this a URL may have more tokens than are learnt from. */
#define ENDS_BYTES_MAX TOKENS_MAX

struct ends {
	size_t first, last; /* bytes */
};

/* Nothing when a URL is longer than ENDS_BYTES_MAX. */
struct ends common_ends(const struct str *urls, size_t n);
#endif
