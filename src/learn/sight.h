/*
 * sight.h - which rewrites match a URL, known from URLs of the same look.
 *
 * Whether a context matches depends on the look of the URL (cut.h) and on the words
 * that the context spells out.  So for each look and rule it is remembered which words
 * were asked for, one after the other, and how the key is made when the answers are
 * such: a tree of questions, which grows by the URLs that come to its ends.  A URL is
 * matched token by token only there; all others answer a few questions, most rules none.
 *
 * A view is made once and may be shared by threads; sights are one a thread, and
 * bounded: when they are full all is forgotten.
 */
#ifndef LEARN_SIGHT_H
#define LEARN_SIGHT_H

#include "align/cut.h"
#include "base/intern.h"
#include "base/map.h"
#include "dust/index.h"

/* The rewrites of each host.  The rules and the hosts must stay as they are. */
struct view {
	const struct rule_set *rules;
	const struct intern *hosts;
	uint32_t *first; /* by host, and one more: in `of_host` */
	uint32_t *of_host;
	uint32_t *everywhere; /* the universal ones */
	size_t n_everywhere, everywhere_cap;
};

/* What is known at a point of a tree: nothing, that the rule does not match, the next
 * question, or the form of the key. */
typedef uint32_t sight_step;

/* "Is this token that word?" */
struct question {
	uint64_t word; /* as numbers.h has it */
	sight_step next[2];
	uint16_t token;
};

/* A part of a key: text, then tokens of the URL. */
struct key_piece {
	struct str text;
	uint16_t from, to;
};

struct key_form {
	uint32_t piece, n_pieces;
	uint32_t next; /* form of the same look, + 1 */
	uint64_t url;  /* by number: that whose key it is */
	uint64_t key;
};

/* URLs of one look. */
struct look_seen {
	sight_step *start; /* by rule */
	uint32_t form;     /* the last one, + 1 */
	uint32_t n_tokens;
};

/*
 * The rules of a host that can match URLs of one look.  Rules that need one of a few
 * words in the same place stand behind a door there, when they are many: only those
 * that know the word are asked.
 */
struct sight {
	uint32_t first, n;      /* in `hopeful`, of those that are always asked */
	uint32_t door, n_doors; /* in `doors` */
	uint32_t look;
	uint32_t n_tokens;
};

struct hopeful {
	uint32_t rule;
	sight_step start;
};

/* URLs that are looked at together, so that the memory answers for all at once. */
#define GLANCES_MAX 32

struct glance {
	uint32_t host;
	bool in_bounds;     /* of token.h, and its host has rules */
	uint64_t place;     /* of look and host */
	struct sight sight; /* of no rules when it is not known */
	struct cut cut;
};

/* A rule that matches, and the hash of the key it gives. */
struct sighted {
	uint32_t rule;
	uint64_t key;
};

struct sights {
	struct map by_look;  /* -> place in `looks` + 1 */
	struct map by_place; /* look and host -> place in `v` + 1 */
	struct map by_rules; /* look and rules that can match -> place in `v` + 1 */
	struct look_seen *looks;
	size_t n_looks, looks_cap;
	struct sight *v;
	size_t n, cap;
	struct hopeful *hopeful;
	size_t n_hopeful, hopeful_cap;
	uint16_t *doors; /* tokens */
	size_t n_doors, doors_cap;
	struct map by_word;  /* sight, door and word -> first in `hopeful` << 32 | n */
	struct keyed *keyed; /* while a sight is made */
	size_t n_keyed, keyed_cap;
	struct question *questions;
	size_t n_questions, questions_cap;
	struct key_form *forms;
	size_t n_forms, forms_cap;
	struct key_piece *pieces;
	size_t n_pieces, pieces_cap;
	struct sighted *found; /* of the URL at hand */
	size_t n_found, found_cap;
	struct glance glances[GLANCES_MAX];
	const struct cut *cut; /* the URL at hand */
	bool is_split;         /* the scratch has its tokens */
	struct rule_scratch scratch;
	uint64_t url; /* counts them */
};

void view_init(struct view *v, const struct rule_set *rules, const struct intern *hosts);
void view_release(struct view *v);
void sights_release(struct sights *s);
/* Glance at a URL of `host`; `nr` is below GLANCES_MAX. */
void sights_glance(struct sights *s, const struct view *v, size_t nr, struct str url,
		   uint32_t host);
/* Look at the first `n` glances. */
void sights_look(struct sights *s, const struct view *v, size_t n);
/* What the rules make of glance `nr`: in `found` until the next call. */
void sights_take(struct sights *s, const struct view *v, size_t nr);
#endif
