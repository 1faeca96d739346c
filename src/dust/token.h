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
	uint8_t id;    /* from 1, when somebody numbered the words without case */
};

/* Above these a URL is neither learnt from nor rewritten: alignment is
 * quadratic in tokens, and such URLs are traps more often than pages. */
#define TOKENS_MAX       512
#define TOKENS_BYTES_MAX 8192

/* A URL of more delimiters is matched token by token. */
#define MARKS_MAX 56

struct tokens {
	struct token *v;
	size_t n, cap;
	/* Which of the first 64 tokens are delimiters, of any kind and coarse ones. */
	uint64_t delims, coarse;
	/* The delimiters by themselves, and where they stand; bit i of `filled` when
	 * there is something between delimiter i and the one before, or the ends. */
	size_t n_marks; /* may pass MARKS_MAX; those beyond are not listed */
	char marks[MARKS_MAX + 8];
	uint16_t mark_at[MARKS_MAX];
	uint64_t filled;
};

/* How many tokens from `at` on come before the next one of `stops`, which is `delims`
 * or `coarse` of the same tokens, and `flag` what they are called in a token. */
static inline size_t tokens_run(const struct tokens *t, size_t at, uint64_t stops,
				uint8_t flag)
{
	size_t to = at;

	if (at < 64 && stops >> at)
		return (size_t)__builtin_ctzll(stops >> at);
	if (t->n > 64)
		for (to = at > 64 ? at : 64; to < t->n && !(t->v[to].delim & flag);)
			to++;
	else
		to = t->n;
	return to - at;
}

/* Of each byte: its type in the low two bits, TOKEN_DELIM and TOKEN_COARSE above. */
extern const uint8_t token_kinds[256];
/* Whether the byte is a delimiter by itself. */
static inline bool is_delimiter_byte(char c)
{
	return token_kinds[(uint8_t)c] >> 2;
}
/* A token of one byte. */
static inline struct token token_begin(const char *p)
{
	uint8_t kind = token_kinds[(uint8_t)*p];

	return (struct token){ .p = p, .n = 1, .type = kind & 3, .delim = kind >> 2 };
}
/* The token that begins at `p`; `end` is behind the last byte. */
static inline struct token token_take(const char *p, const char *end)
{
	uint8_t kind = token_kinds[(uint8_t)*p];
	const char *to = p + 1;

	if ((kind & 3) != TOKEN_PUNCT)
		while (to < end && token_kinds[(uint8_t)*to] == kind)
			to++;
	return (struct token){
		.p = p, .n = (uint16_t)(to - p), .type = kind & 3, .delim = kind >> 2
	};
}
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
bool token_eq_folded(struct token a, struct token b);
/* Equal type and equal text without regard to case. */
static inline bool token_eq_nocase(struct token a, struct token b)
{
	/* Letters differ by one bit where only their case differs. */
	if (a.n != b.n || a.type != b.type || (a.p[0] ^ b.p[0]) & ~0x20)
		return false;
	return token_eq_folded(a, b);
}

/* The part of `url` between "//" and the next of / ? #, without user and port. */
struct str dust_host(struct str url);
#endif
