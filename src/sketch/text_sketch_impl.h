/*
 * text_sketch_impl.h - what the two kernels share: words' hashes in, sketch out.
 *
 * Words are gathered in batches.  For a batch the shingle hashes are rolled,
 * thrown into their slots, and added to counters kept as bit planes: plane j
 * holds bit j of 64 counters, so adding a hash is a few logical operations
 * whatever the number of bits.  There are four sets of planes side by side, a
 * hash goes to one of them, and they are added up at the end.  flush_words() is
 * inlined into each kernel, so that each compiles it for its own instructions.
 */
#ifndef SKETCH_TEXT_SKETCH_IMPL_H
#define SKETCH_TEXT_SKETCH_IMPL_H

#include "base/alloc.h"
#include "sketch/exact.h"
#include "sketch/text_sketch.h"

#define BATCH      1024
#define HISTORY    16 /* words of the batch before, for shingles across the border */
#define SIM_PLANES 40 /* counts to 2^40 */
#define SIM_LANES  4

typedef uint64_t lanes __attribute__((vector_size(8 * SIM_LANES)));
#define ALWAYS_INLINE static inline __attribute__((always_inline))

struct word_batch {
	uint64_t v[HISTORY + BATCH]; /* the first `size - 1` are the last ones before */
	size_t n;                    /* words after the history */
	unsigned size;
	lanes planes[SIM_PLANES];
	struct text_sketch *to;
	struct hash_list *shingles;
};

void word_batch_init(struct word_batch *b, unsigned size, struct text_sketch *ret,
		     struct hash_list *shingles);
/* Take the gathered words in; called when the batch is full and at the end. */
void word_batch_flush(struct word_batch *b);
/* After the last flush. */
void word_batch_finish(struct word_batch *b);

static inline void word_batch_add(struct word_batch *b, uint64_t hash)
{
	b->v[HISTORY + b->n] = hash;
	if (__builtin_expect(++b->n == BATCH, 0))
		word_batch_flush(b);
}

/* Feed the words of `in` one by one up to the first that starts at or after `until`. */
const char *word_batch_add_scalar(struct word_batch *b, struct str in, const char *until);

/* Bit by bit: sum and carry of three. */
ALWAYS_INLINE void full_add(lanes *a, const lanes *b, const lanes *c, lanes *ret_carry)
{
	lanes half = *a ^ *b;

	*ret_carry = (*a & *b) | (half & *c);
	*a = half ^ *c;
}

/* Eight hashes a lane at once leave one carry a lane for plane 3. */
ALWAYS_INLINE void add_many(lanes *p, const uint64_t *hashes)
{
	lanes h[8], t[4], f[2], carry;

	memcpy(h, hashes, sizeof(h));
	for (int i = 0; i < 4; i++)
		full_add(&p[0], &h[2 * i], &h[2 * i + 1], &t[i]);
	full_add(&p[1], &t[0], &t[1], &f[0]);
	full_add(&p[1], &t[2], &t[3], &f[1]);
	full_add(&p[2], &f[0], &f[1], &carry);
	for (unsigned plane = 3; carry[0] | carry[1] | carry[2] | carry[3]; plane++) {
		lanes out = p[plane] & carry;

		p[plane] ^= carry;
		carry = out;
	}
}

/* One hash to the first lane. */
ALWAYS_INLINE void add_one(lanes *p, uint64_t hash)
{
	for (unsigned plane = 0; hash; plane++) {
		uint64_t out = p[plane][0] & hash;

		p[plane][0] ^= hash;
		hash = out;
	}
}

ALWAYS_INLINE void add_shingles(struct word_batch *b, const uint64_t *h, size_t n)
{
	uint32_t *slots = b->to->slots;
	size_t i = 0;

	for (size_t k = 0; k < n; k++)
		oph_add(slots, h[k]);
	for (; i + 8 * SIM_LANES <= n; i += 8 * SIM_LANES)
		add_many(b->planes, h + i);
	for (; i < n; i++)
		add_one(b->planes, h[i]);
	b->to->n_shingles += n;
	if (b->shingles && n) {
		struct hash_list *l = b->shingles;

		VEC_RESERVE(l->v, l->cap, l->n + n);
		memcpy(l->v + l->n, h, n * sizeof(*h));
		l->n += n;
	}
}

/* The digest of exact.h, carried on. */
ALWAYS_INLINE void add_to_digest(struct word_batch *b)
{
	struct u128 d = b->to->digest;
	uint64_t n = b->to->n_words;

	for (size_t i = 0; i < b->n; i++)
		text_digest_add(&d, b->v[HISTORY + i], n++);
	b->to->digest = d;
	b->to->n_words = n;
}

/* Hashes of the shingles of `total` words; returns how many there are. */
ALWAYS_INLINE size_t roll(const uint64_t *words, size_t total, unsigned size,
			  uint64_t *ret)
{
	uint64_t window = 0;
	size_t i = 0, n = 0;

	if (total < size)
		return 0;
	for (; i < size; i++)
		window = piece_rotl(window, 1) ^ words[i];
	ret[n++] = shingle_finish(window);
	for (; i < total; i++) {
		window = piece_rotl(window, 1) ^ words[i] ^
			 piece_rotl(words[i - size], size);
		ret[n++] = shingle_finish(window);
	}
	return n;
}

ALWAYS_INLINE void flush_words(struct word_batch *b)
{
	uint64_t hashes[BATCH];
	size_t known = MIN(b->to->n_words, (uint64_t)b->size - 1);
	const uint64_t *words = b->v + HISTORY - known;
	/* The usual size as a constant, so that the rotations are immediate. */
	size_t n = b->size == 5 ? roll(words, known + b->n, 5, hashes)
				: roll(words, known + b->n, b->size, hashes);

	add_shingles(b, hashes, n);
	add_to_digest(b);
	memmove(b->v, b->v + b->n, HISTORY * sizeof(*b->v));
	b->n = 0;
}
#endif
