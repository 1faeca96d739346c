/*
 * near_model.h - how probable it is that two texts are near-duplicates.
 *
 * A few kinds of evidence, each turned into a number, weighed and added up to the
 * logarithm of the odds (logistic regression).  The weights and where they come from
 * stand in near_model.c and nowhere else.  Pure.
 */
#ifndef SKETCH_NEAR_MODEL_H
#define SKETCH_NEAR_MODEL_H

#include "sketch/sets.h"

/* What is known of a pair.  Passages are in shingles; 0 where the order is unknown. */
struct near_evidence {
	struct overlap content; /* shingles, without those that many documents share */
	struct overlap whole;   /* all of them */
	uint32_t passage_a;     /* the longest passage of the content that only a has */
	uint32_t passage_b;
	uint32_t replaced_a; /* words of all its long passages */
	uint32_t replaced_b;
};

enum near_term {
	NEAR_BASE,        /* what is so before anything is known */
	NEAR_RESEMBLANCE, /* log odds of the Jaccard of the content */
	NEAR_SIZE,        /* factors of ten beyond a thousand shingles */
	NEAR_REPLACED,    /* long passages of the content are other ones */
	NEAR_SHORT,       /* halvings below 16 shingles */
	NEAR_TERMS
};

struct near_weight {
	const char *name;
	double weight;
	const char *about;
};
extern const struct near_weight near_model[NEAR_TERMS];

/* The default of --threshold. */
#define NEAR_THRESHOLD 0.5
/* With less content of its own a document is near to nothing. */
#define NEAR_MIN_SHINGLES 4
/* A passage of so many words, or of this part of a shorter text, is other content; less
 * may be a sentence that was written anew. */
#define NEAR_PASSAGE_WORDS 40
#define NEAR_PASSAGE_PART  4
/* A passage of n words that differs spoils as many shingles and these. */
#define NEAR_PASSAGE_EDGE 4

/* The terms before they are weighed. */
void near_terms(const struct near_evidence *e, double ret[NEAR_TERMS]);
/* 0 when one of them has too little content; `ret_terms` (may be NULL) add up to the log
 * odds. */
double near_probability(const struct near_evidence *e, double ret_terms[NEAR_TERMS]);
/* The Jaccard that a pair of so many different shingles needs for a probability. */
double near_needed(double shingles, double probability);
/*
 * So alike, and only in single words different, that the pair is one text twice: such
 * copies count once where it is counted how many documents share a passage.
 */
bool near_is_copy(const struct near_evidence *e);
#endif
