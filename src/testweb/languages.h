/*
 * languages.h - what is needed to write text that looks like a language.
 *
 * Data only: the most frequent words of each language, most frequent first,
 * and the syllables (or characters) from which rarer words are made.
 */
#ifndef TESTWEB_LANGUAGES_H
#define TESTWEB_LANGUAGES_H

#include "base/base.h"

enum language {
	LANG_EN,
	LANG_DE,
	LANG_FR,
	LANG_ES,
	LANG_RU,
	LANG_AR,
	LANG_ZH,
	LANG_JA,
	LANGUAGES
};

struct language_facts {
	const char *code;    /* as in lang="..." */
	const char *charset; /* a legacy charset that can write it */
	bool spaced;         /* words are written apart */
	const char *stop, *comma;
	const char *frequent;  /* words, most frequent first, one space between */
	const char *syllables; /* of rarer words, one space between */
	unsigned min_syllables, max_syllables;
};

extern const struct language_facts language_facts[LANGUAGES];

#define TOPICS 16
struct topic_facts {
	const char *name;
	const char *keywords; /* English, one space between */
};
extern const struct topic_facts topic_facts[TOPICS];

/* The 256 English words of which slugs and titles are made. */
extern const char english_slug_words[];
#endif
