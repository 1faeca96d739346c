#include "focus/terms.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/unicode.h"
#include "base/utf8.h"

#define FILTER_BITS ((size_t)1 << 18) /* 32 KB: fits the first cache */
#define NO_TERM     UINT32_MAX
#define WEIGHT_MAX  1000.0
#define MATCHES_MAX ((size_t)1 << 20) /* of one text: a page of nothing but terms */

/* A term ends here; others with the same words follow in a list. */
struct term_node {
	uint32_t term;
	struct str spelling;
	uint32_t next; /* another term of the same folded words: node, or 0 */
};

void terms_release(struct terms *t)
{
	free(t->v);
	free(t->nodes);
	free(t->filter);
	map_release(&t->steps);
	arena_release(&t->bytes);
	*t = (struct terms){ 0 };
}

void term_scratch_release(struct term_scratch *s)
{
	free(s->words);
	free(s->v);
	*s = (struct term_scratch){ 0 };
}

/* --- words --- */

#define HASH_START      0xcbf29ce484222325u
#define HASH_STEP(h, c) (((h) ^ (c)) * 0x9e3779b97f4a7c15u)

static void add_word(struct term_scratch *s, uint64_t hash, size_t from, size_t to)
{
	VEC_ADD(s->words, s->n_words, s->words_cap,
		(struct text_word){ hash ^ hash >> 29, (uint32_t)from, (uint32_t)to });
}

static void cut_words(struct str text, struct term_scratch *s)
{
	struct str rest = text;
	uint64_t hash = HASH_START;
	size_t from = 0;
	bool inside = false;

	s->n_words = 0;
	while (rest.n > 0) {
		size_t at = text.n - rest.n;
		unsigned char c = (unsigned char)rest.p[0];
		uint32_t cp = c;

		if (c < 0x80)
			rest = str_skip(rest, 1);
		else
			cp = utf8_take(&rest);
		int32_t entry = unicode_entry(cp);
		enum unicode_class class = (enum unicode_class)(entry & 7);
		uint32_t folded = (uint32_t)((int32_t)cp + (entry >> 3));

		if (class == UNICODE_IGNORED || (class == UNICODE_MARK && inside))
			continue;
		if (class == UNICODE_WORD) {
			if (!inside)
				from = at;
			inside = true;
			hash = HASH_STEP(hash, folded);
			continue;
		}
		if (inside)
			add_word(s, hash, from, at);
		inside = false;
		hash = HASH_START;
		if (class == UNICODE_ALONE)
			add_word(s, HASH_STEP(HASH_START, folded), at, text.n - rest.n);
	}
	if (inside)
		add_word(s, hash, from, text.n);
}

/* --- building --- */

static size_t filter_bit(uint64_t hash)
{
	return hash % FILTER_BITS;
}

static uint64_t step_key(uint32_t node, uint64_t word)
{
	return hash_mix(word + node * 0x2545f4914f6cdd1du);
}

static uint32_t new_node(struct terms *t)
{
	VEC_ADD(t->nodes, t->n_nodes, t->nodes_cap,
		(struct term_node){ .term = NO_TERM });
	return (uint32_t)(t->n_nodes - 1);
}

static void prepare(struct terms *t)
{
	if (t->filter)
		return;
	t->filter = xcalloc(FILTER_BITS / 64, sizeof(uint64_t));
	new_node(t);
}

/* The node behind these words, made where there is none. */
static uint32_t node_of(struct terms *t, const struct term_scratch *s)
{
	uint32_t node = 0;

	for (size_t i = 0; i < s->n_words; i++) {
		uint64_t word = s->words[i].hash;
		bool is_new;
		uint64_t *to = map_add(&t->steps, step_key(node, word), &is_new);

		if (is_new) {
			uint32_t made = new_node(t);

			*to = made;
		}
		node = (uint32_t)*to;
		if (i == 0)
			t->filter[filter_bit(word) / 64] |= 1ull << filter_bit(word) % 64;
	}
	return node;
}

static enum status add_name(struct terms *t, struct str name, uint32_t term,
			    struct diag *why)
{
	struct term_scratch s = { 0 };
	enum status st = ST_OK;

	cut_words(name, &s);
	if (s.n_words == 0 || s.n_words > TERM_WORDS_MAX) {
		st = diag_fail(why, ST_SYNTAX,
			       "'" STR_FMT "': a term has between 1 and %u words",
			       STR_ARG(name), TERM_WORDS_MAX);
	} else {
		uint32_t node = node_of(t, &s);

		if (t->nodes[node].term != NO_TERM) { /* the first is kept in front */
			uint32_t more = new_node(t);

			t->nodes[more].next = t->nodes[node].next;
			t->nodes[node].next = more;
			node = more;
		}
		t->nodes[node].term = term;
		if (t->v[term].is_entity)
			t->nodes[node].spelling = arena_copy(&t->bytes, name);
	}
	term_scratch_release(&s);
	return st;
}

/* "...=2": a weight, if what stands there is a number. */
static float take_weight(struct str *line)
{
	size_t equals = str_rfind_char(*line, '=');
	char text[32], *end;

	if (equals == STR_NONE || line->n - equals - 1 >= sizeof(text) ||
	    line->n == equals + 1)
		return 1.0f;
	struct str number = str_skip(*line, equals + 1);
	memcpy(text, number.p, number.n);
	text[number.n] = '\0';
	double weight = strtod(text, &end);
	if (*end != '\0' || !(weight >= -WEIGHT_MAX && weight <= WEIGHT_MAX))
		return 1.0f;
	*line = str_trim(str_slice(*line, 0, equals));
	return (float)weight;
}

enum status terms_add(struct terms *t, struct str line, struct diag *why)
{
	struct wanted_term term = { 0 };
	struct str name;

	line = str_trim(line);
	if (line.n > TERM_BYTES_MAX || t->n >= TERMS_MAX)
		return diag_fail(why, ST_TOO_LARGE,
				 line.n > TERM_BYTES_MAX
					 ? "a term is longer than 1,024 bytes"
					 : "there are more than 250,000 terms");
	prepare(t);
	term.is_entity = str_take_prefix(&line, STR("entity:"));
	term.weight = take_weight(&line);
	term.name = arena_copy(&t->bytes,
			       str_trim(str_slice(line, 0, str_find_char(line, '|'))));
	VEC_ADD(t->v, t->n, t->cap, term);
	if (line.n == 0)
		return diag_fail(why, ST_SYNTAX, "an empty term");
	while (str_take_until(&line, '|', &name))
		TRY(add_name(t, str_trim(name), (uint32_t)(t->n - 1), why));
	return ST_OK;
}

enum status terms_add_file(struct terms *t, struct str text, struct diag *why)
{
	struct diag detail;
	struct str line;

	for (size_t nr = 1; str_take_until(&text, '\n', &line); nr++) {
		line = str_trim(line);
		if (line.n == 0 || line.p[0] == '#')
			continue;
		enum status st = terms_add(t, line, &detail);
		if (st != ST_OK)
			return diag_fail(why, st, "line %zu: %s", nr, detail.text);
	}
	return ST_OK;
}

/* --- finding --- */

static bool is_spelt(const struct term_node *n, struct str text, size_t from, size_t to)
{
	return n->spelling.n == 0 || str_eq(n->spelling, str_slice(text, from, to));
}

static void add_matches(const struct terms *t, uint32_t node, struct str text,
			size_t from, size_t to, struct term_scratch *s)
{
	do {
		const struct term_node *n = &t->nodes[node];

		if (n->term != NO_TERM && is_spelt(n, text, from, to))
			VEC_ADD(s->v, s->n, s->cap,
				(struct term_match){ (uint32_t)from, (uint32_t)to,
						     n->term });
		node = n->next;
	} while (node != 0);
}

static void walk_from(const struct terms *t, struct str text, size_t first,
		      struct term_scratch *s)
{
	size_t end = MIN(s->n_words, first + TERM_WORDS_MAX);
	uint32_t node = 0;

	for (size_t i = first; i < end; i++) {
		const uint64_t *to =
			map_find(&t->steps, step_key(node, s->words[i].hash));

		if (!to)
			return;
		node = (uint32_t)*to;
		add_matches(t, node, text, s->words[first].from, s->words[i].to, s);
	}
}

void terms_find(const struct terms *t, struct str text, struct term_scratch *s)
{
	s->n = s->n_words = 0;
	if (t->n == 0)
		return;
	cut_words(str_slice(text, 0, UINT32_MAX), s);
	for (size_t i = 0; i < s->n_words && s->n < MATCHES_MAX; i++) {
		size_t bit = filter_bit(s->words[i].hash);

		if (t->filter[bit / 64] >> bit % 64 & 1)
			walk_from(t, text, i, s);
	}
}
