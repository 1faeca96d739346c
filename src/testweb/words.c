#include "testweb/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"

/* Keywords of the languages without a list of their own are ranks from here on. */
#define FIRST_TOPICAL_RANK 600u
/* Slug words of the languages without a list of their own are made after the vocabulary.
 */
#define SYLLABLES_MAX 512

struct syllables {
	struct str v[SYLLABLES_MAX];
	size_t n;
};

static struct syllables split_words(const char *list)
{
	struct syllables s = { 0 };
	struct str rest = str_from(list), one;

	while (s.n < SYLLABLES_MAX && str_take_until(&rest, ' ', &one))
		if (one.n)
			s.v[s.n++] = one;
	return s;
}

static struct word word_of(struct str text)
{
	struct word w = { .n = (uint8_t)MIN(text.n, (size_t)WORD_MAX) };

	memcpy(w.text, text.p, w.n);
	return w;
}

static struct word make_word(const struct language_facts *f, const struct syllables *s,
			     struct rng *r)
{
	struct word w = { 0 };
	unsigned count = f->min_syllables +
			 (unsigned)rng_below(r, f->max_syllables - f->min_syllables + 1);

	for (unsigned i = 0; i < count; i++) {
		struct str one = s->v[rng_below(r, s->n)];

		if (w.n + one.n > WORD_MAX)
			break;
		memcpy(w.text + w.n, one.p, one.n);
		w.n = (uint8_t)(w.n + one.n);
	}
	return w;
}

static void fill_vocabulary(struct vocabulary *v, const struct language_facts *f,
			    struct rng *r)
{
	struct syllables real = split_words(f->frequent);
	struct syllables parts = split_words(f->syllables);

	v->words = xcalloc(WORDS_COUNT, sizeof(*v->words));
	for (size_t i = 0; i < WORDS_COUNT; i++)
		v->words[i] = i < real.n ? word_of(real.v[i]) : make_word(f, &parts, r);
}

static void fill_topics(struct vocabulary *v, enum language l)
{
	for (unsigned t = 0; t < TOPICS; t++) {
		struct syllables k = split_words(topic_facts[t].keywords);

		for (unsigned i = 0; i < 16; i++)
			v->topical[t][i] =
				l == LANG_EN ? word_of(k.v[i])
					     : v->words[FIRST_TOPICAL_RANK + t * 16 + i];
	}
}

/* Slugs must be unspelled, so their words are all different and of three bytes at least.
 */
static void fill_slugs(struct vocabulary *v, enum language l, struct rng *r)
{
	struct syllables given = split_words(l == LANG_EN ? english_slug_words : "");
	struct syllables parts = split_words(language_facts[l].syllables);

	for (size_t i = 0; i < given.n; i++)
		intern_add(&v->slugs, given.v[i]);
	while (v->slugs.n < SLUG_WORDS) {
		struct word word = make_word(&language_facts[l], &parts, r);

		if (word.n >= 3)
			intern_add(&v->slugs, word_str(&word));
	}
}

/* Zipf-Mandelbrot: p(rank) ~ 1 / (rank + 2.7), which is what running text shows. */
static void fill_zipf(struct words *w)
{
	double total = 0, sum = 0;
	unsigned slot = 0;

	for (unsigned i = 0; i < WORDS_COUNT; i++)
		total += 1 / (i + 2.7);
	for (unsigned i = 0; i < WORDS_COUNT; i++) {
		sum += 1 / (i + 2.7);
		while (slot <= ZIPF_SLOTS && slot * total < sum * ZIPF_SLOTS)
			w->zipf[slot++] = (uint16_t)i;
	}
	while (slot <= ZIPF_SLOTS)
		w->zipf[slot++] = WORDS_COUNT - 1;
}

void words_init(struct words *w, uint64_t seed)
{
	*w = (struct words){ 0 };
	fill_zipf(w);
	for (unsigned l = 0; l < LANGUAGES; l++) {
		struct rng r = { hash_mix(seed + l) };

		fill_vocabulary(&w->of[l], &language_facts[l], &r);
		fill_topics(&w->of[l], (enum language)l);
		fill_slugs(&w->of[l], (enum language)l, &r);
	}
}

void words_release(struct words *w)
{
	for (unsigned l = 0; l < LANGUAGES; l++) {
		free(w->of[l].words);
		intern_release(&w->of[l].slugs);
	}
	*w = (struct words){ 0 };
}

struct str words_slug(const struct words *w, enum language l, unsigned d)
{
	return intern_str(&w->of[l].slugs, d);
}

#define HALF_BITS 12
#define HALF_MASK ((1u << HALF_BITS) - 1)

static uint32_t feistel_round(uint64_t key, unsigned round, uint32_t half)
{
	return (uint32_t)hash_mix(key + round * 0x9e3779b97f4a7c15u + half) & HALF_MASK;
}

static uint32_t scramble(uint64_t key, uint32_t number)
{
	uint32_t left = number >> HALF_BITS, right = number & HALF_MASK;

	for (unsigned i = 0; i < 4; i++) {
		left ^= feistel_round(key, i, right);
		SWAP(left, right);
	}
	return left << HALF_BITS | right;
}

static uint32_t unscramble(uint64_t key, uint32_t number)
{
	uint32_t left = number >> HALF_BITS, right = number & HALF_MASK;

	for (unsigned i = 4; i-- > 0;) {
		SWAP(left, right);
		left ^= feistel_round(key, i, right);
	}
	return left << HALF_BITS | right;
}

void words_spell_parts(const struct words *w, enum language l, uint64_t key,
		       uint32_t number, struct str ret[3])
{
	uint32_t code = scramble(key, number);

	ret[0] = words_slug(w, l, code >> 16);
	ret[1] = words_slug(w, l, code >> 8 & 0xff);
	ret[2] = words_slug(w, l, code & 0xff);
}

void words_spell(const struct words *w, enum language l, uint64_t key, uint32_t number,
		 char joint, struct buf *to)
{
	struct str parts[3];

	words_spell_parts(w, l, key, number, parts);
	for (unsigned i = 0; i < 3; i++) {
		if (i)
			buf_add_char(to, joint);
		buf_add(to, parts[i]);
	}
}

static uint32_t find_digit(const struct words *w, enum language l, struct str word)
{
	char lower[96];

	if (word.n > sizeof(lower))
		return INTERN_NONE;
	uint32_t exact = intern_find(&w->of[l].slugs, word);
	if (exact != INTERN_NONE)
		return exact;
	for (size_t i = 0; i < word.n; i++)
		lower[i] = ascii_lower(word.p[i]);
	return intern_find(&w->of[l].slugs, (struct str){ lower, word.n });
}

bool words_unspell(const struct words *w, enum language l, uint64_t key, struct str slug,
		   char joint, uint32_t *ret)
{
	uint32_t code = 0;
	struct str word;

	for (unsigned i = 0; i < 3; i++) {
		if (!str_take_until(&slug, joint, &word))
			return false;
		uint32_t digit = find_digit(w, l, word);
		if (digit == INTERN_NONE)
			return false;
		code = code << 8 | digit;
	}
	if (slug.n)
		return false;
	*ret = unscramble(key, code);
	return true;
}
