/*
 * sight.h - which rewrites match URLs that look alike, and how their keys are made.
 *
 * To a list of rules a URL is its marks, the types of its other tokens, and those
 * words that some context of the list spells out where they stand.  When all of this
 * is the same for two URLs, the same contexts match them, token for token; so the
 * second one is not matched again: it gets the keys that the first one got, made of
 * its own tokens.  Many hosts have equal lists and share what was seen.
 *
 * A view is made once and may be shared by threads; sights are one a thread, and
 * bounded.  Looks are told apart by 64 bits and the number of tokens.
 */
#ifndef DUST_SIGHT_H
#define DUST_SIGHT_H

#include "base/intern.h"
#include "dust/index.h"

/* The words that the contexts of a list spell out, each with the number of / ? & #
 * before it; as hashes, and thrown into bits. */
struct vocabulary {
	uint64_t bits[8];
	uint32_t first,
		mask;   /* the hashes are in the words of the view: open addressing */
	bool too_large; /* hardly two URLs look alike to this list */
};

struct view {
	const struct rule_index *index;
	const struct intern *hosts;
	uint64_t *host_keys;      /* by host */
	struct map list_of;       /* key of host and shape -> number of the list, + 1 */
	struct vocabulary *lists; /* by number; equal lists have one */
	size_t n_lists, lists_cap;
	uint64_t *words;
	size_t n_words, words_cap;
};

/* A part of a key: text, then tokens of the URL. */
struct key_piece {
	struct str text;
	uint16_t from, to;
};

/* A key, and the rules that give it. */
struct key_form {
	uint32_t piece, rule; /* the first ones */
	uint32_t n_pieces, n_rules;
};

struct sight {
	uint32_t form; /* the first one */
	uint32_t n_forms;
	size_t n_tokens;
};

/* URLs that are looked at together, so that the memory answers for all at once. */
#define GLANCES_MAX 32

struct glance {
	struct str url;
	uint32_t host;
	uint32_t list;  /* its number, + 1; 0 for none */
	bool in_bounds; /* of token.h */
	uint64_t shape; /* as the index has it */
	uint64_t look;  /* of marks and types; then of the words and the list, too */
	size_t n;       /* tokens */
	uint16_t at[TOKENS_MAX + 1]; /* where each begins; then the end */
};

struct sights {
	struct map by_look; /* `look` -> place in `v` + 1 */
	struct sight *v;
	size_t n, cap;
	struct key_form *forms;
	size_t n_forms, forms_cap;
	struct key_piece *pieces;
	size_t n_pieces, pieces_cap;
	uint32_t *rules;
	size_t n_rules, rules_cap;
	struct glance glances[GLANCES_MAX];
	struct rule_scratch scratch;
	struct key_match *matches; /* while a sight is made */
	size_t n_matches, matches_cap;
};

void view_init(struct view *v, const struct rule_index *index,
	       const struct intern *hosts);
void view_release(struct view *v);
void sights_release(struct sights *s);
/* Set `url` and `host` of the first `n` glances, then have them looked at. */
void sights_look(struct sights *s, const struct view *v, size_t n);
/* What the rules make of glance `nr`; holds until the next call. */
struct sight sights_take(struct sights *s, const struct view *v, size_t nr);
/* Its key in that form; in `s` until the next key, or the URL itself. */
struct str sights_key(struct sights *s, size_t nr, const struct key_form *form);
#endif
