#include <stdlib.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "sketch/simhash.h"

uint32_t java_string_hash(struct str utf8)
{
	uint32_t h = 0;

	while (utf8.n) {
		uint32_t cp = utf8_take(&utf8);

		if (cp >= 0x10000) { /* two UTF-16 units */
			h = 31 * h + 0xd800 + ((cp - 0x10000) >> 10);
			cp = 0xdc00 + ((cp - 0x10000) & 0x3ff);
		}
		h = 31 * h + cp;
	}
	return h;
}

static uint32_t hash_run(const struct str *words, size_t n, struct buf *joined)
{
	buf_reset(joined);
	for (size_t i = 0; i < n; i++)
		buf_add(joined, words[i]);
	return java_string_hash(buf_str(joined));
}

static size_t split(struct str text, struct str **ret)
{
	size_t n = 0, cap = 0;

	while (text.n) {
		size_t len = 0;

		while (len < text.n && !ascii_is_space(text.p[len]))
			len++;
		if (len)
			VEC_ADD(*ret, n, cap, str_slice(text, 0, len));
		text = str_skip(text, len + 1);
	}
	return n;
}

uint32_t crawlhash32(struct str text, unsigned size)
{
	cleanup(buf_release) struct buf joined = { 0 };
	struct str *words = NULL;
	size_t n = split(text, &words);
	size_t run = MIN(n, (size_t)size);
	int32_t sum[32] = { 0 };
	uint32_t bits = 0;

	for (size_t i = 0; n && i + run <= n; i++) {
		uint32_t h = hash_run(words + i, run, &joined);

		for (unsigned b = 0; b < 32; b++)
			sum[b] += h >> b & 1 ? 1 : -1;
	}
	for (unsigned b = 0; b < 32; b++)
		bits |= (uint32_t)(sum[b] > 0) << b;
	free(words);
	return bits;
}
