/*
 * multi.h - many URLs of one page to one consensus.
 *
 * Two ways: progressive (algorithm 1, DUSTER: always the most similar pair,
 * (n - 1)^2 alignments, all of which are kept) and linear (algorithm 4, DustLin: one URL
 * after the other, n - 1 alignments).  Large clusters are sampled; the sample is chosen
 * and ordered by a seeded hash of the URL, so it does not depend on the order
 * of the input.
 *
 * The consensus points into the workspace and into the URLs and lives until
 * the next call.  One workspace a thread.
 */
#ifndef ALIGN_MULTI_H
#define ALIGN_MULTI_H

#include "align/align.h"
#include "align/alignment_cache.h"
#include "align/ends.h"

enum multi_method {
	MULTI_LINEAR,
	MULTI_PROGRESSIVE,
};

#define SAMPLE_MAX 65535 /* largest K: the seed's clusters have up to 53,132 URLs */
/* Of methods that look at each two URLs of a sample. */
#define SAMPLE_PAIRED_MAX 256
/* A consensus longer than this comes from pages that have no pattern in common. */
#define CONSENSUS_MAX 1024

struct multi {
	struct aligner aligner;
	struct arena arena, spare;
	struct tokens tokens;
	struct alignment_cache cache;
	bool is_signed; /* the shape at hand */
	/* What multi_align() chose, for who studies it: the score of each alignment as a
	 * share of the longer side, added up. */
	double similarity;
	uint64_t alignments;
};

void multi_release(struct multi *m);
/*
 * Put at most `k` (<= SAMPLE_MAX) distinct URLs into `ret`; returns how many.
 * The same set of URLs and the same seed give the same sample in the same order.
 */
size_t sample_urls(const struct str *urls, size_t n, size_t k, uint64_t seed,
		   struct str *ret);
/*
 * Align `n` distinct URLs; progressively, the first SAMPLE_PAIRED_MAX of them.
 * ST_NOT_FOUND when fewer than two of them can be aligned, ST_TOO_LARGE when they have
 * too little in common.
 */
must_use enum status multi_align(struct multi *m, enum multi_method method,
				 const struct str *urls, size_t n, struct consensus *ret);
/*
 * The same, linear, of what lies between their common ends, in two steps: with the
 * tokens of the ends it is what multi_align() gives.  A cluster of the shape of an
 * earlier one is not aligned again (alignment_cache.h): then `*ret_known` is its cached
 * alignment, otherwise NULL. ST_NOT_FOUND when the result cannot be told from the middle.
 */
must_use enum status multi_lookup(struct multi *m, struct ends ends,
				  const struct str *urls, size_t n,
				  const struct cached_alignment **ret_known);
/* The consensus of the cluster that was looked up; `known` is what that gave. */
must_use enum status multi_align_shape(struct multi *m, struct ends ends,
				       const struct cached_alignment *known,
				       struct consensus *ret);
#endif
