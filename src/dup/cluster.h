/*
 * cluster.h - verified pairs in, representatives out.
 *
 * Nearness is not handed on: if A is near B and B is near C, C need not be near
 * A.  So a document is given up only for a representative it was itself verified
 * against (or, with `hops` above 1, by so many steps at most).  The best
 * document that is left becomes a representative and takes its neighbours, until
 * none is left.  The result depends on the pairs and the ranks only, not on
 * their order.
 */
#ifndef DUP_CLUSTER_H
#define DUP_CLUSTER_H

#include "base/str.h"

struct near_pair {
	uint32_t a, b;
	float measure;
};

struct cluster_options {
	size_t n; /* documents */
	const struct near_pair *pairs;
	size_t n_pairs;
	const uint32_t *rank; /* a permutation; 0 is the first to be kept */
	unsigned hops;        /* 0 counts as 1 */
};

struct clustered {
	uint32_t representative; /* itself when it is kept */
	uint32_t size;           /* of its cluster */
	float measure; /* of the verified pair that brought it in; 0 when kept */
};

/* `ret` holds options->n. */
void cluster(const struct cluster_options *options, struct clustered *ret);

enum keep_policy {
	KEEP_FIRST,        /* in the order of the input */
	KEEP_LONGEST,      /* most text */
	KEEP_BEST_SCORE,   /* the caller's score */
	KEEP_SHORTEST_URL, /* the shortest name */
	KEEP_CANONICAL,    /* one whose name is its canonical URL, then the shortest */
};

#define KEEP_WORDS "first|longest|best-score|shortest-url|canonical"

/* What the policies look at. */
struct keep_facts {
	uint64_t length;
	double score;
	uint32_t name_length;
	bool is_canonical;
	uint64_t tie; /* from the content, so that the order of the input does not matter
		       */
};

/* The rank of each document under a policy: a permutation. */
void keep_ranks(enum keep_policy policy, const struct keep_facts *facts, size_t n,
		uint32_t *ret);
#endif
