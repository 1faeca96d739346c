#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "archive/sha1_pair.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("sha,sse4.1,ssse3")))
#define INLINE TARGET static inline __attribute__((always_inline))
#define CHUNK  64u /* bytes that SHA-1 takes at once */

/* One message on its way: FIPS 180-4's a to d in `abcd`, and e. */
struct lane {
	__m128i abcd, e;
	__m128i w[4]; /* the last sixteen words of the schedule */
};

INLINE void lane_start(struct lane *l)
{
	l->abcd = _mm_set_epi32(0x67452301, (int)0xefcdab89, (int)0x98badcfe, 0x10325476);
	l->e = _mm_set_epi32((int)0xc3d2e1f0, 0, 0, 0);
}

INLINE void lane_load(struct lane *l, const char *p)
{
	const __m128i big_endian = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);

	for (unsigned i = 0; i < 4; i++)
		l->w[i] = _mm_shuffle_epi8(
			_mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i)),
			big_endian);
}

/* Rounds 4t to 4t + 3, all of the same function `f`. */
#define FOUR_ROUNDS(l, t, f)                                                         \
	do {                                                                         \
		__m128i *w_ = (l)->w, before_ = (l)->abcd;                           \
		if ((t) >= 4)                                                        \
			w_[(t)&3] = _mm_sha1msg2_epu32(                              \
				_mm_xor_si128(_mm_sha1msg1_epu32(w_[(t)&3],          \
								 w_[((t) + 1) & 3]), \
					      w_[((t) + 2) & 3]),                    \
				w_[((t) + 3) & 3]);                                  \
		__m128i e_ = (t) == 0 ? _mm_add_epi32((l)->e, w_[0])                 \
				      : _mm_sha1nexte_epu32((l)->e, w_[(t)&3]);      \
		(l)->abcd = _mm_sha1rnds4_epu32((l)->abcd, e_, f);                   \
		(l)->e = before_;                                                    \
	} while (0)

/* All eighty rounds of a chunk of each lane, in turns. */
INLINE void add_chunks(struct lane *a, struct lane *b)
{
	struct lane was_a = *a, was_b = *b;

#pragma GCC unroll 20
	for (unsigned t = 0; t < 20; t++) {
		if (t < 5) {
			FOUR_ROUNDS(a, t, 0);
			FOUR_ROUNDS(b, t, 0);
		} else if (t < 10) {
			FOUR_ROUNDS(a, t, 1);
			FOUR_ROUNDS(b, t, 1);
		} else if (t < 15) {
			FOUR_ROUNDS(a, t, 2);
			FOUR_ROUNDS(b, t, 2);
		} else {
			FOUR_ROUNDS(a, t, 3);
			FOUR_ROUNDS(b, t, 3);
		}
	}
	a->e = _mm_sha1nexte_epu32(a->e, was_a.e);
	b->e = _mm_sha1nexte_epu32(b->e, was_b.e);
	a->abcd = _mm_add_epi32(a->abcd, was_a.abcd);
	b->abcd = _mm_add_epi32(b->abcd, was_b.abcd);
}

/* For the ends, where only one lane has something to do. */
TARGET static void add_alone(struct lane *l, const char *p, size_t chunks)
{
	for (; chunks > 0; chunks--, p += CHUNK) {
		struct lane was = *l;

		lane_load(l, p);
#pragma GCC unroll 20
		for (unsigned t = 0; t < 20; t++) {
			if (t < 5)
				FOUR_ROUNDS(l, t, 0);
			else if (t < 10)
				FOUR_ROUNDS(l, t, 1);
			else if (t < 15)
				FOUR_ROUNDS(l, t, 2);
			else
				FOUR_ROUNDS(l, t, 3);
		}
		l->e = _mm_sha1nexte_epu32(l->e, was.e);
		l->abcd = _mm_add_epi32(l->abcd, was.abcd);
	}
}

/* The last bytes, fewer than a chunk, the padding, and the length of all. */
TARGET static void lane_end(struct lane *l, struct str last, uint64_t bytes,
			    uint8_t ret[SHA1_BYTES])
{
	char end[2 * CHUNK] = { 0 };
	size_t chunks = last.n + 9 > CHUNK ? 2 : 1;
	uint64_t bits = htobe64(bytes * 8);
	uint32_t words[5];

	if (last.n)
		memcpy(end, last.p, last.n);
	end[last.n] = (char)0x80;
	memcpy(end + chunks * CHUNK - sizeof(bits), &bits, sizeof(bits));
	add_alone(l, end, chunks);
	words[0] = (uint32_t)_mm_extract_epi32(l->abcd, 3);
	words[1] = (uint32_t)_mm_extract_epi32(l->abcd, 2);
	words[2] = (uint32_t)_mm_extract_epi32(l->abcd, 1);
	words[3] = (uint32_t)_mm_extract_epi32(l->abcd, 0);
	words[4] = (uint32_t)_mm_extract_epi32(l->e, 3);
	for (unsigned i = 0; i < 5; i++)
		words[i] = htobe32(words[i]);
	memcpy(ret, words, SHA1_BYTES);
}

/*
 * The head, and as much of the body as fills its last chunk; returns how much that is,
 * or all of the body when it is too short for that.
 */
TARGET static size_t add_head(struct lane *l, struct str head, struct str body,
			      char *ret_last, size_t *ret_n)
{
	size_t whole = head.n / CHUNK, rest = head.n % CHUNK;
	size_t fill = rest ? MIN(CHUNK - rest, body.n) : 0;

	add_alone(l, head.p, whole);
	if (rest)
		memcpy(ret_last, head.p + whole * CHUNK, rest);
	if (fill)
		memcpy(ret_last + rest, body.p, fill);
	*ret_n = rest + fill;
	if (*ret_n == CHUNK) {
		add_alone(l, ret_last, 1);
		*ret_n = 0;
	}
	return fill;
}

TARGET void sha1_pair_ni(struct str head, struct str body, uint8_t ret_block[SHA1_BYTES],
			 uint8_t ret_payload[SHA1_BYTES])
{
	struct lane block, payload;
	char last[CHUNK];
	size_t n_last;

	lane_start(&block);
	lane_start(&payload);
	size_t skip = add_head(&block, head, body, last, &n_last);
	struct str rest = str_skip(body, skip);
	size_t both = rest.n / CHUNK, whole = body.n / CHUNK;

	for (size_t i = 0; i < both; i++) {
		lane_load(&block, rest.p + i * CHUNK);
		lane_load(&payload, body.p + i * CHUNK);
		add_chunks(&block, &payload);
	}
	if (n_last == 0) {
		struct str end = str_skip(rest, both * CHUNK);

		lane_end(&block, end, head.n + body.n, ret_block);
	} else {
		lane_end(&block, (struct str){ last, n_last }, head.n + body.n,
			 ret_block);
	}
	if (whole > both)
		add_alone(&payload, body.p + both * CHUNK, whole - both);
	lane_end(&payload, str_skip(body, whole * CHUNK), body.n, ret_payload);
}
#else
void sha1_pair_ni(struct str head, struct str body, uint8_t ret_block[SHA1_BYTES],
		  uint8_t ret_payload[SHA1_BYTES])
{
	(void)head, (void)body, (void)ret_block, (void)ret_payload;
	abort(); /* sha1_pair_has_ni() said no */
}
#endif
