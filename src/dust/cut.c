#include "dust/cut.h"

#include "base/hash.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static struct classes classify_bytes(const char *p, size_t n)
{
	struct classes c = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		uint8_t type = token_kinds[(uint8_t)p[i]] & 3;

		c.letters |= (uint64_t)(type == TOKEN_ALPHA) << i;
		c.digits |= (uint64_t)(type == TOKEN_NUMBER) << i;
	}
	return c;
}

#ifdef __SSE2__
static inline uint64_t is_within(__m128i bytes, char first, char width)
{
	__m128i x = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
	__m128i least = _mm_min_epu8(x, _mm_set1_epi8(width));

	return (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, least));
}

static inline struct classes classify_16(const char *p)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)p);

	return (struct classes){ is_within(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a',
					   'z' - 'a'),
				 is_within(bytes, '0', 9) };
}

/* What is left of less than sixteen is read with the bytes before. */
struct classes classify(const char *p, size_t n)
{
	struct classes c = { 0, 0 };
	size_t i = 0;

	if (n < 16)
		return classify_bytes(p, n);
	for (; i + 16 <= n; i += 16) {
		struct classes next = classify_16(p + i);

		c.letters |= next.letters << i;
		c.digits |= next.digits << i;
	}
	if (i < n) {
		struct classes last = classify_16(p + n - 16);

		c.letters |= last.letters >> (16 - (n - i)) << i;
		c.digits |= last.digits >> (16 - (n - i)) << i;
	}
	return c;
}
#else
struct classes classify(const char *p, size_t n)
{
	return classify_bytes(p, n);
}
#endif

/* A mark is itself; letters and digits are no marks. */
static inline uint8_t sign_of(char c)
{
	static const uint8_t keep[] = { 0xff, 0, 0 }, put[] = { 0, 'a', '0' };
	uint8_t type = token_kinds[(uint8_t)c] & 3;

	return (uint8_t)(((uint8_t)c & keep[type]) | put[type]);
}

bool cut_url(struct cut *c, struct str url)
{
	uint8_t signs[TOKENS_MAX];
	struct classes before = { 0, 0 };
	size_t n = 0;

	if (url.n > TOKENS_BYTES_MAX)
		return false;
	for (size_t from = 0; from < url.n; from += 64) {
		size_t most = MIN(url.n - from, (size_t)64);
		struct classes now = classify(url.p + from, most);
		/* A token goes on where a byte is of the class of the one before. */
		uint64_t begins = ~((now.letters & (now.letters << 1 | before.letters)) |
				    (now.digits & (now.digits << 1 | before.digits)));

		begins &= ~(uint64_t)0 >> (64 - most);
		if (n + (size_t)__builtin_popcountll(begins) > TOKENS_MAX)
			return false;
		for (; begins; begins &= begins - 1, n++) {
			size_t at = from + (size_t)__builtin_ctzll(begins);

			c->at[n] = (uint16_t)at;
			signs[n] = sign_of(url.p[at]);
		}
		before = (struct classes){ now.letters >> 63, now.digits >> 63 };
	}
	c->url = url;
	c->n = n;
	c->at[n] = (uint16_t)url.n;
	c->look = hash64((struct str){ (const char *)signs, n });
	return true;
}
