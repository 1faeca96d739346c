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

struct vocabulary {
	struct str *words;   /* by rank */
	struct intern slugs; /* the SLUG_WORDS words of slugs, id = digit */
	struct str topical[TOPICS][16];
	struct arena bytes;
};

struct words {
	struct vocabulary of[LANGUAGES];
	uint16_t zipf[ZIPF_SLOTS + 1]; /* the ranks at equal steps of probability */
};

void words_init(struct words *w, uint64_t seed);
void words_release(struct words *w);

/* A word by its frequency; `r` is 64 random bits. */
struct str words_draw(const struct words *w, enum language l, uint64_t r);
/* A keyword of the topic, the first ones oftener. */
struct str words_topical(const struct words *w, enum language l, unsigned topic,
			 uint64_t r);
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
