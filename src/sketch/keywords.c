#include "sketch/keywords.h"

#include <libstemmer.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort.h"
#include "sketch/piece.h"

/* The commonest function words, folded, between spaces. */
static const struct {
	const char *language, *words;
} stop_words[] = {
	{ "en",
	  " a about after all also an and any are as at be been before but by can could "
	  "did do does for from had has have he her here him his how i if in into is it "
	  "its just like may me more most my no not now of on one only or other our out "
	  "over she should so some such than that the their them then there these they "
	  "this those through to too under up us very was we were what when where which "
	  "while who why will with would you your s t " },
	{ "de",
	  " aber als am an auch auf aus bei bis das dass dem den der des die du durch "
	  "ein "
	  "eine einem einen einer er es fur hat ich ihr im in ist ja man mit nach nicht "
	  "noch nur oder sich sie sind so uber um und uns vom von vor war was wenn wer "
	  "wie wir wird zu zum zur " },
	{ "fr",
	  " a au aux avec ce ces cette dans de des du elle en est et etre il ils je la "
	  "le "
	  "les leur lui mais meme ne nous on ou par pas pour plus qu que qui sa se ses "
	  "si son sont sur tout un une vous y d l s n c j " },
	{ "es",
	  " a al como con cual de del desde donde el ella en entre era es esa ese esta "
	  "este fue ha hay la las le les lo los mas me mi muy no nos o para pero por que "
	  "se ser si sin sobre son su sus tambien te todo un una y ya " },
	{ "it",
	  " a ad al alla anche che chi ci come con cui da dal dalla de degli dei del "
	  "della "
	  "di e ed era gli ha i il in io la le lo ma mi ne nel nella no non o per piu "
	  "quando quello questo se si sono su sua suo tra un una uno l d " },
	{ "pt",
	  " a ao as com como da das de do dos e ela ele em entre era essa esse esta este "
	  "eu foi ha isso ja la mais mas me na nao nas no nos o os ou para pela pelo por "
	  "que se sem ser seu sua tem um uma " },
	{ "nl",
	  " aan al als bij dan dat de der deze die dit door een en er had heb heeft het "
	  "hij "
	  "hoe ik in is je kan maar me met mijn naar niet nog of om ook op over te tot u "
	  "uit van voor was wat we wel werd wie wij zal ze zich zij zijn zo " },
	{ "ru",
	  " а без бы был была были было в вас во вот все всего вы да для до его ее ей "
	  "ему "
	  "если есть еще же за и из или им их к как ко когда кто ли мы на над не нет ни "
	  "но о об он она они оно от по под при с со так там то того тоже только у уже "
	  "что чтобы это я " },
};

static const char *stop_words_of(struct str language)
{
	for (size_t i = 0; i < COUNT(stop_words); i++)
		if (str_eq_nocase(language, str_from(stop_words[i].language)))
			return stop_words[i].words;
	return NULL;
}

static bool listed(const char *words, struct str word)
{
	char spaced[24];

	if (!words || word.n + 3 > sizeof(spaced))
		return false;
	spaced[0] = ' ';
	memcpy(spaced + 1, word.p, word.n);
	memcpy(spaced + 1 + word.n, " ", 2);
	return strstr(words, spaced) != NULL;
}

bool keywords_is_stop_word(struct str folded_word, struct str language)
{
	return listed(stop_words_of(language), folded_word);
}

static struct sb_stemmer *stemmer_for(struct str language)
{
	char code[16];

	if (language.n == 0 || language.n >= sizeof(code))
		return NULL;
	for (size_t i = 0; i < language.n; i++)
		code[i] = ascii_lower(language.p[i]);
	code[language.n] = '\0';
	return sb_stemmer_new(code, "UTF_8");
}

void keywords_release(struct keywords *k)
{
	free(k->v);
	intern_release(&k->words);
	*k = (struct keywords){ 0 };
}

static void count_word(struct keywords *k, struct str word)
{
	uint32_t id = intern_add(&k->words, word);

	if (id == k->n)
		VEC_ADD(k->v, k->n, k->cap,
			(struct keyword){ .word = intern_str(&k->words, id) });
	k->v[id].count++;
}

/*
 * Texts repeat their words: what became of one is kept a while, a thread its own.  Found
 * by 64 bits of a hash, so that one in 10^15 or so would take another's stem.
 */
#define STEMS      8192
#define STEM_BYTES 23
#define STEM_STOP  UINT8_MAX /* as the length: a stop word */

static _Thread_local struct stem {
	uint64_t word; /* with its language */
	uint8_t n;
	char p[STEM_BYTES];
} stems[STEMS];

struct stemming {
	struct sb_stemmer *stemmer; /* NULL: words stay as they are */
	const char *stop;
	uint64_t language;
};

static struct str stem_of(const struct stemming *s, struct str word)
{
	if (!s->stemmer || word.n >= 256)
		return word;
	const sb_symbol *stem =
		sb_stemmer_stem(s->stemmer, (const sb_symbol *)word.p, (int)word.n);
	return (struct str){ (const char *)stem, (size_t)sb_stemmer_length(s->stemmer) };
}

/* The stem; empty for a stop word.  Lives until the next call. */
static struct str find_stem(const struct stemming *s, struct str word)
{
	uint64_t key = piece_hash(word) ^ s->language;
	struct stem *slot = &stems[key % STEMS];

	if (slot->word == key && slot->n)
		return (struct str){ slot->p, slot->n == STEM_STOP ? 0 : slot->n };
	struct str stem = listed(s->stop, word) ? STR("") : stem_of(s, word);
	if (stem.n <= STEM_BYTES) {
		slot->word = key;
		slot->n = stem.n ? (uint8_t)stem.n : STEM_STOP;
		memcpy(slot->p, stem.p, stem.n);
	}
	return stem;
}

/* The first eight bytes, so that numbers sort as the words do. */
static uint64_t prefix_of(struct str word)
{
	uint64_t v = 0;

	for (size_t i = 0; i < 8; i++)
		v = v << 8 | (i < word.n ? (unsigned char)word.p[i] : 0);
	return v;
}

/* By the alphabet: by prefixes, then whole words among those of one prefix. */
static void sort_words(struct keyword *v, size_t n)
{
	struct sort_pair *pairs = xcalloc(2 * n + 1, sizeof(*pairs));
	struct keyword *old = xcalloc(n + 1, sizeof(*old));

	memcpy(old, v, n * sizeof(*v));
	for (size_t i = 0; i < n; i++)
		pairs[i] = (struct sort_pair){ prefix_of(v[i].word), i };
	sort_pairs(pairs, pairs + n, n);
	for (size_t i = 0; i < n; i++) {
		struct keyword k = old[pairs[i].value];
		size_t j = i;

		for (; j > 0 && pairs[j - 1].key == pairs[i].key &&
		       str_cmp(v[j - 1].word, k.word) > 0;
		     j--)
			v[j] = v[j - 1];
		v[j] = k;
	}
	free(pairs);
	free(old);
}

/* Most frequent first, then by the alphabet; few counts are many words'. */
static void sort_keywords(struct keyword *v, size_t n)
{
	struct sort_pair *pairs = xcalloc(2 * n + 1, sizeof(*pairs));
	struct keyword *old = xcalloc(n + 1, sizeof(*old));

	sort_words(v, n);
	memcpy(old, v, n * sizeof(*v));
	for (size_t i = 0; i < n; i++)
		pairs[i] = (struct sort_pair){ UINT32_MAX - v[i].count, i };
	sort_pairs(pairs, pairs + n, n);
	for (size_t i = 0; i < n; i++)
		v[i] = old[pairs[i].value];
	free(pairs);
	free(old);
}

void keywords_of(struct str text, struct str language, struct keywords *ret)
{
	cleanup(buf_release) struct buf word = { 0 };
	struct stemming s = { .stemmer = stemmer_for(language),
			      .stop = stop_words_of(language),
			      .language = hash64(language) };

	keywords_release(ret);
	while (piece_take(&text, PIECE_WORDS, &word)) {
		struct str w = find_stem(&s, buf_str(&word));

		if (w.n)
			count_word(ret, w);
	}
	if (s.stemmer)
		sb_stemmer_delete(s.stemmer);
	if (ret->n)
		sort_keywords(ret->v, ret->n);
}

size_t keywords_find(const struct keywords *k, struct str word)
{
	for (size_t i = 0; i < k->n; i++)
		if (str_eq(k->v[i].word, word))
			return i;
	return STR_NONE;
}
