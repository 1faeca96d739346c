#include <stdlib.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "sketch/simhash.h"

#define LANES 8

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

/* A piece: its hash, and 31 to the power of its length, by which what stands before it
 * is multiplied when the two run together. */
struct hashed {
	uint32_t hash, power;
};

struct hashed_list {
	struct hashed *v;
	size_t n, cap;
};

static struct hashed hash_piece(struct str s)
{
	struct hashed h = { 0, 1 };

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c >= 0x80) { /* seldom: by code points */
			struct str rest = str_skip(s, i), before = rest;
			uint32_t cp = utf8_take(&rest);
			struct str one = str_slice(before, 0, before.n - rest.n);

			h.hash = h.hash * (cp >= 0x10000 ? 961 : 31) +
				 java_string_hash(one);
			h.power *= cp >= 0x10000 ? 961 : 31;
			i += one.n - 1;
			continue;
		}
		h.hash = 31 * h.hash + c;
		h.power *= 31;
	}
	return h;
}

static void split_spaced(struct str text, struct hashed_list *ret)
{
	while (text.n) {
		size_t len = 0;

		while (len < text.n && !ascii_is_space(text.p[len]))
			len++;
		if (len)
			VEC_ADD(ret->v, ret->n, ret->cap,
				hash_piece(str_slice(text, 0, len)));
		text = str_skip(text, len + 1);
	}
}

static void split(struct str text, enum piece_kind piece, struct hashed_list *ret)
{
	cleanup(buf_release) struct buf one = { 0 };

	if (piece == PIECE_SPACED || piece == PIECE_WORDS) {
		split_spaced(text, ret);
		return;
	}
	while (piece_take(&text, piece, &one))
		VEC_ADD(ret->v, ret->n, ret->cap, hash_piece(buf_str(&one)));
}

/* How often each bit is set, eight bits at a time in bytes that do not overflow. */
struct bit_counts {
	uint64_t bytes[4]; /* of eight bits each */
	uint32_t n;        /* in the bytes */
	uint64_t all[32];
};

static void bit_counts_flush(struct bit_counts *c)
{
	for (unsigned i = 0; i < 32; i++)
		c->all[i] += c->bytes[i / LANES] >> 8 * (i % LANES) & 0xff;
	memset(c->bytes, 0, sizeof(c->bytes));
	c->n = 0;
}

/* Bit i of a byte to the lowest bit of byte i. */
static inline uint64_t spread_bits(uint32_t byte)
{
	uint64_t each =
		(byte * UINT64_C(0x0101010101010101)) & UINT64_C(0x8040201008040201);

	return ((each + UINT64_C(0x7f7f7f7f7f7f7f7f)) | each) >> 7 &
	       UINT64_C(0x0101010101010101);
}

static void bit_counts_add(struct bit_counts *c, uint32_t h)
{
	for (unsigned k = 0; k < 4; k++)
		c->bytes[k] += spread_bits(h >> 8 * k & 0xff);
	if (++c->n == UINT8_MAX)
		bit_counts_flush(c);
}

uint32_t crawlhash32(struct str text, enum piece_kind piece, unsigned size, size_t *ret_n)
{
	struct hashed_list l = { 0 };
	struct bit_counts c = { 0 };
	uint32_t bits = 0;

	split(text, piece, &l);
	size_t run = MIN(l.n, (size_t)size), n = l.n ? l.n - run + 1 : 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t h = 0;

		for (size_t k = i; k < i + run; k++)
			h = h * l.v[k].power + l.v[k].hash;
		bit_counts_add(&c, h);
	}
	bit_counts_flush(&c);
	for (unsigned b = 0; b < 32; b++)
		bits |= (uint32_t)(2 * c.all[b] > n) << b;
	free(l.v);
	if (ret_n)
		*ret_n = n;
	return bits;
}
