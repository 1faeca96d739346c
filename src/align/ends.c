#include "align/ends.h"

static size_t common_first(struct str a, struct str b, size_t most)
{
	size_t n = 0;

	for (; n + 8 <= most; n += 8) {
		uint64_t x, y;

		memcpy(&x, a.p + n, 8), memcpy(&y, b.p + n, 8);
		if (x != y)
			return n + (unsigned)__builtin_ctzll(x ^ y) / 8;
	}
	while (n < most && a.p[n] == b.p[n])
		n++;
	return n;
}

/* Bits that differ are looked for under `mask`, which repeats one byte. */
static size_t common_last(struct str a, struct str b, size_t most, uint64_t mask)
{
	const char *x = a.p + a.n, *y = b.p + b.n;
	size_t n = 0;

	for (; n + 8 <= most; n += 8) {
		uint64_t u, v;

		memcpy(&u, x - n - 8, 8), memcpy(&v, y - n - 8, 8);
		if ((u ^ v) & mask)
			return n + (unsigned)__builtin_clzll((u ^ v) & mask) / 8;
	}
	while (n < most && !((x[-1 - (ptrdiff_t)n] ^ y[-1 - (ptrdiff_t)n]) & (char)mask))
		n++;
	return n;
}

#define EXACTLY      (~(uint64_t)0)
#define WITHOUT_CASE ((uint64_t)0xdfdfdfdfdfdfdfdf)

static size_t shortest(const struct str *urls, size_t n)
{
	size_t least = urls[0].n;

	for (size_t i = 1; i < n; i++)
		least = MIN(least, urls[i].n);
	return least;
}

/* The longest end that any two share, but for case: alignment gives that to the last
 * end before it looks at the first one. */
static size_t longest_shared_last(const struct str *urls, size_t n)
{
	size_t longest = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			longest = MAX(longest, common_last(urls[i], urls[j],
							   MIN(urls[i].n, urls[j].n),
							   WITHOUT_CASE));
	return longest;
}

/* Down to behind the last delimiter but one. */
static size_t cut_first(struct str url, size_t n)
{
	for (unsigned delimiters = 0; n > 0; n--)
		if (is_delimiter_byte(url.p[n - 1]) && ++delimiters == 2)
			return n;
	return 0;
}

static size_t cut_last(struct str url, size_t n)
{
	while (n > 0 && !is_delimiter_byte(url.p[url.n - n]))
		n--;
	return n;
}

struct ends common_ends(const struct str *urls, size_t n)
{
	size_t least = shortest(urls, n);
	size_t shared = longest_shared_last(urls, n);
	struct ends e = { least - MIN(least, shared), least };

	for (size_t i = 0; i < n; i++)
		if (urls[i].n > ENDS_BYTES_MAX)
			return (struct ends){ 0 };
	for (size_t i = 1; i < n; i++) {
		e.first = common_first(urls[0], urls[i], e.first);
		e.last = common_last(urls[0], urls[i], e.last, EXACTLY);
	}
	e.first = cut_first(urls[0], e.first);
	e.last = cut_last(urls[0], MIN(e.last, least - e.first));
	return e;
}
