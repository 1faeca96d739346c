/*
 * tokenize_fast.h - where the tokens of a URL begin, and its shape without its words.
 *
 * The shape of a URL is its marks and the types of its other tokens; it decides which
 * contexts can match as far as they do not spell words out.  Faster than tokens_split(),
 * which gives more.  Shapes are told apart by 64 bits and the number of tokens.  Pure.
 */
#ifndef ALIGN_TOKENIZE_FAST_H
#define ALIGN_TOKENIZE_FAST_H

#include "dust/token.h"

/* Which of up to 64 bytes are letters, and which digits: one bit a byte. */
struct classes {
	uint64_t letters, digits;
};
struct classes classify(struct str text, size_t from, size_t n);

/* Where tokens begin among the first `n` of 64 bytes.  A token goes on where a byte is of
 * the class of the one before; `before` has that of the last block, and gets it. */
static inline uint64_t token_begins(struct classes now, struct classes *before, size_t n)
{
	uint64_t on = (now.letters & (now.letters << 1 | before->letters)) |
		      (now.digits & (now.digits << 1 | before->digits));

	*before = (struct classes){ now.letters >> 63, now.digits >> 63 };
	return ~on & ~(uint64_t)0 >> (64 - n);
}

struct fast_tokens {
	struct str url;
	uint64_t shape;
	size_t n;                    /* tokens */
	uint16_t at[TOKENS_MAX + 1]; /* where each begins; then the end */
};

/* False past the bounds of token.h. */
must_use bool tokenize_fast(struct fast_tokens *c, struct str url);

static inline struct str fast_tokens_slice(const struct fast_tokens *c, size_t from,
					   size_t to)
{
	return (struct str){ c->url.p + c->at[from], (size_t)(c->at[to] - c->at[from]) };
}
#endif
