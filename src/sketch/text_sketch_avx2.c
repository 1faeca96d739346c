#include "sketch/text_sketch_impl.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
/* GCC would gather what is stored in vector registers first, which takes longer. */
#if defined(__clang__) /* which leaves the loop below as it is by itself */
#define ONE_BY_ONE
#else
#define ONE_BY_ONE __attribute__((optimize("no-tree-slp-vectorize")))
#endif
#define STEP  64
#define CHUNK 1024 /* bytes; gives at most half as many words */

_Static_assert(CHUNK / 2 <= BATCH / 2, "the words of a chunk fit behind half a batch");

/* A piece of text lower-cased, and where its words begin and end, by turns. */
struct chunk {
	char lower[CHUNK + 32];
	uint16_t edges[CHUNK + STEP];
	size_t n;
};

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
	/* lengths come in no order: a mask costs less than a branch guessed wrong */
	b = _bzhi_u64(b, (n * 8 - 64) & -(unsigned)(n > 8));
	return piece_hash_last(0, a, b, n);
}

/* The places of the bits, from `at` on.  Writes 24 without asking: blocks have as many.
 */
TARGET ONE_BY_ONE static uint16_t *add_places(uint64_t bits, size_t at, uint16_t *to)
{
	uint16_t *end = to + _mm_popcnt_u64(bits);

#pragma GCC unroll 24
	for (int i = 0; i < 24; i++, bits = _blsr_u64(bits))
		*to++ = (uint16_t)(at + _tzcnt_u64(bits));
	for (; bits; bits = _blsr_u64(bits))
		*to++ = (uint16_t)(at + _tzcnt_u64(bits));
	return end;
}

/* One block of 64 bytes: its word bytes as a mask; `*ret_high` those outside ASCII. */
TARGET static inline uint64_t scan_block(const char *p, char *lower, uint64_t *ret_high)
{
	__m256i v0 = _mm256_loadu_si256((const __m256i *)p), l0;
	__m256i v1 = _mm256_loadu_si256((const __m256i *)(p + 32)), l1;
	uint64_t in = classify(v0, &l0) | (uint64_t)classify(v1, &l1) << 32;

	*ret_high = (uint32_t)_mm256_movemask_epi8(v0) |
		    (uint64_t)(uint32_t)_mm256_movemask_epi8(v1) << 32;
	_mm256_storeu_si256((__m256i *)lower, l0);
	_mm256_storeu_si256((__m256i *)(lower + 32), l1);
	return in;
}

/* A word that touches the end of what was read may go on: leave it for later. */
static size_t cut_back(struct chunk *c, size_t end)
{
	if (c->n % 2)
		return c->edges[--c->n];
	if (c->n && c->edges[c->n - 1] == end) {
		c->n -= 2;
		return c->edges[c->n];
	}
	return end;
}

/*
 * The words of the first bytes of `p`, up to the chunk's size, the first byte
 * outside ASCII, or the end.  Returns how many bytes are done with; none when
 * the first word is not plain ASCII or longer than a chunk.
 */
TARGET static size_t scan_chunk(const char *p, size_t n, struct chunk *c)
{
	char last[STEP];
	uint64_t before = 0, high = 0;
	uint16_t *edge = c->edges;
	size_t at = 0, size = MIN(n, CHUNK);

	for (; at < size && !high; at += STEP) {
		const char *from = p + at;

		if (size - at < STEP) {
			memset(last, ' ', sizeof(last));
			memcpy(last, from, size - at);
			from = last;
		}
		uint64_t in = scan_block(from, c->lower + at, &high);
		if (high) {
			size = at + (size_t)__builtin_ctzll(high);
			in = _bzhi_u64(in, (unsigned)(size - at));
		}
		edge = add_places(in ^ (in << 1 | before), at, edge);
		before = in >> 63;
	}
	c->n = (size_t)(edge - c->edges);
	if (high || size < n)
		return cut_back(c, size);
	if (c->n % 2)
		c->edges[c->n++] = (uint16_t)size;
	return size;
}

TARGET static inline void hash_words(const struct chunk *c, struct word_batch *b)
{
	uint64_t *out = b->v + HISTORY + b->n;

	for (size_t i = 0; i < c->n; i += 2)
		*out++ = hash_word(c->lower + c->edges[i],
				   (unsigned)(c->edges[i + 1] - c->edges[i]));
	b->n += c->n / 2;
}

TARGET void text_sketch_avx2(struct str text, unsigned size, struct text_sketch *ret,
			     struct hash_list *shingles)
{
	const char *p = text.p, *end = text.p + text.n;
	struct word_batch b;
	struct chunk c;
	size_t slow = 1; /* how far to go the plain way where the fast one is stuck */

	word_batch_init(&b, size, ret, shingles);
	while (p < end) {
		size_t n = scan_chunk(p, (size_t)(end - p), &c);

		hash_words(&c, &b);
		if (b.n > BATCH / 2)
			flush_words(&b);
		p += n;
		slow = n > STEP ? 1 : MIN(slow * 2, (size_t)CHUNK);
		if (n >= CHUNK - STEP || p == end)
			continue;
		p = word_batch_add_scalar(&b, (struct str){ p, (size_t)(end - p) },
					  p + MIN(slow, (size_t)(end - p)));
		if (b.n > BATCH / 2)
			flush_words(&b);
	}
	flush_words(&b);
	word_batch_finish(&b);
}
#else
void text_sketch_avx2(struct str text, unsigned size, struct text_sketch *ret,
		      struct hash_list *shingles)
{
	text_sketch_scalar(text, size, ret, shingles);
}
#endif
