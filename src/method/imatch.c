#include "method/imatch.h"

#include "base/hash.h"
#include "sketch/keywords.h"

#define MIN_LETTERS 4

static bool has_digit(struct str word)
{
	for (size_t i = 0; i < word.n; i++)
		if (ascii_is_digit(word.p[i]))
			return true;
	return false;
}

static bool in_lexicon(struct str word, struct str language, const struct idf *idf)
{
	if (word.n < MIN_LETTERS || has_digit(word) ||
	    keywords_is_stop_word(word, language.n ? language : STR("en")))
		return false;
	if (!idf || idf->documents < 10)
		return true;
	double rarity = idf_of(idf, hash64_seeded(word, FEATURE_KEYWORDS));
	double rarest = idf_of(idf, 0);

	/* The middle of the scale; words seen nowhere else are typing errors and names.
	 */
	return rarity > 0.2 * rarest && rarity < 0.95 * rarest;
}

static bool dropped(uint64_t word, unsigned lexicon)
{
	return lexicon > 0 && hash_mix(word + lexicon) % 3 == 0;
}

size_t imatch_make(const struct document *doc, const struct feature_options *how,
		   struct buf *to)
{
	cleanup(features_release) struct features words = { 0 };
	cleanup(buf_release) struct buf word = { 0 };
	struct str in = doc->text;

	while (piece_take(&in, PIECE_WORDS, &word))
		if (in_lexicon(buf_str(&word), doc->language, how->idf))
			features_add(&words, piece_hash(buf_str(&word)), 1);
	features_finish(&words, WEIGHT_SET, NULL);
	for (unsigned l = 0; l < IMATCH_LEXICONS; l++) {
		uint64_t signature = l;

		for (size_t i = 0; i < words.n; i++)
			if (!dropped(words.v[i].hash, l))
				signature = hash_mix(signature ^ words.v[i].hash);
		buf_add_u64(to, signature);
	}
	return words.n;
}

bool imatch_valid(struct str payload)
{
	return payload.n == 8 * IMATCH_LEXICONS;
}

double imatch_measure(struct str a, struct str b)
{
	unsigned equal = 0;

	for (unsigned i = 0; i < IMATCH_LEXICONS; i++)
		equal += payload_u64(a, i) == payload_u64(b, i);
	return equal;
}
