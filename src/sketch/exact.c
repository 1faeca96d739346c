#include "sketch/exact.h"

struct u128 payload_digest(struct str bytes)
{
	return hash128(bytes);
}

struct u128 text_digest(struct str text, size_t *ret_words)
{
	cleanup(buf_release) struct buf word = { 0 };
	struct u128 d = { 0, 0 };
	size_t n = 0;

	for (; piece_take(&text, PIECE_WORDS, &word); n++)
		text_digest_add(&d, piece_hash(buf_str(&word)), n);
	if (ret_words)
		*ret_words = n;
	return d;
}
