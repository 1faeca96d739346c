#include "sketch/exact.h"

#include "sketch/piece.h"

struct u128 payload_digest(struct str bytes)
{
	return hash128(bytes);
}

struct u128 text_digest(struct str text, size_t *ret_words)
{
	cleanup(buf_release) struct buf word = { 0 };
	struct u128 d = { PIECE_K0, PIECE_K1 };
	size_t n = 0;

	for (; piece_take(&text, PIECE_WORDS, &word); n++) {
		uint64_t h = piece_hash(buf_str(&word));

		d.lo = piece_mum(d.lo ^ h, PIECE_K0) + n;
		d.hi = hash_mix(d.hi + h) ^ d.lo;
	}
	if (ret_words)
		*ret_words = n;
	return d;
}
