#include "align/tokenize_fast.h"

#include "base/hash.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* What stands for a byte in the shape: a mark for itself, since letters and digits are no
 * marks. */
static inline uint8_t sign_of(char c)
{
	static const uint8_t keep[] = { 0xff, 0, 0 }, put[] = { 0, 'a', '0' };
	uint8_t type = token_kinds[(uint8_t)c] & 3;

	return (uint8_t)(((uint8_t)c & keep[type]) | put[type]);
}

static struct classes classify_bytes(const char *p, size_t n, uint8_t *signs)
{
	struct classes c = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		uint8_t type = token_kinds[(uint8_t)p[i]] & 3;

		c.letters |= (uint64_t)(type == TOKEN_ALPHA) << i;
		c.digits |= (uint64_t)(type == TOKEN_NUMBER) << i;
		if (signs)
			signs[i] = sign_of(p[i]);
	}
	return c;
}

#ifdef __SSE2__
static inline __m128i is_within(__m128i bytes, char first, char width)
{
	__m128i x = _mm_sub_epi8(bytes, _mm_set1_epi8(first));

	return _mm_cmpeq_epi8(x, _mm_min_epu8(x, _mm_set1_epi8(width)));
}

static inline struct classes classify_16(const char *p, uint8_t *signs)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)p);
	__m128i lower = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
	__m128i letters = is_within(lower, 'a', 'z' - 'a');
	__m128i digits = is_within(bytes, '0', 9);

	if (signs) {
		__m128i marks = _mm_andnot_si128(_mm_or_si128(letters, digits), bytes);
		__m128i words = _mm_or_si128(_mm_and_si128(letters, _mm_set1_epi8('a')),
					     _mm_and_si128(digits, _mm_set1_epi8('0')));

		_mm_storeu_si128((__m128i *)signs, _mm_or_si128(marks, words));
	}
	return (struct classes){ (unsigned)_mm_movemask_epi8(letters),
				 (unsigned)_mm_movemask_epi8(digits) };
}

/* What is left of less than sixteen is read with the bytes before. */
static inline struct classes classify_into(const char *p, size_t n, uint8_t *signs)
{
	struct classes c = { 0, 0 };
	size_t i = 0;

	if (n < 16)
		return classify_bytes(p, n, signs);
	for (; i + 16 <= n; i += 16) {
		struct classes next = classify_16(p + i, signs ? signs + i : NULL);

		c.letters |= next.letters << i;
		c.digits |= next.digits << i;
	}
	if (i < n) {
		struct classes last =
			classify_16(p + n - 16, signs ? signs + n - 16 : NULL);

		c.letters |= last.letters >> (16 - (n - i)) << i;
		c.digits |= last.digits >> (16 - (n - i)) << i;
	}
	return c;
}
#else
static inline struct classes classify_into(const char *p, size_t n, uint8_t *signs)
{
	return classify_bytes(p, n, signs);
}
#endif

/* So many bytes before `from` are taken along, since sixteen are read at once. */
static inline size_t taken_along(size_t from, size_t n)
{
	return n < 16 && from + n >= 16 ? 16 - n : 0;
}

struct classes classify(struct str text, size_t from, size_t n)
{
	size_t more = taken_along(from, n);
	struct classes c = classify_into(text.p + from - more, n + more, NULL);

	return (struct classes){ c.letters >> more, c.digits >> more };
}

bool tokenize_fast(struct fast_tokens *c, struct str url)
{
	uint8_t signs[TOKENS_MAX], of_bytes[64];
	struct classes before = { 0, 0 };
	size_t n = 0;

	if (url.n > TOKENS_BYTES_MAX)
		return false;
	for (size_t from = 0; from < url.n; from += 64) {
		size_t most = MIN(url.n - from, (size_t)64),
		       more = taken_along(from, most);
		struct classes now =
			classify_into(url.p + from - more, most + more, of_bytes);
		uint64_t begins;

		now = (struct classes){ now.letters >> more, now.digits >> more };
		begins = token_begins(now, &before, most);
		if (n > TOKENS_MAX - 64 &&
		    n + (size_t)__builtin_popcountll(begins) > TOKENS_MAX)
			return false;
		for (; begins; begins &= begins - 1, n++) {
			size_t at = (size_t)__builtin_ctzll(begins);

			c->at[n] = (uint16_t)(from + at);
			signs[n] = of_bytes[more + at];
		}
	}
	c->url = url;
	c->n = n;
	c->at[n] = (uint16_t)url.n;
	c->shape = hash64((struct str){ (const char *)signs, n });
	return true;
}
