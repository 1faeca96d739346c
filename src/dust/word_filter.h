/*
 * word_filter.h - the words a context asks for, in a few bits.
 *
 * A URL's words, each with the number of / ? & # before it, are thrown into 64
 * bits; a context asks for some of these bits, and for one of several where it
 * has alternatives.  A URL that lacks them cannot match, and most contexts of a
 * site are turned away by this without being run.
 */
#ifndef DUST_WORD_FILTER_H
#define DUST_WORD_FILTER_H

#include "dust/pattern.h"

#define WORD_FILTER_ANY 3

struct word_filter {
	uint64_t must;                 /* all of these bits */
	uint64_t any[WORD_FILTER_ANY]; /* and one of each of these */
};

struct word_filter word_filter_of(const struct pattern *p);

static inline uint64_t word_bit(struct token t, unsigned segment)
{
	uint64_t x = (uint64_t)(uint8_t)t.p[0] | (uint64_t)(uint8_t)t.p[t.n - 1] << 8 |
		     (uint64_t)(uint8_t)t.p[t.n / 2] << 16 | (uint64_t)t.n << 24 |
		     (uint64_t)segment << 40;

	return (uint64_t)1 << (x * 0x9e3779b97f4a7c15u >> 58);
}

static inline bool word_filter_passes(const struct word_filter *f, uint64_t words)
{
	return (f->must & ~words) == 0 && f->any[0] & words && f->any[1] & words &&
	       f->any[2] & words;
}
#endif
