/*
 * opinions.h - what several people said of pairs, and what follows from it.
 *
 * An answer belongs to an annotator.  Where several answered the same pair the majority
 * counts, and of a tie that they differ: keeping two costs less than losing one.  Being
 * near is taken as transitive: what is near to the same is near, and what is near to
 * something different is different; such pairs need not be shown.  In memory; see
 * opinions_file.h for the disk.
 */
#ifndef ANNOTATE_OPINIONS_H
#define ANNOTATE_OPINIONS_H

#include "base/intern.h"
#include "base/map.h"

enum said {
	SAID_NEAR,
	SAID_DIFFERENT,
	SAID_UNSURE, /* shown, and not decided */
};

struct pair_answer {
	uint32_t a, b; /* samples, a < b */
	uint32_t annotator;
	uint8_t said; /* enum said */
};

struct opinions {
	struct pair_answer *v;
	size_t n, cap;
	struct intern annotators;
	/* What follows, made anew after each change. */
	uint32_t *leader; /* by sample: the class it is in */
	size_t samples;
	struct map votes;  /* by pair: near less different, from 2^32 */
	struct map parted; /* by pair of leaders: one of each is different */
};

struct agreement {
	uint32_t one, other; /* annotators */
	size_t pairs;        /* that both decided */
	double share;        /* of equal answers */
	double kappa;        /* Cohen's; 1 where chance leaves no room */
};

void opinions_init(struct opinions *s, size_t samples);
void opinions_release(struct opinions *s);
void opinions_add(struct opinions *s, uint32_t annotator, uint32_t a, uint32_t b,
		  enum said said);
/* Take back the last one of this annotator; false when there is none. */
bool opinions_undo(struct opinions *s, uint32_t annotator);

/* Whether this annotator, or anybody, was shown the pair and answered. */
bool opinions_has(const struct opinions *s, uint32_t annotator, uint32_t a, uint32_t b);
bool opinions_any(const struct opinions *s, uint32_t a, uint32_t b);
/* Whether the answers leave no choice; `*ret_near` is what they say. */
bool opinions_imply(const struct opinions *s, uint32_t a, uint32_t b, bool *ret_near);
size_t opinions_of(const struct opinions *s, uint32_t annotator);
/* False when they have fewer than two pairs in common. */
bool opinions_agreement(const struct opinions *s, uint32_t one, uint32_t other,
			struct agreement *ret);
/* Walk the decided pairs, each once, in the order of first answers. */
bool opinions_next_decided(const struct opinions *s, size_t *at, struct pair_answer *ret);
#endif
