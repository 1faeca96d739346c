/*
 * match_cache.h - which rewrites match a URL, known from URLs of the same shape.
 *
 * Whether a context matches depends on the shape of the URL (tokenize_fast.h) and on the
 * words that the context spells out.  So for each shape and rule the cache remembers
 * which words were compared, one after the other, and how the key is made when they were
 * such: a tree of comparisons, which grows by the URLs that come to its ends.  A URL is
 * matched token by token only there; all others take a few comparisons, most rules none.
 *
 * host_rules is made once and may be shared by threads.  A cache belongs to one thread
 * and is bounded: when it is full all is forgotten.
 */
#ifndef LEARN_MATCH_CACHE_H
#define LEARN_MATCH_CACHE_H

#include "align/tokenize_fast.h"
#include "base/intern.h"
#include "base/map.h"
#include "dust/index.h"

/* The rewrites of each host.  The rules and the hosts must stay as they are. */
struct host_rules {
	const struct rule_set *rules;
	const struct intern *hosts;
	uint32_t *first; /* by host, and one more: in `of_host` */
	uint32_t *of_host;
	uint32_t *everywhere; /* the universal ones */
	size_t n_everywhere, everywhere_cap;
};

/* What is known at a point of a tree: nothing, that the rule does not match, the next
 * question, or the form of the key. */
typedef uint32_t match_step;

/* "Is this token that word?" */
struct question {
	uint64_t word; /* as numbers.h has it */
	match_step next[2];
	uint16_t token;
};

/* A part of a key: text, then tokens of the URL. */
struct key_piece {
	struct str text;
	uint16_t from, to;
};

struct key_form {
	uint32_t piece, n_pieces;
	uint32_t next; /* form of the same shape, + 1 */
	uint64_t url;  /* by number: that whose key it is */
	uint64_t key;
};

/* URLs of one shape. */
struct known_shape {
	match_step *start; /* by rule */
	uint32_t form;     /* the last one, + 1 */
	uint32_t n_tokens;
};

/*
 * The rules of a host that can match URLs of one shape.  Rules that need one of a few
 * words in the same place are dispatched by that token, when they are many: only those
 * that have the word are tried.
 */
struct shape_rules {
	uint32_t first, n;             /* in `possible`, of those that are always tried */
	uint32_t dispatch, n_dispatch; /* in the tokens */
	uint32_t shape;
	uint32_t n_tokens;
};

struct possible_rule {
	uint32_t rule;
	match_step start;
};

/* URLs that are looked up together, so that their memory is fetched at once. */
#define MATCH_BATCH_MAX 32

struct batched_url {
	uint32_t host;
	bool in_bounds;           /* of token.h, and its host has rules */
	uint64_t place;           /* of shape and host */
	struct shape_rules rules; /* of no rules when it is not known */
	struct fast_tokens tokens;
};

/* A rule that matches, and the hash of the key it gives. */
struct rule_match {
	uint32_t rule;
	uint64_t key;
};

struct match_cache {
	struct map by_shape; /* -> place in `looks` + 1 */
	struct map by_place; /* shape and host -> place in `v` + 1 */
	struct map by_rules; /* shape and rules that can match -> place in `v` + 1 */
	struct known_shape *shapes;
	size_t n_shapes, shapes_cap;
	struct shape_rules *v;
	size_t n, cap;
	struct possible_rule *possible;
	size_t n_possible, possible_cap;
	uint16_t *dispatch; /* tokens */
	size_t n_dispatch, dispatch_cap;
	struct map by_word; /* rules, token and word -> first in `possible` << 32 | n */
	struct needed_word *needed; /* while shape_rules are made */
	size_t n_needed, needed_cap;
	struct question *questions;
	size_t n_questions, questions_cap;
	struct key_form *forms;
	size_t n_forms, forms_cap;
	struct key_piece *pieces;
	size_t n_pieces, pieces_cap;
	struct rule_match *found; /* of the URL at hand */
	size_t n_found, found_cap;
	struct batched_url batch[MATCH_BATCH_MAX];
	const struct fast_tokens *tokens; /* the URL at hand */
	bool is_split;                    /* the scratch has its tokens */
	struct rule_scratch scratch;
	uint64_t url; /* counts them */
};

void host_rules_init(struct host_rules *v, const struct rule_set *rules,
		     const struct intern *hosts);
void host_rules_release(struct host_rules *v);
void match_cache_release(struct match_cache *s);
/* Put a URL of `host` into the batch; `nr` is below MATCH_BATCH_MAX. */
void match_cache_prepare(struct match_cache *s, const struct host_rules *v, size_t nr,
			 struct str url, uint32_t host);
/* Look at the first `n` batch. */
void match_cache_lookup(struct match_cache *s, const struct host_rules *v, size_t n);
/* What the rules make of URL `nr` of the batch: in `found` until the next call. */
void match_cache_apply(struct match_cache *s, const struct host_rules *v, size_t nr);
#endif
