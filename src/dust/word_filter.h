/*
 * word_filter.h - the words a context asks for, in a few bits.
 *
 * A URL's words, each with the number of / ? & # before it, are thrown into 512
 * bits; a context asks for some of these bits, and for one of several where it
 * has alternatives.  A URL that lacks them cannot match, and most contexts of a
 * site are turned away by this without being run.
 */
#ifndef DUST_WORD_FILTER_H
#define DUST_WORD_FILTER_H

#include "dust/pattern.h"

#define WORD_NEEDS 4 /* that are looked at */
#define WORD_WAYS  4 /* to meet one; a need that has more is not looked at */

struct word_bits {
	uint64_t v[8];
};

struct word_filter {
	uint16_t bit[WORD_NEEDS][WORD_WAYS]; /* each need, filled up with its last way */
	uint16_t n;
};

struct word_filter word_filter_of(const struct url_pattern *p);

static inline uint16_t word_bit(struct token t, unsigned segment)
{
	uint64_t x = (uint64_t)(uint8_t)t.p[0] | (uint64_t)(uint8_t)t.p[t.n - 1] << 8 |
		     (uint64_t)(uint8_t)t.p[t.n / 2] << 16 | (uint64_t)t.n << 24 |
		     (uint64_t)segment << 40;

	return (uint16_t)(x * 0x9e3779b97f4a7c15u >> 55);
}

static inline bool word_bits_has(const struct word_bits *b, uint16_t bit)
{
	return b->v[bit / 64] >> bit % 64 & 1;
}

static inline void word_bits_add(struct word_bits *b, uint16_t bit)
{
	b->v[bit / 64] |= (uint64_t)1 << bit % 64;
}

static inline bool word_filter_passes(const struct word_filter *f,
				      const struct word_bits *words)
{
	for (uint16_t i = 0; i < f->n; i++) {
		const uint16_t *bit = f->bit[i];

		if (!word_bits_has(words, bit[0]) && !word_bits_has(words, bit[1]) &&
		    !word_bits_has(words, bit[2]) && !word_bits_has(words, bit[3]))
			return false;
	}
	return true;
}
#endif
