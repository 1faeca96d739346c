#include "sketch/keywords.h"

#include <libstemmer.h>
#include <pthread.h>
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
	free(k->slots);
	arena_release(&k->bytes);
	*k = (struct keywords){ 0 };
}

/* The slot of a word, or the free one where it belongs; words are told by 64 bits. */
static size_t slot_of(const struct keywords *k, uint64_t hash)
{
	size_t mask = k->n_slots - 1, at = hash & mask;

	while (k->slots[at] && k->v[k->slots[at] - 1].hash != hash)
		at = (at + 1) & mask;
	return at;
}

static void grow_slots(struct keywords *k)
{
	free(k->slots);
	k->n_slots = k->n_slots ? 4 * k->n_slots : 1024;
	k->slots = xcalloc(k->n_slots, sizeof(*k->slots));
	for (size_t i = 0; i < k->n; i++)
		k->slots[slot_of(k, k->v[i].hash)] = (uint32_t)i + 1;
}

/* The place of a word in the table, with no count yet if it is new. */
static uint32_t place_of(struct keywords *k, struct str word, uint64_t hash)
{
	if (2 * k->n >= k->n_slots)
		grow_slots(k);
	size_t at = slot_of(k, hash);

	if (!k->slots[at]) {
		struct keyword new = { .word = arena_copy(&k->bytes, word),
				       .hash = hash };

		VEC_ADD(k->v, k->n, k->cap, new);
		k->slots[at] = (uint32_t)k->n;
	}
	return k->slots[at] - 1;
}

/*
 * Texts repeat their words: what became of one is kept a while, a thread its own, and
 * where it stands in the table of the text at hand.  Found by 64 bits of a hash, so that
 * one in 10^15 or so would take another's stem.  What each word needs is apart from what
 * only the first of a text does: it should stay in the nearest memory.
 */
#define STEMS      16384
#define STEM_BYTES 23
#define NO_PLACE   UINT32_MAX /* of a stop word */

struct word_memory {
	struct met {
		uint64_t word;  /* with its language; 0: none */
		uint32_t text;  /* number of the last text that had it */
		uint32_t place; /* in that text's table */
	} met[STEMS];
	struct stem {
		uint64_t hash;
		uint8_t n;
		char p[STEM_BYTES];
	} stems[STEMS];
	uint32_t texts;
};

/* Made when a thread first needs it: as a thread-local table it would be part of every
 * thread's stack. */
static pthread_key_t memory_key;
static pthread_once_t memory_once = PTHREAD_ONCE_INIT;

static void make_memory_key(void)
{
	if (pthread_key_create(&memory_key, free) != 0)
		abort();
}

static struct word_memory *memory_of_thread(void)
{
	pthread_once(&memory_once, make_memory_key);
	struct word_memory *m = pthread_getspecific(memory_key);

	if (!m) {
		m = NEW(struct word_memory);
		if (pthread_setspecific(memory_key, m) != 0)
			abort();
	}
	return m;
}

struct stemming {
	struct sb_stemmer *stemmer; /* NULL: words stay as they are */
	const char *stop;
	uint64_t language;
	uint32_t text;
	struct word_memory *memory;
};

static struct str stem_of(const struct stemming *s, struct str word)
{
	if (!s->stemmer || word.n >= 256)
		return word;
	const sb_symbol *stem =
		sb_stemmer_stem(s->stemmer, (const sb_symbol *)word.p, (int)word.n);
	return (struct str){ (const char *)stem, (size_t)sb_stemmer_length(s->stemmer) };
}

/* False when the stem is too long to be kept; then it is counted. */
static bool remember(const struct stemming *s, struct str word, struct met *m,
		     struct keywords *k)
{
	struct str stem = listed(s->stop, word) ? STR("") : stem_of(s, word);
	struct stem *kept = &s->memory->stems[m - s->memory->met];

	if (stem.n > STEM_BYTES) {
		uint32_t place = place_of(k, stem, hash64(stem)); /* may move the table */

		k->v[place].count++;
		return false;
	}
	m->place = stem.n ? 0 : NO_PLACE;
	m->text = 0;
	*kept = (struct stem){ .hash = hash64(stem), .n = (uint8_t)stem.n };
	memcpy(kept->p, stem.p, stem.n);
	return true;
}

static void count_word(const struct stemming *s, struct str word, uint64_t hash,
		       struct keywords *k)
{
	uint64_t key = (hash ^ s->language) | 1; /* never 0 */
	struct met *m = &s->memory->met[(key >> 1) % STEMS];

	if (m->word != key) {
		m->word = 0;
		if (!remember(s, word, m, k))
			return;
		m->word = key;
	}
	if (m->place == NO_PLACE)
		return;
	if (m->text != s->text) {
		const struct stem *kept = &s->memory->stems[m - s->memory->met];

		m->place = place_of(k, (struct str){ kept->p, kept->n }, kept->hash);
		m->text = s->text;
	}
	k->v[m->place].count++;
}

/* Numbers of texts come round after four thousand millions: then nothing was met. */
static uint32_t next_text(struct word_memory *m)
{
	if (++m->texts == 0) {
		memset(m->met, 0, sizeof(m->met));
		m->texts = 1;
	}
	return m->texts;
}

#define RANK_BYTES 6 /* of a word, beside its count */
#define RANK_COUNT UINT16_MAX

/* Most frequent first, then by the alphabet, as far as 64 bits can tell. */
static uint64_t rank_of(const struct keyword *k)
{
	uint64_t v = RANK_COUNT - MIN(k->count, (uint32_t)RANK_COUNT);

	for (size_t i = 0; i < RANK_BYTES; i++)
		v = v << 8 | (i < k->word.n ? (unsigned char)k->word.p[i] : 0);
	return v;
}

static bool stands_before(const struct keyword *a, const struct keyword *b)
{
	return a->count != b->count ? a->count > b->count : str_cmp(a->word, b->word) < 0;
}

/* By ranks, then by the whole among those of one rank. */
static void sort_keywords(struct keyword *v, size_t n)
{
	struct sort_pair *pairs = xcalloc(2 * n + 1, sizeof(*pairs));
	struct keyword *old = xcalloc(n + 1, sizeof(*old));

	memcpy(old, v, n * sizeof(*v));
	for (size_t i = 0; i < n; i++)
		pairs[i] = (struct sort_pair){ rank_of(&v[i]), i };
	sort_pairs(pairs, pairs + n, n);
	for (size_t i = 0; i < n; i++) {
		struct keyword k = old[pairs[i].value];
		size_t j = i;

		for (; j > 0 && pairs[j - 1].key == pairs[i].key &&
		       stands_before(&k, &v[j - 1]);
		     j--)
			v[j] = v[j - 1];
		v[j] = k;
	}
	free(pairs);
	free(old);
}

void keywords_of(struct str text, struct str language, struct keywords *ret)
{
	cleanup(buf_release) struct buf word = { 0 };
	struct word_memory *memory = memory_of_thread();
	struct stemming s = { .stemmer = stemmer_for(language),
			      .stop = stop_words_of(language),
			      .language = hash64(language),
			      .text = next_text(memory),
			      .memory = memory };

	keywords_release(ret);
	while (text.n) {
		char plain[PIECE_PLAIN];
		uint64_t hash;
		size_t n = piece_take_plain(&text, plain, &hash);

		if (n) {
			count_word(&s, (struct str){ plain, n }, hash, ret);
			continue;
		}
		if (!piece_take(&text, PIECE_WORDS, &word))
			break;
		count_word(&s, buf_str(&word), piece_hash(buf_str(&word)), ret);
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
