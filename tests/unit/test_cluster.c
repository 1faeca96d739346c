#include "dup/cluster.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "test.h"

static void nearness_is_not_handed_on(void)
{
	struct near_pair pairs[] = { { 0, 1, 0.8f }, { 1, 2, 0.9f } };
	uint32_t rank[] = { 0, 1, 2 };
	struct cluster_options how = { 3, pairs, 2, rank, 1 };
	struct clustered got[3];

	cluster(&how, got);
	CHECK(got[0].representative == 0 && got[0].size == 2 && got[0].measure == 0);
	CHECK(got[1].representative == 0 && got[1].measure == 0.8f);
	CHECK(got[2].representative == 2 && got[2].size == 1);
	how.hops = 2;
	cluster(&how, got);
	CHECK(got[2].representative == 0 && got[2].size == 3);
}

static void the_best_of_the_middle_takes_both_sides(void)
{
	struct near_pair pairs[] = { { 0, 1, 0.8f }, { 1, 2, 0.9f } };
	uint32_t rank[] = { 1, 0, 2 };
	struct clustered got[3];

	cluster(&(struct cluster_options){ 3, pairs, 2, rank, 1 }, got);
	CHECK(got[0].representative == 1 && got[2].representative == 1 &&
	      got[1].size == 3);
}

/* Renumber documents and shuffle pairs: the clusters are the same documents. */
static void the_order_does_not_matter(void)
{
	enum { N = 60, P = 90 };
	struct rng r = { 5 };

	for (int round = 0; round < 200; round++) {
		struct near_pair pairs[P], moved[P];
		uint32_t rank[N], moved_rank[N], to[N];
		struct clustered a[N], b[N];

		for (uint32_t i = 0; i < N; i++)
			rank[i] = to[i] = i;
		for (uint32_t i = N - 1; i > 0; i--) {
			uint64_t j = rng_below(&r, i + 1), k = rng_below(&r, i + 1);

			SWAP(rank[i], rank[j]);
			SWAP(to[i], to[k]);
		}
		for (int i = 0; i < P; i++)
			pairs[i] = (struct near_pair){ (uint32_t)rng_below(&r, N),
						       (uint32_t)rng_below(&r, N), 0.5f };
		for (int i = 0; i < P; i++) {
			moved[P - 1 - i] = (struct near_pair){ to[pairs[i].b],
							       to[pairs[i].a], 0.5f };
		}
		for (uint32_t i = 0; i < N; i++)
			moved_rank[to[i]] = rank[i];
		cluster(&(struct cluster_options){ N, pairs, P, rank, 1 }, a);
		cluster(&(struct cluster_options){ N, moved, P, moved_rank, 1 }, b);
		for (uint32_t i = 0; i < N; i++) {
			CHECK(b[to[i]].representative == to[a[i].representative]);
			CHECK(b[to[i]].size == a[i].size);
		}
	}
}

static void policies_rank_by_what_they_say(void)
{
	struct keep_facts f[] = {
		{ .length = 10, .score = 1, .name_length = 30, .tie = 3 },
		{ .length = 99, .score = 5, .name_length = 40, .tie = 2 },
		{ .length = 50, .score = 9, .name_length = 20, .tie = 1 },
		{ .length = 50, .score = 0, .name_length = 50, .is_canonical = true },
	};
	uint32_t rank[4];

	keep_ranks(KEEP_FIRST, f, 4, rank);
	CHECK(rank[0] == 0 && rank[3] == 3);
	keep_ranks(KEEP_LONGEST, f, 4, rank);
	CHECK(rank[1] == 0 && rank[2] == 1 && rank[3] == 2 && rank[0] == 3);
	keep_ranks(KEEP_BEST_SCORE, f, 4, rank);
	CHECK(rank[2] == 0 && rank[3] == 3);
	keep_ranks(KEEP_SHORTEST_URL, f, 4, rank);
	CHECK(rank[2] == 0 && rank[0] == 1);
	keep_ranks(KEEP_CANONICAL, f, 4, rank);
	CHECK(rank[3] == 0 && rank[2] == 1);
}

int main(void)
{
	RUN(nearness_is_not_handed_on);
	RUN(the_best_of_the_middle_takes_both_sides);
	RUN(the_order_does_not_matter);
	RUN(policies_rank_by_what_they_say);
	DONE();
}
