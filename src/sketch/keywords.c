#include "sketch/keywords.h"

#include <libstemmer.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
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

static int by_count(const void *a, const void *b)
{
	const struct keyword *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return str_cmp(x->word, y->word);
}

static void count_word(struct keywords *k, struct str word)
{
	uint32_t id = intern_add(&k->words, word);

	if (id == k->n)
		VEC_ADD(k->v, k->n, k->cap,
			(struct keyword){ .word = intern_str(&k->words, id) });
	k->v[id].count++;
}

void keywords_of(struct str text, struct str language, struct keywords *ret)
{
	cleanup(buf_release) struct buf word = { 0 };
	struct sb_stemmer *stemmer = stemmer_for(language);
	const char *stop = stop_words_of(language);

	keywords_release(ret);
	while (piece_take(&text, PIECE_WORDS, &word)) {
		struct str w = buf_str(&word);

		if (listed(stop, w))
			continue;
		if (stemmer && w.n < 256) {
			const sb_symbol *stem = sb_stemmer_stem(
				stemmer, (const sb_symbol *)w.p, (int)w.n);

			w = (struct str){ (const char *)stem,
					  (size_t)sb_stemmer_length(stemmer) };
		}
		count_word(ret, w);
	}
	if (stemmer)
		sb_stemmer_delete(stemmer);
	if (ret->n)
		qsort(ret->v, ret->n, sizeof(*ret->v), by_count);
}

void keywords_add(struct keywords *k, struct str word, uint32_t count)
{
	VEC_ADD(k->v, k->n, k->cap, (struct keyword){ word, count });
}

size_t keywords_find(const struct keywords *k, struct str word)
{
	for (size_t i = 0; i < k->n; i++)
		if (str_eq(k->v[i].word, word))
			return i;
	return STR_NONE;
}
