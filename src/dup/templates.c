#include "dup/templates.h"

#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort.h"

#define MAGIC STR("THRTPL2\n")
#define HERE_KEPT \
	4096 /* slots; clearing more for every page would cost more than making them */

void templates_release(struct templates *t)
{
	for (size_t i = 0; i < t->n; i++)
		map_release(&t->v[i].counts);
	free(t->v);
	map_release(&t->hosts);
	map_release(&t->here);
	buf_release(&t->plain);
	free(t->keys);
	*t = (struct templates){ 0 };
}

static struct host_template *host_of(struct templates *t, uint64_t host)
{
	bool fresh;
	uint64_t *at = map_add(&t->hosts, host, &fresh);

	if (fresh) {
		*at = t->n + 1;
		VEC_ADD(t->v, t->n, t->cap, (struct host_template){ .host = host });
	}
	return &t->v[*at - 1];
}

/*
 * Keep only blocks seen `least` times or more, all counts divided by `by`.  A host of
 * many pages comes here every few hundred: what is kept is gathered first and put back
 * into the same table, which is as large as it will soon be needed.
 */
static void shrink(struct host_template *h, uint64_t least, uint64_t by)
{
	struct map_slot *kept = NULL, slot;
	size_t n = 0, cap = 0, at = 0;

	while (map_next(&h->counts, &at, &slot))
		if (slot.value >= least)
			VEC_ADD(kept, n, cap, slot);
	map_reset(&h->counts);
	for (size_t i = 0; i < n; i++)
		*map_add(&h->counts, kept[i].key, NULL) = kept[i].value / by;
	free(kept);
	h->pages /= (uint32_t)by;
}

static void bound(struct host_template *h)
{
	if (h->pages >= TEMPLATE_AGE_PAGES)
		shrink(h, 2, 2);
	for (uint64_t least = 2; h->counts.n > TEMPLATE_BLOCKS; least++)
		shrink(h, least, 1);
}

#ifdef __SSE2__
/* Sixteen bytes in lower case; false, and any bytes, when there is a digit in them. */
static inline bool lower_16(const char *from, char *to)
{
	__m128i v = _mm_loadu_si128((const __m128i *)from);
	/* Shifted so that the range begins at the least number of all. */
	__m128i digits = _mm_cmplt_epi8(_mm_add_epi8(v, _mm_set1_epi8(128 - '0')),
					_mm_set1_epi8(-128 + 10));
	__m128i upper = _mm_cmplt_epi8(_mm_add_epi8(v, _mm_set1_epi8(128 - 'A')),
				       _mm_set1_epi8(-128 + 26));

	v = _mm_or_si128(v, _mm_and_si128(upper, _mm_set1_epi8(0x20)));
	_mm_storeu_si128((__m128i *)to, v);
	return _mm_movemask_epi8(digits) == 0;
}
#else
static inline bool lower_16(const char *from, char *to)
{
	bool digits = false;

	for (size_t i = 0; i < 16; i++) {
		to[i] = ascii_lower(from[i]);
		digits |= ascii_is_digit(from[i]);
	}
	return !digits;
}
#endif

/* Letters in lower case, every number as '0'; sixteen bytes at a time between numbers. */
static size_t add_plain(char *to, struct str s)
{
	char *q = to;
	size_t i = 0;

	while (i < s.n) {
		if (s.n - i >= 16 && lower_16(s.p + i, q)) {
			q += 16;
			i += 16;
			continue;
		}
		bool digit = ascii_is_digit(s.p[i]);
		*q++ = digit ? '0' : ascii_lower(s.p[i]);
		for (i++; digit && i < s.n && ascii_is_digit(s.p[i]);)
			i++;
	}
	return (size_t)(q - to);
}

static bool has_words(struct str s)
{
	unsigned letters = 0;

	for (size_t i = 0; i < s.n && letters < 3; i++)
		letters += ascii_is_alpha(s.p[i]) || (unsigned char)s.p[i] >= 0x80;
	return letters == 3;
}

/*
 * Blocks that differ only in digits (dates, counters) are the same block, unless
 * they are nothing but numbers: a price is content.
 */
static uint64_t block_hash(struct str block, struct buf *plain)
{
	buf_reset(plain);
	char *to = has_words(block) ? buf_reserve(plain, block.n) : NULL;

	return hash64(to ? (struct str){ to, add_plain(to, block) } : block);
}

static void see(struct templates *t, struct str host, const struct str *blocks, size_t n,
		bool learn, bool *ret_template)
{
	struct host_template *h = host_of(t, hash64(host));
	struct map_slot slot;
	size_t at = 0;

	if (t->here.cap > HERE_KEPT)
		map_release(&t->here);
	map_reset(&t->here);
	VEC_RESERVE(t->keys, t->cap_keys, n + 1);
	for (size_t i = 0; i < n; i++) {
		t->keys[i] = block_hash(blocks[i], &t->plain);
		map_fetch(&h->counts, t->keys[i]);
	}
	for (size_t i = 0; i < n; i++) {
		const uint64_t *count = map_find(&h->counts, t->keys[i]);

		ret_template[i] =
			h->pages >= TEMPLATE_MIN_PAGES && count && *count * 2 >= h->pages;
		if (learn)
			map_add(&t->here, t->keys[i], NULL);
	}
	if (!learn)
		return;
	t->blocks -= h->counts.n;
	while (map_next(&t->here, &at, &slot)) /* a block counts once a page */
		++*map_add(&h->counts, slot.key, NULL);
	h->pages++;
	bound(h);
	t->blocks += h->counts.n;
}

void templates_see(struct templates *t, struct str host, const struct str *blocks,
		   size_t n, bool *ret_template)
{
	see(t, host, blocks, n, true, ret_template);
}

void templates_mark(struct templates *t, struct str host, const struct str *blocks,
		    size_t n, bool *ret_template)
{
	see(t, host, blocks, n, false, ret_template);
}

static void encode_host(const struct host_template *h, struct buf *to)
{
	struct sort_pair *v = xcalloc(2 * h->counts.n + 1, sizeof(*v));
	struct map_slot slot;
	size_t n = 0, at = 0;

	while (map_next(&h->counts, &at, &slot))
		v[n++] = (struct sort_pair){ slot.key, slot.value };
	sort_pairs(v, v + h->counts.n, n);
	buf_add_u64(to, h->host);
	buf_add_varint(to, h->pages);
	buf_add_varint(to, n);
	for (size_t i = 0; i < n; i++) {
		buf_add_u64(to, v[i].key);
		buf_add_varint(to, v[i].value);
	}
	free(v);
}

void templates_encode(const struct templates *t, struct buf *to)
{
	size_t start = to->n;

	buf_add(to, MAGIC);
	buf_add_varint(to, t->n);
	for (size_t i = 0; i < t->n; i++)
		encode_host(&t->v[i], to);
	buf_add_u32(to, checksum32(str_skip(buf_str(to), start)));
}

static bool decode_host(struct str *in, struct templates *t)
{
	uint64_t host, pages, n, key, count;

	if (!str_take_u64(in, &host) || !str_take_varint(in, &pages) ||
	    pages > UINT32_MAX || !str_take_varint(in, &n) || map_find(&t->hosts, host))
		return false;
	struct host_template *h = host_of(t, host);
	h->pages = (uint32_t)pages;
	for (uint64_t i = 0; i < n; i++) {
		if (!str_take_u64(in, &key) || !str_take_varint(in, &count))
			return false;
		*map_add(&h->counts, key, NULL) = count;
	}
	t->blocks += h->counts.n;
	return true;
}

static bool decode(struct str in, struct templates *t)
{
	uint64_t n;

	if (!str_take_prefix(&in, MAGIC) || !str_take_varint(&in, &n))
		return false;
	for (uint64_t i = 0; i < n; i++)
		if (!decode_host(&in, t))
			return false;
	return in.n == 0;
}

enum status templates_decode(struct str in, struct templates *ret)
{
	struct str sum = str_skip(in, in.n < 4 ? 0 : in.n - 4);
	struct templates t = { 0 };
	uint32_t want;

	if (in.n < 4 || !str_take_u32(&sum, &want))
		return ST_CORRUPT;
	in = str_slice(in, 0, in.n - 4);
	if (checksum32(in) != want || !decode(in, &t)) {
		templates_release(&t);
		return ST_CORRUPT;
	}
	*ret = t;
	return ST_OK;
}
