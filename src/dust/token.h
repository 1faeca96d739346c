/*
 * token.h - a URL as a sequence of words, numbers and punctuation.
 *
 * The grammar of the thesis that this room follows (Rodrigues, "Removing DUST
 * Using Multiple Alignment of Sequences", 4.1.1): a token is a run of ASCII
 * letters, a run of ASCII digits, or one other byte.  Tokens are slices of
 * the URL, which must outlive them.
 */
#ifndef DUST_TOKEN_H
#define DUST_TOKEN_H

#include <string.h>

#include "base/str.h"

enum token_type {
	TOKEN_PUNCT,
	TOKEN_ALPHA,
	TOKEN_NUMBER,
};

/* Two kinds of delimiter: all of them end a subsequence (4.2.1.2), the coarse
 * ones / ? & # also make the shape by which rules are indexed. */
#define TOKEN_DELIM  1
#define TOKEN_COARSE 2

struct token {
	const char *p;
	uint16_t n;
	uint8_t type;  /* enum token_type */
	uint8_t delim; /* TOKEN_DELIM | TOKEN_COARSE, or 0 */
};

/* Above these a URL is neither learnt from nor rewritten: alignment is
 * quadratic in tokens, and such URLs are traps more often than pages. */
#define TOKENS_MAX       512
#define TOKENS_BYTES_MAX 8192

struct tokens {
	struct token *v;
	size_t n, cap;
};

void tokens_release(struct tokens *t);
/* Replace the contents by the tokens of `url`.  ST_TOO_LARGE past the bounds above. */
must_use enum status tokens_split(struct tokens *t, struct str url);

static inline struct str token_str(struct token t)
{
	return (struct str){ t.p, t.n };
}
/* Most tokens of a URL are one byte long. */
static inline bool token_eq(struct token a, struct token b)
{
	return a.n == b.n && a.p[0] == b.p[0] && (a.n == 1 || memcmp(a.p, b.p, a.n) == 0);
}
/* Equal type and equal text without regard to case. */
bool token_eq_nocase(struct token a, struct token b);

/* The part of `url` between "//" and the next of / ? #, without user and port. */
struct str dust_host(struct str url);
/* Everything up to and including the host and port: "http://a.org:81". */
struct str dust_origin(struct str url);
#endif
