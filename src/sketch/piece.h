/*
 * piece.h - text cut into the pieces that shingles are made of.
 *
 * A piece is a character, a word or a sentence, folded (case, accents, width)
 * so that writings of the same word meet.  Scripts without spaces (Han, kana,
 * Thai, Lao, Khmer, Burmese) give one piece a letter, with its marks: such a
 * text never becomes one long word.  Malformed UTF-8 separates.
 *
 * The hash of a piece goes to disk inside fingerprints and never changes.
 */
#ifndef SKETCH_PIECE_H
#define SKETCH_PIECE_H

#include <string.h>

#include "base/buf.h"

enum piece_kind {
	PIECE_CHARS,
	PIECE_WORDS,
	PIECE_SENTENCES,
	PIECE_SPACED, /* between white space, as written: what Crawljax calls words */
};

/* The first three, for the command line and for presets. */
#define PIECE_NAMES "chars|words|sentences"

/*
 * Consume up to the end of the next piece and put its folded text into
 * `ret_text` (replacing what was there).  False when nothing is left.
 */
bool piece_take(struct str *in, enum piece_kind kind, struct buf *ret_text);

#define PIECE_K0 0x9e3779b97f4a7c15u
#define PIECE_K1 0xd6e8feb86659fd93u

/* The two halves of the 128-bit product, folded: one multiplication mixes 16 bytes. */
static inline uint64_t piece_mum(uint64_t a, uint64_t b)
{
	unsigned __int128 m = (unsigned __int128)a * b;

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* The last 1 to 16 bytes of a piece, zero-padded in two words; `n` is the whole length.
 */
static inline uint64_t piece_hash_last(uint64_t h, uint64_t a, uint64_t b, size_t n)
{
	return piece_mum(a ^ PIECE_K0 ^ h, b ^ PIECE_K1 ^ (uint64_t)n << 56);
}

/* The hash of a piece longer than 16 bytes, 16 at a time. */
uint64_t piece_hash_long(const char *p, size_t n);

static inline uint64_t piece_hash(struct str s)
{
	uint64_t w[2] = { 0, 0 };

	if (s.n > 16)
		return piece_hash_long(s.p, s.n);
	memcpy(w, s.p, s.n);
	return piece_hash_last(0, w[0], w[1], s.n);
}

#define PIECE_PLAIN 64

/*
 * The next word if it is of ASCII letters and digits, between ASCII signs and shorter
 * than PIECE_PLAIN: its length, its letters in `ret`, its piece_hash().  0, and nothing
 * consumed, where it takes piece_take() to tell.
 */
size_t piece_take_plain(struct str *in, char ret[PIECE_PLAIN], uint64_t *ret_hash);

/*
 * A window of `size` pieces (1 to 63): rolled on by one piece, it gives the
 * hash of the shingle.  The order of the pieces matters.
 */
static inline uint64_t piece_rotl(uint64_t x, unsigned k)
{
	return k & 63 ? x << (k & 63) | x >> (64 - (k & 63)) : x;
}
static inline uint64_t shingle_finish(uint64_t window)
{
	return piece_mum(window ^ PIECE_K1, PIECE_K0);
}
#endif
