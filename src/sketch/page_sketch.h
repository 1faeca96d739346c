/*
 * page_sketch.h - what is kept of a document to find and to prove duplicates.
 *
 * Two digests for "exactly", 128 min-wise slots to find candidates, and the set
 * of its shingles to check them.  The set holds 32 bits of each distinct
 * shingle hash, ascending.  Up to PAGE_SET_MAX of them it is complete and
 * comparisons are exact; of a longer document only the values below
 * 2^(32 - thin) are kept, which is Broder's mod-p with p = 2^thin, and the
 * resemblance of such pairs is an estimate from about a thousand samples or
 * more (standard error 0.016 at most).
 *
 * Bytes: see page_sketch_encode(); the same on every machine.
 */
#ifndef SKETCH_PAGE_SKETCH_H
#define SKETCH_PAGE_SKETCH_H

#include "sketch/near_model.h"
#include "sketch/shingle_set.h"
#include "sketch/text_sketch.h"

#define PAGE_SKETCH_VERSION 1
#define PAGE_SET_MAX        2048
#define PAGE_SHINGLE_WORDS  5
/* With fewer shingles only equal text makes a duplicate. */
#define PAGE_MIN_SHINGLES NEAR_MIN_SHINGLES

struct page_sketch {
	struct u128 payload; /* digest of the bytes; zero when nobody knows */
	struct text_sketch text;
	uint8_t thin;
	bool raw; /* the set is not sorted and may hold a value twice */
	uint32_t *set;
	size_t n_set, cap_set;
	/* The set as it was before it was sorted: in the order of the text, a value as
	 * often as it stood there.  Empty when nobody knows. */
	uint32_t *order;
	size_t n_order, cap_order;
	struct hash_list scratch;
};

void page_sketch_release(struct page_sketch *s);
/* Replaces what was there, keeps its memory. */
void page_sketch_make(struct str text, struct page_sketch *s);
/*
 * The same with the set in the order of the text: for a sketch that is only to be
 * stored.  Most are never compared, and those that are get sorted when decoded.
 */
void page_sketch_make_raw(struct str text, struct page_sketch *s);
/* What page_sketch_make() does more than page_sketch_make_raw(). */
void page_sketch_sort(struct page_sketch *s);

/* Shared and differing shingles; scaled up where a set was thinned. */
struct overlap page_sketch_overlap(const struct page_sketch *a,
				   const struct page_sketch *b);
/*
 * All that is known of the pair: shared and differing shingles with and without those in
 * `common` (may be NULL), and the longest passages that only one has.  Both sorted.
 */
void page_sketch_compare(const struct page_sketch *a, const struct page_sketch *b,
			 const struct shingle_set *common, struct near_evidence *ret);
/* The same with ret->whole already there. */
void page_sketch_compare_content(const struct page_sketch *a, const struct page_sketch *b,
				 const struct shingle_set *common,
				 struct near_evidence *ret);
/* False when one has too few shingles to be judged by them. */
bool page_sketch_comparable(const struct text_sketch *a, const struct text_sketch *b);
/*
 * Whether the sets need not be compared: by their slots the two resemble each other so
 * little that `least` is out of reach (one pair in 300,000 of those just above it is
 * missed).  Never of short documents, whose slots say less and whose sets are cheap.
 */
bool page_sketch_too_far(const struct text_sketch *a, const struct text_sketch *b,
			 double least);

void page_sketch_encode(const struct page_sketch *s, struct buf *to);
/* ST_CORRUPT unless `in` is exactly one sketch. */
must_use enum status page_sketch_decode(struct str in, struct page_sketch *ret);
/* The same with the set as it was stored: raw, where it was. */
must_use enum status page_sketch_decode_raw(struct str in, struct page_sketch *ret);
/* Everything but the set; `ret_payload` may be NULL. */
must_use enum status page_sketch_decode_text(struct str in, struct text_sketch *ret,
					     struct u128 *ret_payload);
#endif
