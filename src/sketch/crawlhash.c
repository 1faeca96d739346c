#include <stdlib.h>
#include <string.h>

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

#define P1 31u
#define P2 (P1 * P1)
#define P4 (P2 * P2)
#define P8 (P4 * P4)

#define EACH(byte) ((byte)*UINT64_C(0x0101010101010101))

/* By code points. */
static struct hashed hash_unicode(struct str s)
{
	struct hashed h = { 0, 1 };

	while (s.n) {
		struct str before = s;
		uint32_t cp = utf8_take(&s);
		struct str one = str_slice(before, 0, before.n - s.n);

		h.hash = h.hash * (cp >= 0x10000 ? P2 : P1) + java_string_hash(one);
		h.power *= cp >= 0x10000 ? P2 : P1;
	}
	return h;
}

/* Of eight letters, the first in the lowest byte; zeros before the first add nothing. */
static inline uint32_t hash_eight(uint64_t x)
{
	const uint64_t even2 = UINT64_C(0x00ff00ff00ff00ff);
	const uint64_t even4 = UINT64_C(0x0000ffff0000ffff);
	uint64_t two = (x & even2) * P1 + (x >> 8 & even2);
	uint64_t four = (two & even4) * P2 + (two >> 16 & even4);

	return (uint32_t)four * P4 + (uint32_t)(four >> 32);
}

static inline uint64_t load_eight(const char *p)
{
	uint64_t x;

	memcpy(&x, p, 8);
	return x;
}

static const uint32_t powers[8] = { 1, P1, P2, P2 *P1, P4, P4 *P1, P4 *P2, P4 *P2 *P1 };

/* `readable`: bytes from its beginning on, so that eight can be loaded at once. */
static struct hashed hash_piece(struct str s, size_t readable)
{
	size_t first = s.n % 8;
	uint64_t x = 0, all;

	if (first && readable >= 8)
		x = load_eight(s.p) << 8 * (8 - first);
	else if (first)
		memcpy((char *)&x + 8 - first, s.p, first);
	struct hashed h = { hash_eight(x), powers[first] };
	all = x;
	for (size_t i = first; i < s.n; i += 8) {
		x = load_eight(s.p + i);
		all |= x;
		h.hash = h.hash * P8 + hash_eight(x);
		h.power *= P8;
	}
	return all & EACH(0x80) ? hash_unicode(s) : h;
}

/* How many bytes stand before the next white space. */
static size_t spaced_length(struct str s)
{
	size_t n = 0;

	for (; n + 8 <= s.n; n += 8) {
		uint64_t x = load_eight(s.p + n);
		uint64_t low = (x - EACH(0x21)) & ~x & EACH(0x80);

		if (!low)
			continue;
		/* The lowest one is below 0x21, which may be another control character.
		 */
		n += (size_t)__builtin_ctzll(low) / 8;
		if (ascii_is_space(s.p[n]))
			return n;
		break;
	}
	while (n < s.n && !ascii_is_space(s.p[n]))
		n++;
	return n;
}

static void split_spaced(struct str text, struct hashed_list *ret)
{
	while (text.n) {
		size_t len = spaced_length(text);

		if (len)
			VEC_ADD(ret->v, ret->n, ret->cap,
				hash_piece(str_slice(text, 0, len), text.n));
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
		VEC_ADD(ret->v, ret->n, ret->cap, hash_piece(buf_str(&one), one.n));
}

/*
 * How often each bit is set.  Seven hashes are counted in three words of one binary digit
 * each, every eighth carries into bytes that do not overflow.
 */
struct bit_counts {
	uint32_t ones, twos, fours;
	uint32_t waiting[8]; /* hashes that were not counted yet */
	unsigned n_waiting;
	uint64_t bytes[4]; /* of eight bits each, eights of hashes */
	uint32_t n;        /* in the bytes */
	uint64_t all[32];
};

static void bit_counts_flush(struct bit_counts *c)
{
	for (unsigned i = 0; i < 32; i++)
		c->all[i] += 8 * (c->bytes[i / LANES] >> 8 * (i % LANES) & 0xff);
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

/* Three bits of one value: their sum, and what is carried. */
static inline uint32_t add3(uint32_t *sum, uint32_t a, uint32_t b)
{
	uint32_t half = *sum ^ a, carry = (*sum & a) | (half & b);

	*sum = half ^ b;
	return carry;
}

static void bit_counts_carry(struct bit_counts *c)
{
	const uint32_t *w = c->waiting;
	uint32_t a = add3(&c->ones, w[0], w[1]), b = add3(&c->ones, w[2], w[3]);
	uint32_t d = add3(&c->ones, w[4], w[5]), e = add3(&c->ones, w[6], w[7]);
	uint32_t f = add3(&c->twos, a, b), g = add3(&c->twos, d, e);
	uint32_t eights = add3(&c->fours, f, g);

	for (unsigned k = 0; k < 4; k++)
		c->bytes[k] += spread_bits(eights >> 8 * k & 0xff);
	if (++c->n == UINT8_MAX)
		bit_counts_flush(c);
	c->n_waiting = 0;
}

static inline void bit_counts_add(struct bit_counts *c, uint32_t h)
{
	c->waiting[c->n_waiting++] = h;
	if (c->n_waiting == COUNT(c->waiting))
		bit_counts_carry(c);
}

/* Into `all`. */
static void bit_counts_end(struct bit_counts *c)
{
	bit_counts_flush(c);
	for (unsigned i = 0; i < 32; i++) {
		c->all[i] += (c->ones >> i & 1) + 2 * (c->twos >> i & 1) +
			     4 * (c->fours >> i & 1);
		for (unsigned k = 0; k < c->n_waiting; k++)
			c->all[i] += c->waiting[k] >> i & 1;
	}
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
	bit_counts_end(&c);
	for (unsigned b = 0; b < 32; b++)
		bits |= (uint32_t)(2 * c.all[b] > n) << b;
	free(l.v);
	if (ret_n)
		*ret_n = n;
	return bits;
}
