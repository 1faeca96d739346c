/*
 * terms.h - the words of a topic: thousands of keywords, phrases and entities, found in
 * one pass.
 *
 * A text is cut into words (or single characters, in scripts without spaces), folded:
 * case, accents and width do not matter.  At each word a trie over words is walked; what
 * no term begins with is passed over by one bit of a filter.  So the cost of a text does
 * not grow with the number of terms.  Built once, then read-only: any thread.
 */
#ifndef FOCUS_TERMS_H
#define FOCUS_TERMS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"

#define TERMS_MAX      250000u
#define TERM_WORDS_MAX 16u /* of a phrase */
#define TERM_BYTES_MAX 1024u

struct wanted_term {
	struct str name; /* the first of its names */
	float weight;    /* negative: it speaks against a page */
	bool is_entity;  /* letters count as they are written: Apple is no apple */
};

struct term_node;

struct terms {
	struct wanted_term *v;
	size_t n, cap;
	struct term_node *nodes; /* 0 is the root */
	size_t n_nodes, nodes_cap;
	struct map steps; /* node and word -> node */
	uint64_t *filter; /* which words begin a term */
	struct arena bytes;
};

void terms_release(struct terms *t);
/*
 * "NAME|ALIAS|...=WEIGHT"; "entity:" before it for names whose case counts.  The weight
 * is 1 unless given.  ST_SYNTAX says what is wrong.
 */
must_use enum status terms_add(struct terms *t, struct str line, struct diag *why);
/* One per line; empty lines and lines that begin with '#' do not count. */
must_use enum status terms_add_file(struct terms *t, struct str text, struct diag *why);

struct term_match {
	uint32_t from, to; /* bytes of the text */
	uint32_t term;
};

struct text_word {
	uint64_t hash; /* of its folded form */
	uint32_t from, to;
};

/* What a pass needs; used again for the next. */
struct term_scratch {
	struct text_word *words;
	size_t n_words, words_cap;
	struct term_match *v;
	size_t n, cap;
};

void term_scratch_release(struct term_scratch *s);
/* All matches, by where they begin; overlapping ones too.  At most 4 GB of text. */
void terms_find(const struct terms *t, struct str text, struct term_scratch *s);
#endif
