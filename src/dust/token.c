#include "dust/token.h"

#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/alloc.h"

/* Type in the low two bits, delimiter flags above; what is not listed is punctuation. */
#define KIND(type, delim) ((uint8_t)((type) | (delim) << 2))

static const uint8_t kind_of[256] = {
	['a' ... 'z'] = KIND(TOKEN_ALPHA, 0),
	['A' ... 'Z'] = KIND(TOKEN_ALPHA, 0),
	['0' ... '9'] = KIND(TOKEN_NUMBER, 0),
	['/'] = KIND(TOKEN_PUNCT, TOKEN_DELIM | TOKEN_COARSE),
	['?'] = KIND(TOKEN_PUNCT, TOKEN_DELIM | TOKEN_COARSE),
	['&'] = KIND(TOKEN_PUNCT, TOKEN_DELIM | TOKEN_COARSE),
	['#'] = KIND(TOKEN_PUNCT, TOKEN_DELIM | TOKEN_COARSE),
	['='] = KIND(TOKEN_PUNCT, TOKEN_DELIM),
	[';'] = KIND(TOKEN_PUNCT, TOKEN_DELIM),
	[':'] = KIND(TOKEN_PUNCT, TOKEN_DELIM),
	['.'] = KIND(TOKEN_PUNCT, TOKEN_DELIM),
};

#ifdef __SSE2__
static inline __m128i between(__m128i v, char first, char last)
{
	return _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8((char)(first - 1))),
			     _mm_cmplt_epi8(v, _mm_set1_epi8((char)(last + 1))));
}

/* The letters and the digits among 64 bytes. */
static inline void classify(const char *p, uint64_t *ret_alpha, uint64_t *ret_digit)
{
	uint64_t alpha = 0, digit = 0;

	for (unsigned i = 0; i < 64; i += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(p + i));
		__m128i lower = _mm_or_si128(v, _mm_set1_epi8(0x20));

		alpha |= (uint64_t)_mm_movemask_epi8(between(lower, 'a', 'z')) << i;
		digit |= (uint64_t)_mm_movemask_epi8(between(v, '0', '9')) << i;
	}
	*ret_alpha = alpha;
	*ret_digit = digit;
}

/* Where tokens begin: everywhere but where a letter follows a letter, or a digit a
 * digit. */
static size_t find_starts(struct str url, uint16_t *ret)
{
	uint64_t alpha, digit, alpha_before = 0, digit_before = 0;
	char last[64] = { 0 };
	size_t n = 0;

	for (size_t at = 0; at < url.n; at += 64) {
		const char *p = url.p + at;
		uint64_t within = ~(uint64_t)0;

		if (url.n - at < sizeof(last)) {
			p = memcpy(last, p, url.n - at);
			within = ((uint64_t)1 << (url.n - at)) - 1;
		}
		classify(p, &alpha, &digit);
		uint64_t goes_on = (alpha & (alpha << 1 | alpha_before)) |
				   (digit & (digit << 1 | digit_before));
		alpha_before = alpha >> 63;
		digit_before = digit >> 63;
		for (uint64_t starts = ~goes_on & within; starts; starts &= starts - 1)
			ret[n++] = (uint16_t)(at + (size_t)__builtin_ctzll(starts));
	}
	return n;
}
#else
static size_t find_starts(struct str url, uint16_t *ret)
{
	uint8_t before = TOKEN_PUNCT;
	size_t n = 0;

	for (size_t i = 0; i < url.n; i++) {
		uint8_t kind = kind_of[(uint8_t)url.p[i]];

		if (kind != before || (kind & 3) == TOKEN_PUNCT)
			ret[n++] = (uint16_t)i;
		before = kind;
	}
	return n;
}
#endif

enum status tokens_split(struct tokens *t, struct str url)
{
	uint16_t starts[TOKENS_BYTES_MAX + 1];

	t->n = 0;
	t->delims = t->coarse = 0;
	if (url.n > TOKENS_BYTES_MAX)
		return ST_TOO_LARGE;
	VEC_RESERVE(t->v, t->cap, TOKENS_MAX);
	size_t all = find_starts(url, starts), n = MIN(all, (size_t)TOKENS_MAX);
	starts[all] = (uint16_t)url.n;
	for (size_t i = 0; i < n; i++) {
		uint8_t kind = kind_of[(uint8_t)url.p[starts[i]]];

		if (kind >> 2 && i < 64) {
			t->delims |= (uint64_t)1 << i;
			t->coarse |= (uint64_t)(kind >> 3) << i;
		}
		t->v[i] = (struct token){ .p = url.p + starts[i],
					  .n = (uint16_t)(starts[i + 1] - starts[i]),
					  .type = kind & 3,
					  .delim = kind >> 2 };
	}
	t->n = n;
	return all > TOKENS_MAX ? ST_TOO_LARGE : ST_OK;
}

void tokens_release(struct tokens *t)
{
	free(t->v);
	*t = (struct tokens){ 0 };
}

bool token_eq_folded(struct token a, struct token b)
{
	if (a.type != TOKEN_ALPHA)
		return memcmp(a.p, b.p, a.n) == 0;
	/* Both are letters only, so one bit is all that case changes. */
	for (size_t i = 0; i < a.n; i++)
		if ((a.p[i] | 0x20) != (b.p[i] | 0x20))
			return false;
	return true;
}

/* Where the "//" of "scheme://" ends; 0 when there is none. */
static size_t after_scheme(struct str url)
{
	size_t i = 0, most = MIN(url.n, 24);

	if (str_starts(url, STR("http://")))
		return 7;
	if (str_starts(url, STR("https://")))
		return 8;
	while (i < most && url.p[i] != ':')
		i++;
	return i + 3 <= url.n && i < most && url.p[i + 1] == '/' && url.p[i + 2] == '/'
		       ? i + 3
		       : 0;
}

/* Where the host with its user and port ends; `from` is where it begins. */
static size_t origin_end(struct str url, size_t from, bool *ret_plain)
{
	static const uint8_t stops[256] = {
		['/'] = 1, ['?'] = 1, ['#'] = 1, ['@'] = 2, [':'] = 2
	};
	unsigned seen = 0;
	size_t i = from;

	for (; i < url.n; i++) {
		uint8_t stop = stops[(uint8_t)url.p[i]];

		if (stop == 1)
			break;
		seen |= stop;
	}
	*ret_plain = seen == 0;
	return i;
}

struct str dust_origin(struct str url)
{
	size_t from = after_scheme(url);
	bool plain;

	return str_slice(url, 0, from == 0 ? 0 : origin_end(url, from, &plain));
}

struct str dust_host(struct str url)
{
	size_t from = after_scheme(url);
	bool plain;

	if (from == 0)
		return (struct str){ "", 0 };
	struct str host = str_slice(url, from, origin_end(url, from, &plain));
	if (plain)
		return host;
	size_t user = str_rfind_char(host, '@');
	if (user != STR_NONE)
		host = str_skip(host, user + 1);
	size_t port = str_rfind_char(host, ':');
	if (port != STR_NONE && str_find_char(str_skip(host, port), ']') == STR_NONE)
		host = str_slice(host, 0, port);
	return host;
}
