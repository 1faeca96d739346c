#include "sketch/text_sketch_impl.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define STEP   64

/* Lower-case `v`; returns a mask of its letters and digits. */
TARGET static inline uint32_t classify(__m256i v, __m256i *ret_lower)
{
	__m256i upper = _mm256_and_si256(_mm256_cmpgt_epi8(v, _mm256_set1_epi8('A' - 1)),
					 _mm256_cmpgt_epi8(_mm256_set1_epi8('Z' + 1), v));
	__m256i low = _mm256_or_si256(v, _mm256_and_si256(upper, _mm256_set1_epi8(0x20)));
	__m256i letter =
		_mm256_and_si256(_mm256_cmpgt_epi8(low, _mm256_set1_epi8('a' - 1)),
				 _mm256_cmpgt_epi8(_mm256_set1_epi8('z' + 1), low));
	__m256i digit = _mm256_and_si256(_mm256_cmpgt_epi8(v, _mm256_set1_epi8('0' - 1)),
					 _mm256_cmpgt_epi8(_mm256_set1_epi8('9' + 1), v));

	*ret_lower = low;
	return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(letter, digit));
}

/* The hash of the `n` bytes at `p`, of which 16 more can be read. */
TARGET static inline uint64_t hash_word(const char *p, unsigned n)
{
	uint64_t a, b;

	if (__builtin_expect(n > 16, 0))
		return piece_hash_long(p, n);
	memcpy(&a, p, 8);
	memcpy(&b, p + 8, 8);
	/* bzhi leaves all bits from 64 on, so 8 and more bytes of `a` stay whole */
	a = _bzhi_u64(a, n * 8);
	b = n > 8 ? _bzhi_u64(b, n * 8 - 64) : 0;
	return piece_hash_last(0, a, b, n);
}

/*
 * Put the hashes of the words that end within the 64 bytes at `p` behind `*out`
 * (32 at most); returns where to go on: at the start of a word that does not
 * end here, or after the last byte.
 */
TARGET static inline const char *take_block(const char *p, uint64_t **out)
{
	char lower[STEP + 32];
	__m256i v0 = _mm256_loadu_si256((const __m256i *)p);
	__m256i v1 = _mm256_loadu_si256((const __m256i *)(p + 32));
	uint64_t high = (uint32_t)_mm256_movemask_epi8(v0) |
			(uint64_t)(uint32_t)_mm256_movemask_epi8(v1) << 32;
	__m256i l0, l1;
	uint64_t in = classify(v0, &l0) | (uint64_t)classify(v1, &l1) << 32;
	unsigned usable = high ? (unsigned)__builtin_ctzll(high) : STEP;

	_mm256_storeu_si256((__m256i *)lower, l0);
	_mm256_storeu_si256((__m256i *)(lower + 32), l1);
	while (in) {
		unsigned start = (unsigned)__builtin_ctzll(in);
		uint64_t rest = ~in >> start; /* zeros as long as the word goes on */
		unsigned n = rest ? (unsigned)__builtin_ctzll(rest) : STEP - start;

		if (start + n >=
		    usable) /* goes on past the block, or meets a non-ASCII byte */
			return p + MIN(start, usable);
		*(*out)++ = hash_word(lower + start, n);
		in &= ~(uint64_t)0 << (start + n);
	}
	return p + usable;
}

TARGET void text_sketch_avx2(struct str text, unsigned size, struct text_sketch *ret,
			     struct hash_list *shingles)
{
	const char *p = text.p, *end = text.p + text.n;
	struct word_batch b;
	uint64_t *out;

	word_batch_init(&b, size, ret, shingles);
	out = b.v + HISTORY;
	while (end - p >= STEP) {
		const char *next = take_block(p, &out);

		b.n = (size_t)(out - b.v - HISTORY);
		if (next ==
		    p) /* a long word, or one outside ASCII: a word the plain way */
			next = word_batch_add_scalar(
				&b, (struct str){ p, (size_t)(end - p) }, p + 1);
		if (b.n > BATCH - STEP / 2)
			word_batch_flush(&b);
		out = b.v + HISTORY + b.n;
		p = next;
	}
	word_batch_add_scalar(&b, (struct str){ p, (size_t)(end - p) }, end);
	word_batch_finish(&b);
}
#else
void text_sketch_avx2(struct str text, unsigned size, struct text_sketch *ret,
		      struct hash_list *shingles)
{
	text_sketch_scalar(text, size, ret, shingles);
}
#endif
