/*
 * numbers.h - in how many clusters a number can stand in a rule, at most.
 *
 * A rule is offered as often as clusters agree on it, and they agree only when they
 * have the numbers that its context spells out.  A session number is in one cluster;
 * whoever sees that can leave the cluster alone without aligning it, and loses no rule.
 *
 * Counts are kept by hash, one byte each, and end at NUMBERS_MANY; numbers that share
 * a place are counted together, so a count is never too low.  One a thread, then
 * added up.
 */
#ifndef ALIGN_NUMBERS_H
#define ALIGN_NUMBERS_H

#include "align/ends.h"
#include "base/hash.h"

#define NUMBERS_MANY 255

/* Numbers wait here until the memory has their counts. */
#define NUMBERS_WAITING 32

struct numbers {
	uint8_t *count;
	size_t mask;
	uint32_t waiting[NUMBERS_WAITING]; /* places */
	size_t n_waiting;
};

void numbers_init(struct numbers *s, size_t clusters);
void numbers_release(struct numbers *s);
/* A word as token.h has them, up to eight bytes literally; `room` bytes can be read. */
static inline uint64_t word_number(struct str word, size_t room)
{
	uint64_t x = 0;

	if (word.n > 8)
		return hash64(word);
	if (room >= 8) {
		memcpy(&x, word.p, 8);
		return x & (~(uint64_t)0 >> (64 - 8 * word.n));
	}
	for (size_t i = 0; i < word.n; i++)
		x |= (uint64_t)(uint8_t)word.p[i] << 8 * i;
	return x;
}

static inline size_t numbers_place(const struct numbers *s, uint64_t word)
{
	return (word * 0x9e3779b97f4a7c15u >> 40) & s->mask;
}
/* After the last addition. */
void numbers_flush(struct numbers *s);
static inline void numbers_add(struct numbers *s, uint64_t word)
{
	size_t place = numbers_place(s, word);

	if (s->n_waiting == NUMBERS_WAITING)
		numbers_flush(s);
	__builtin_prefetch(&s->count[place], 1);
	s->waiting[s->n_waiting++] = (uint32_t)place;
}

#define CLUSTER_NUMBERS_MAX 64

/* The numbers of a cluster of at most 32 URLs. */
struct cluster_numbers {
	uint64_t word[CLUSTER_NUMBERS_MAX];
	uint32_t in[CLUSTER_NUMBERS_MAX]; /* a bit for each URL that has it between the
					     ends */
	uint16_t digits[CLUSTER_NUMBERS_MAX];
	size_t n;
};

/* Those between the ends.  False when there are too many URLs or numbers. */
must_use bool cluster_numbers_find(struct ends ends, const struct str *urls, size_t n,
				   struct cluster_numbers *ret);
/* Those of the ends, from any of the URLs; false when there are too many. */
must_use bool cluster_numbers_add_ends(struct cluster_numbers *c, struct ends ends,
				       struct str url);
/* The longest of three digits or more that some of `n` URLs have and others have not;
 * false for none. */
must_use bool cluster_numbers_differ(const struct cluster_numbers *c, size_t n,
				     uint64_t *ret_word);
/* Add the counts of `from`, which is as large. */
void numbers_merge(struct numbers *into, const struct numbers *from);
#endif
