#include "sketch/windows.h"

#include "base/hash.h"

#define WINDOW_WORDS 32 /* on either side, at most */

static void add_word(struct features *f, uint64_t hash, size_t distance)
{
	features_add(f, hash_mix(hash + FEATURE_WINDOWS), 1 / (1 + (double)distance));
}

/* Nearest last: the distance of a word is known when all are. */
static void add_before(struct features *f, struct str text, struct buf *word)
{
	uint64_t last[WINDOW_WORDS];
	size_t n = 0;

	for (; piece_take(&text, PIECE_WORDS, word); n++)
		last[n % WINDOW_WORDS] = piece_hash(buf_str(word));
	for (size_t d = 1; d <= MIN(n, (size_t)WINDOW_WORDS); d++)
		add_word(f, last[(n - d) % WINDOW_WORDS], d);
}

static void add_from(struct features *f, struct str text, size_t distance, size_t step,
		     struct buf *word)
{
	for (size_t i = 0; i < WINDOW_WORDS && piece_take(&text, PIECE_WORDS, word); i++)
		add_word(f, piece_hash(buf_str(word)), distance + i * step);
}

void windows_add(struct features *f, const struct str *v, size_t n)
{
	cleanup(buf_release) struct buf word = { 0 };

	for (size_t i = 0; i + 2 < n; i += 3) {
		add_before(f, v[i], &word);
		add_from(f, v[i + 1], 0, 0, &word);
		add_from(f, v[i + 2], 1, 1, &word);
	}
}
