/*
 * offer.h - what one cluster suggests: the texts of rules that would join its URLs.
 *
 * The seed's methods offer one rule a cluster.  Beyond the seed, a cluster can
 * offer the operations that explain pairs of its URLs, and more general forms
 * of the seed's rule.
 *
 * Pure; one workspace a thread.  Offers live until the next call.
 */
#ifndef ALIGN_OFFER_H
#define ALIGN_OFFER_H

#include "align/family.h"
#include "align/generate.h"
#include "align/multi.h"
#include "align/numbers.h"

#define OFFER_SEED       1 /* the rule of the consensus */
#define OFFER_GENERAL    2 /* more general ones */
#define OFFER_OPERATIONS 4

#define OFFER_SAMPLE 10 /* the thesis' K */
#define OFFER_CARD   5  /* and Card */

struct offer_options {
	unsigned what; /* OFFER_...; 0 means OFFER_SEED */
	enum multi_method method;
	size_t sample;     /* K, at most SAMPLE_MAX; 0: the entire cluster */
	unsigned card;     /* Card_set */
	bool keep_groups;  /* style of the transformation */
	bool whole_matrix; /* align as the seed writes it, slowly; the rules are the same
			    */
	uint64_t seed;
};

#define OFFERS_MAX 64
/* To be remembered of clusters that offer no text. */
#define OFFER_NOTHING UINT64_MAX

struct offers {
	struct str text[OFFERS_MAX]; /* distinct */
	size_t n;
	struct str *sample; /* the URLs that are aligned */
	size_t n_sample, sample_cap;
	/* With a memory: what was remembered of clusters that offer the same, and then no
	 * text is made; otherwise 0, and `same` is how to remember it, unless 0. */
	uint64_t known, same;
};

struct offer_work {
	struct multi multi;
	struct buf context, transformation;
	struct arena texts;
	struct explanation explained;
	struct ends ends; /* of the cluster at hand */
	struct numbers
		*numbers;   /* counts those that offers spell out; NULL: nobody asks */
	struct map *memory; /* `same` -> what the caller says; NULL: none */
};

void offer_work_release(struct offer_work *w);
void offers_release(struct offers *o);
/* offer_begin() and offer_end(). */
void offer_rules(struct offer_work *w, const struct offer_options *options,
		 const struct str *urls, size_t n, struct offers *ret);
/* Whether only what differs is aligned: DustLin's rule alone needs no more. */
bool offer_uses_cache(const struct offer_options *options);
/* Choose the sample. */
void offer_begin(struct offer_work *w, const struct offer_options *options,
		 const struct str *urls, size_t n, struct offers *ret);
/*
 * After offer_begin(), instead of offer_end(): a number that whatever the cluster offers
 * is sure to spell out.  All numbers of the cluster are counted then.  False, and nothing
 * counted, when there is no such number.
 */
must_use bool offer_defer(struct offer_work *w, const struct offer_options *options,
			  const struct offers *of, uint64_t *ret_number);
void offer_end(struct offer_work *w, const struct offer_options *options,
	       struct offers *ret);
#endif
