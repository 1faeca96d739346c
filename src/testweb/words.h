/*
 * words.h - vocabularies with a natural distribution, and slugs that can be read back.
 *
 * Each language has WORDS_COUNT words; the rank of a drawn word follows Zipf's
 * law.  A slug is three words out of SLUG_WORDS that spell a number, so a page's
 * address needs no table.  Built once from a seed, then read-only: any thread.
 */
#ifndef TESTWEB_WORDS_H
#define TESTWEB_WORDS_H

#include "base/buf.h"
#include "base/intern.h"
#include "testweb/languages.h"

#define WORDS_COUNT 12288u
#define SLUG_WORDS  256u
#define SLUG_LIMIT  (1u << 24) /* numbers that three slug words can spell */
#define ZIPF_SLOTS  1024u

/* Of fixed size, so that a text can be copied together 32 bytes at a time. */
#define WORD_MAX 31u
struct word {
	uint8_t n;
	char text[WORD_MAX];
};
_Static_assert(sizeof(struct word) == 32, "half a cache line");

struct vocabulary {
	struct word *words;  /* by rank */
	struct intern slugs; /* the SLUG_WORDS words of slugs, id = digit */
	struct word topical[TOPICS][16];
};

struct words {
	struct vocabulary of[LANGUAGES];
	uint16_t zipf[ZIPF_SLOTS + 1]; /* the ranks at equal steps of probability */
};

void words_init(struct words *w, uint64_t seed);
void words_release(struct words *w);

static inline struct str word_str(const struct word *word)
{
	return (struct str){ word->text, word->n };
}
/* A word by its frequency; `r` is 64 random bits. */
static inline const struct word *words_draw(const struct words *w, enum language l,
					    uint64_t r)
{
	unsigned slot = (unsigned)(r >> 54);
	unsigned from = w->zipf[slot], to = w->zipf[slot + 1];

	return &w->of[l].words[from + (((r & 0xffffffff) * (to - from)) >> 32)];
}
/* A keyword of the topic, the first ones oftener. */
static inline const struct word *words_topical(const struct words *w, enum language l,
					       unsigned topic, uint64_t r)
{
	/* The smaller of two draws: the first keyword comes about 30 times as often as
	 * the last. */
	unsigned a = (unsigned)(r & 15), b = (unsigned)(r >> 4 & 15);

	return &w->of[l].topical[topic][MIN(a, b)];
}
/* Digit `d` (< SLUG_WORDS) as a word. */
struct str words_slug(const struct words *w, enum language l, unsigned d);

/*
 * The three words of `number` (< SLUG_LIMIT), scrambled by `key` so that
 * neighbours look unrelated, joined by `joint`; raw UTF-8.
 */
void words_spell(const struct words *w, enum language l, uint64_t key, uint32_t number,
		 char joint, struct buf *to);
/* The same, apart. */
void words_spell_parts(const struct words *w, enum language l, uint64_t key,
		       uint32_t number, struct str ret[3]);
/* The number that words_spell() spelled; case of ASCII letters does not matter. */
bool words_unspell(const struct words *w, enum language l, uint64_t key, struct str slug,
		   char joint, uint32_t *ret);
#endif
