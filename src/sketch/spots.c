#include "sketch/spots.h"

#include "base/hash.h"
#include "sketch/keywords.h"

#define OPEN_MAX  64 /* spots that still want words; a text of nothing else drops some */
#define CHAIN_MAX 16

/*
 * Articles and the commonest verbs, as the paper's best sets: they stand in sentences.
 * Prepositions and conjunctions stand in menus, too ("contact and about").
 */
static const struct {
	const char *language, *words;
} spot_words[] = {
	{ "en", " a an the is are was were be been do does did has have had can will " },
	{ "de", " der die das dem den des ein eine einen einem einer ist sind war hat " },
	{ "fr", " le la les un une des du est sont a ont etait " },
	{ "es", " el la los las un una es son fue ha esta " },
	{ "it", " il lo la gli le un una uno e sono era ha " },
	{ "pt", " o a os as um uma e foi era tem ha " },
	{ "nl", " de het een is zijn was heeft had wordt " },
	{ "ru", " это был была было были есть в на не " },
};

static const char *words_of(struct str language)
{
	for (size_t i = 0; i < COUNT(spot_words); i++)
		if (str_eq_nocase(language, str_from(spot_words[i].language)))
			return spot_words[i].words;
	return spot_words[0].words;
}

static bool begins_spot(const char *words, struct str word)
{
	char spaced[16];

	if (word.n + 3 > sizeof(spaced))
		return false;
	spaced[0] = ' ';
	memcpy(spaced + 1, word.p, word.n);
	memcpy(spaced + 1 + word.n, " ", 2);
	return strstr(words, spaced) != NULL;
}

struct spot {
	uint64_t hash;
	unsigned left; /* words it still wants */
};

void spots_add(struct features *f, struct str text, struct str language, unsigned chain)
{
	cleanup(buf_release) struct buf word = { 0 };
	const char *begin = words_of(language);
	struct str stop_of = language.n ? language : STR("en");
	struct spot open[OPEN_MAX];
	size_t n = 0;

	chain = chain ? MIN(chain, (unsigned)CHAIN_MAX) : SPOT_CHAIN;
	while (piece_take(&text, PIECE_WORDS, &word)) {
		struct str w = buf_str(&word);
		uint64_t h = piece_hash(w);

		if (begins_spot(begin, w)) {
			if (n < OPEN_MAX)
				open[n++] = (struct spot){ hash_mix(h), chain };
			continue;
		}
		if (keywords_is_stop_word(w, stop_of))
			continue;
		size_t kept = 0;
		for (size_t i = 0; i < n; i++) {
			open[i].hash = hash_mix(open[i].hash + h);
			if (--open[i].left == 0)
				features_add(f, hash_mix(open[i].hash + FEATURE_SPOTS),
					     1);
			else
				open[kept++] = open[i];
		}
		n = kept;
	}
}
