#include "method/buckets.h"
#include "method/henzinger.h"
#include "method/imatch.h"
#include "method/method_bits.h"
#include "method/method_sets.h"
#include "method/picture_bits.h"
#include "method/sampling.h"
#include "method/ssm.h"
#include "method/supershingle.h"
#include "method/textprofile.h"
#include "method/vectors.h"
#include "sketch/near_model.h"

#define SHINGLES(k)                                                         \
	{                                                                   \
		.kind = FEATURE_SHINGLES, .piece = PIECE_WORDS, .size = (k) \
	}
#define SPACED(k)                                                            \
	{                                                                    \
		.kind = FEATURE_SHINGLES, .piece = PIECE_SPACED, .size = (k) \
	}
#define COUNTED(k)                                                           \
	{                                                                    \
		.kind = FEATURE_SHINGLES, .piece = PIECE_WORDS, .size = (k), \
		.weight = WEIGHT_TF                                          \
	}
#define COUNTED_STRINGS(which)                                   \
	{                                                        \
		.kind = (which), .size = 1, .weight = WEIGHT_TF, \
	}
#define SPOTS(k)                                                         \
	{                                                                \
		.kind = FEATURE_SPOTS, .size = (k), .weight = WEIGHT_TF, \
	}
#define STRINGS(which)                     \
	{                                  \
		.kind = (which), .size = 1 \
	}

/* clang-format off */
const struct method methods[] = {
	{ "resemblance", "probability by exact Jaccard of 5-word shingles, size and the passages that differ",
	  1, false, NEAR_THRESHOLD, 4, SHINGLES(5), set_make, set_resemblance, set_valid, true },
	{ "jaccard", "exact Jaccard of 5-word shingles",
	  2, false, 0.5, 4, SHINGLES(5), set_make, set_jaccard, set_valid, true },
	{ "containment", "share of the shorter document's 5-word shingles that the longer one has",
	  3, false, 0.8, 4, SHINGLES(5), set_make, set_containment, set_valid, true },
	{ "weighted", "Jaccard of words with their counts (Ruzicka)",
	  4, false, 0.8, 4, COUNTED(1), bag_make, bag_similarity, bag_valid, true },
	{ "oph", "one-permutation min-wise sketch of 5-word shingles, 128 slots, densified",
	  5, false, 0.5, 4, SHINGLES(5), oph_make, slots_similarity, slots_valid, true },
	{ "minhash", "classic min-wise sketch of 5-word shingles, 128 permutations",
	  26, false, 0.5, 4, SHINGLES(5), minhash_make, slots_similarity, slots_valid, true },
	{ "supershingle", "6 super-shingles of 14 minima of 8-word shingles; two must agree",
	  7, false, 2, 8, SHINGLES(8), supershingle_make, supershingle_measure, supershingle_valid, true },
	{ "mod-p", "Jaccard of the 5-word shingles that 8 divides",
	  8, false, 0.5, 2, SHINGLES(5), modp_make, set_jaccard, set_valid, true },
	{ "winnow", "Jaccard of winnowed 5-word shingles, window 8",
	  9, false, 0.5, 2, SHINGLES(5), winnow_make, set_jaccard, set_valid },
	{ "simhash64", "SimHash of 3-word shingles, 64 bits; bits that differ",
	  10, true, 3, 4, COUNTED(3), simhash64_make, bits_distance, one_u64_valid, true },
	{ "simhash32", "SimHash of 3-word shingles, 32 bits; bits that differ",
	  11, true, 2, 4, COUNTED(3), simhash32_make, bits_distance, one_u64_valid, true },
	{ "simhash128", "SimHash of 3-word shingles, 128 bits; bits that differ",
	  12, true, 6, 4, COUNTED(3), simhash128_make, bits_distance, two_u64_valid, true },
	{ "crawlhash", "Crawljax's 32 bits over runs of pieces (3 spaced words), Java string hash; bits that differ",
	  13, true, 3, 4, SPACED(3), crawlhash_make, bits_distance, one_u64_valid },
	{ "henzinger", "super-shingles confirmed by 384 bits of SimHash; bits that differ",
	  14, true, 29, 8, SHINGLES(8), henzinger_make, henzinger_measure, henzinger_valid },
	{ "ssm", "keyword tables of seed 003 as its tables 3 to 5 compute; 4 prime keywords",
	  15, true, SSM_THRESHOLD, 4, STRINGS(FEATURE_KEYWORDS), ssm_make, ssm_tables_measure, ssm_valid },
	{ "ssm-printed", "keyword tables of seed 003 by its printed formula; 4 prime keywords",
	  16, true, SSM_THRESHOLD, 4, STRINGS(FEATURE_KEYWORDS), ssm_make, ssm_printed_measure, ssm_valid },
	{ "ss", "keyword counts of seed 004; 3 main keywords",
	  17, true, 2, 3, STRINGS(FEATURE_KEYWORDS), ssm_make, ss_measure, ssm_valid },
	{ "i-match", "I-Match, 11 lexicons; one signature must agree",
	  18, false, 1, 4, STRINGS(FEATURE_KEYWORDS), imatch_make, imatch_measure, imatch_valid },
	{ "buckets", "checksums of the words in 32 buckets; share that agrees",
	  19, false, 0.5, 4, SHINGLES(1), buckets_make, buckets_measure, buckets_valid, true },
	{ "textprofile", "TextProfile signature of quantised word counts; equal or not",
	  20, false, 1, 3, STRINGS(FEATURE_KEYWORDS), textprofile_make, bits_equal, one_u64_valid },
	{ "text-digest", "digest of the folded words; equal or not",
	  21, false, 1, 1, SHINGLES(1), text_digest_make, bits_equal, two_u64_valid },
	{ "payload-digest", "digest of the bytes; equal or not",
	  22, false, 1, 1, SHINGLES(1), payload_digest_make, bits_equal, two_u64_valid },
	{ "tag-paths", "Jaccard of the set of DOM tag paths",
	  23, false, 0.98, 4, STRINGS(FEATURE_TAG_PATHS), set_make, set_jaccard, set_valid, true },
	{ "tag-paths-simhash", "SimHash of the set of DOM tag paths, 64 bits; bits that differ",
	  24, true, 5, 4, STRINGS(FEATURE_TAG_PATHS), simhash64_make, bits_distance, one_u64_valid, true },
	{ "links", "Jaccard of the set of outgoing links",
	  25, false, 0.9, 4, STRINGS(FEATURE_LINKS), set_make, set_jaccard, set_valid, true },
	{ "clickables", "Jaccard of the set of controls: links, buttons, fields, with their labels",
	  27, false, 0.9, 2, STRINGS(FEATURE_CLICKABLES), set_make, set_jaccard, set_valid, true },
	{ "anchor-windows", "Ruzicka of the words of links and around them, weighed by distance",
	  28, false, 0.8, 4, COUNTED_STRINGS(FEATURE_WINDOWS), bag_make, bag_similarity, bag_valid, true },
	{ "spotsigs", "SpotSigs: function words with the next 3 other words, counted; Jaccard",
	  29, false, 0.44, 4, SPOTS(3), bag_make, bag_similarity, bag_valid, true },
	{ "cosine", "cosine of the counts of 3-word shingles",
	  30, false, 0.7, 4, COUNTED(3), vector_make, vector_cosine, vector_valid, true },
	{ "identity-1", "identity measure after Hoad and Zobel, 5-word shingles; differing counts and lengths cost in full",
	  31, false, 0.02, 4, COUNTED(5), vector_make, identity_strict, vector_valid, true },
	{ "identity-2", "the same, lengths by their logarithm",
	  32, false, 0.11, 4, COUNTED(5), vector_make, identity_length, vector_valid, true },
	{ "identity-3", "the same, lengths and counts by their logarithms",
	  33, false, 0.11, 4, COUNTED(5), vector_make, identity_mild, vector_valid, true },
	{ "picture", "low frequencies of the screenshot (perceptual hash), 64 bits; bits that differ",
	  34, true, 10, 1, STRINGS(FEATURE_PICTURE), picture_make, bits_distance, one_u64_valid },
	{ "picture-edges", "brightness from left to right in the screenshot, 64 bits; bits that differ",
	  35, true, 4, 1, STRINGS(FEATURE_PICTURE), picture_edges_make, bits_distance, one_u64_valid },
	{ .name = NULL },
};
/* clang-format on */
