#include "dust/sight.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "dust/numbers.h"

#define SIGHTS_MAX ((size_t)1 << 18)
/* More words than these make a list's URLs too different. */
#define WORDS_MAX 48
/* A context whose words can stand in more places than this makes its lists too large. */
#define PLACES_MAX 16

/* A rule that matched, and the form of its key. */
struct key_match {
	uint32_t rule, form;
};

/* Both halves of the product of 128 bits. */
static inline uint64_t stir(uint64_t a, uint64_t b)
{
	unsigned __int128 x = (unsigned __int128)a * b;

	return (uint64_t)x ^ (uint64_t)(x >> 64);
}

static inline uint64_t place_word(uint64_t word, unsigned segment)
{
	return stir(word ^ (uint64_t)segment << 56, 0x9e3779b97f4a7c15u);
}

static inline bool has_word(const struct view *v, const struct vocabulary *list,
			    uint64_t placed)
{
	const uint64_t *words = v->words + list->first;

	if (!(list->bits[placed / 64 % 8] >> placed % 64 & 1))
		return false;
	for (uint64_t i = placed >> 32; words[i & list->mask]; i++)
		if (words[i & list->mask] == placed)
			return true;
	return false;
}

/* The words of a list while they are collected. */
struct collected {
	uint64_t v[WORDS_MAX];
	size_t n;
	bool too_many;
};

static void add_word(struct collected *c, uint64_t placed)
{
	size_t i = 0;

	while (i < c->n && c->v[i] != placed)
		i++;
	if (i < c->n)
		return;
	c->too_many |= c->n == WORDS_MAX;
	if (!c->too_many)
		c->v[c->n++] = placed;
}

/* How many / ? & # can lie before a part of a context, at least and at most. */
struct reach {
	unsigned least, most;
};

/* The words of one alternative; returns how many / ? & # it has. */
static unsigned add_alternative(struct collected *c, const struct pattern *p,
				const struct alternative *alt, struct reach r)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < alt->n; i++) {
		const struct atom *a = &p->atoms[alt->first + i];

		if (a->kind != ATOM_TOKEN)
			continue;
		if (a->token.type != TOKEN_PUNCT)
			for (unsigned s = r.least + n; s <= r.most + n; s++)
				add_word(c,
					 place_word(word_number(token_str(a->token), 0),
						    s));
		n += a->token.delim >> 1;
	}
	return n;
}

static void add_words(struct collected *c, const struct pattern *p)
{
	struct reach r = { 0, 0 };

	for (uint32_t i = 0; i < p->n && !c->too_many; i++) {
		const struct item *item = &p->items[i];
		struct reach more = { item->optional ? 0 : UINT_MAX, 0 };

		for (uint32_t k = 0; k < item->n; k++) {
			unsigned n = add_alternative(c, p, &p->alts[item->first + k], r);

			more.least = MIN(more.least, n);
			more.most = MAX(more.most, n);
		}
		r.least += MIN(more.least, more.most);
		r.most += more.most;
		c->too_many |= r.most - r.least > PLACES_MAX;
	}
}

static void add_list(struct view *v, const uint32_t *rules, size_t n)
{
	struct vocabulary list = { .first = (uint32_t)v->n_words, .mask = 1 };
	struct collected c = { .n = 0 };

	for (size_t i = 0; i < n && !c.too_many; i++)
		add_words(&c, &v->index->set->v[rules[i]].pattern);
	list.too_large = c.too_many;
	while (list.mask < 2 * c.n)
		list.mask = 2 * list.mask + 1;
	VEC_RESERVE(v->words, v->words_cap, v->n_words + list.mask + 1);
	uint64_t *words = v->words + v->n_words;
	memset(words, 0, (list.mask + 1) * sizeof(*words));
	for (size_t i = 0; i < c.n; i++) {
		uint64_t at = c.v[i] >> 32;

		while (words[at & list.mask])
			at++;
		words[at & list.mask] = c.v[i];
		list.bits[c.v[i] / 64 % 8] |= (uint64_t)1 << c.v[i] % 64;
	}
	v->n_words += list.mask + 1;
	VEC_ADD(v->lists, v->n_lists, v->lists_cap, list);
}

/* Number the lists of the index; those with the same rules are one. */
static void number_lists(struct view *v)
{
	const struct rule_index *x = v->index;
	struct map by_rules = { 0 };
	struct map_slot slot;

	map_reserve(&v->list_of, x->by_host.n);
	for (size_t at = 0; map_next(&x->by_host, &at, &slot);) {
		const uint32_t *rules = x->ids + (slot.value >> 32);
		size_t n = (uint32_t)slot.value;
		struct str bytes = { (const char *)rules, n * sizeof(*rules) };
		bool new;
		uint64_t *nr = map_add(&by_rules, hash64(bytes), &new);

		if (new) {
			add_list(v, rules, n);
			*nr = v->n_lists;
		}
		*map_add(&v->list_of, slot.key, NULL) = *nr;
	}
	map_release(&by_rules);
}

void view_init(struct view *v, const struct rule_index *index, const struct intern *hosts)
{
	*v = (struct view){ .index = index, .hosts = hosts };
	v->host_keys = xrealloc(NULL, hosts->n + 1, sizeof(*v->host_keys));
	for (uint32_t i = 0; i < hosts->n; i++)
		v->host_keys[i] = rule_host_key(intern_str(hosts, i));
	number_lists(v);
}

void view_release(struct view *v)
{
	free(v->host_keys);
	map_release(&v->list_of);
	free(v->lists);
	free(v->words);
	*v = (struct view){ 0 };
}

void sights_release(struct sights *s)
{
	map_release(&s->by_look);
	free(s->v);
	free(s->forms);
	free(s->pieces);
	free(s->rules);
	free(s->matches);
	rule_scratch_release(&s->scratch);
	*s = (struct sights){ 0 };
}

/* No mark has these values. */
#define OF_TYPE(type) (0x100u + (type))

/* Cut the URL, and sign its marks and types. */
static bool cut(struct glance *g)
{
	const char *p = g->url.p, *end = g->url.p + g->url.n;
	uint64_t look = 1, shape = 1;
	size_t n = 0;

	if (g->url.n > TOKENS_BYTES_MAX)
		return false;
	for (struct token t; p < end; p += t.n) {
		if (n == TOKENS_MAX)
			return false;
		g->at[n++] = (uint16_t)(p - g->url.p);
		t = token_take(p, end);
		uint64_t x = t.type == TOKEN_PUNCT ? (uint8_t)*p : OF_TYPE(t.type);
		look = stir(look ^ x, 0x9e3779b97f4a7c15u);
		if (t.delim & TOKEN_COARSE)
			shape = rule_shape_step(shape, *p);
	}
	g->at[n] = (uint16_t)g->url.n;
	g->n = n;
	g->look = look;
	g->shape = shape;
	return true;
}

/* The words of the URL that the list knows, with their places, and the list. */
static void sign_words(const struct view *v, struct glance *g)
{
	const struct vocabulary *list = &v->lists[g->list - 1];
	unsigned segment = 0;

	for (size_t i = 0; i < g->n; i++) {
		uint8_t kind = token_kinds[(uint8_t)g->url.p[g->at[i]]];

		if ((kind & 3) == TOKEN_PUNCT) {
			segment += kind >> 3;
			continue;
		}
		struct str word = { g->url.p + g->at[i],
				    (size_t)(g->at[i + 1] - g->at[i]) };
		uint64_t placed =
			place_word(word_number(word, g->url.n - g->at[i]), segment);
		if (has_word(v, list, placed))
			g->look = stir(g->look ^ placed ^ i, 0xbf58476d1ce4e5b9u);
	}
	g->look ^= hash_mix(g->list);
}

static uint64_t place_of(const struct view *v, const struct glance *g)
{
	return rule_place_key(v->host_keys[g->host], g->shape);
}

/* Each step asks the memory for what the next one reads. */
void sights_look(struct sights *s, const struct view *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct glance *g = &s->glances[i];

		g->in_bounds = cut(g);
		if (g->in_bounds)
			map_fetch(&v->list_of, place_of(v, g));
	}
	for (size_t i = 0; i < n; i++) {
		struct glance *g = &s->glances[i];
		uint64_t *list =
			g->in_bounds ? map_find(&v->list_of, place_of(v, g)) : NULL;

		g->list = list ? (uint32_t)*list : 0;
		if (g->list)
			__builtin_prefetch(&v->lists[g->list - 1]);
	}
	for (size_t i = 0; i < n; i++) {
		struct glance *g = &s->glances[i];

		if (g->list == 0 || v->lists[g->list - 1].too_large)
			continue;
		sign_words(v, g);
		map_fetch(&s->by_look, g->look);
	}
	for (size_t i = 0; i < n; i++) {
		struct glance *g = &s->glances[i];
		uint64_t *at = g->list ? map_find(&s->by_look, g->look) : NULL;

		if (at)
			__builtin_prefetch(&s->v[*at - 1]);
	}
}

/* The number of the token that begins at `p`, or of the end. */
static uint16_t token_at(const struct tokens *t, const char *p)
{
	size_t i = 0;

	while (i < t->n && t->v[i].p != p)
		i++;
	return (uint16_t)i;
}

static bool same_pieces(const struct key_piece *a, const struct key_piece *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i].from != b[i].from || a[i].to != b[i].to ||
		    !str_eq(a[i].text, b[i].text))
			return false;
	return true;
}

/* The form of the key that the transformation gives, among those from `first` on. */
static uint32_t form_of(struct sights *s, const struct transformation *t, size_t first)
{
	const struct tokens *tokens = &s->scratch.tokens;
	struct key_form f = { .piece = (uint32_t)s->n_pieces, .n_pieces = t->n };

	for (uint16_t i = 0; i < t->n; i++) {
		struct key_piece piece = { .text = t->pieces[i].text };
		struct str slice = piece_slice(&t->pieces[i], s->scratch.captures);

		if (slice.n > 0) {
			piece.from = token_at(tokens, slice.p);
			piece.to = token_at(tokens, slice.p + slice.n);
		}
		VEC_ADD(s->pieces, s->n_pieces, s->pieces_cap, piece);
	}
	for (size_t i = first; i < s->n_forms; i++)
		if (s->forms[i].n_pieces == f.n_pieces &&
		    same_pieces(s->pieces + s->forms[i].piece, s->pieces + f.piece,
				f.n_pieces)) {
			s->n_pieces = f.piece;
			return (uint32_t)i;
		}
	VEC_ADD(s->forms, s->n_forms, s->forms_cap, f);
	return (uint32_t)s->n_forms - 1;
}

/* The rules of each form, one form after the other. */
static void list_rules(struct sights *s, size_t first)
{
	for (size_t i = first; i < s->n_forms; i++) {
		struct key_form *f = &s->forms[i];

		f->rule = (uint32_t)s->n_rules;
		for (size_t k = 0; k < s->n_matches; k++)
			if (s->matches[k].form == i)
				VEC_ADD(s->rules, s->n_rules, s->rules_cap,
					s->matches[k].rule);
		f->n_rules = (uint32_t)s->n_rules - f->rule;
	}
}

static struct sight make_sight(struct sights *s, const struct view *v,
			       const struct glance *g)
{
	struct rule_scratch *scratch = &s->scratch;
	size_t first = s->n_forms;
	struct rule_walk walk;
	uint32_t nr;

	s->n_matches = 0;
	if (tokens_split(&scratch->tokens, g->url) != ST_OK)
		return (struct sight){ 0 };
	rule_walk_start(&walk, v->index, intern_str(v->hosts, g->host), &scratch->tokens);
	while ((nr = rule_walk_next(&walk)) != RULE_NONE) {
		const struct rule *r = &v->index->set->v[nr];

		if (!pattern_match(&r->pattern, &scratch->tokens, scratch->captures))
			continue;
		uint32_t form = form_of(s, &r->transformation, first);
		VEC_ADD(s->matches, s->n_matches, s->matches_cap,
			(struct key_match){ nr, form });
	}
	list_rules(s, first);
	return (struct sight){ (uint32_t)first, (uint32_t)(s->n_forms - first), g->n };
}

/* What was made is not kept: the next one is written over what it stands on. */
static struct sight make_once(struct sights *s, const struct view *v,
			      const struct glance *g)
{
	size_t pieces = s->n_pieces, rules = s->n_rules;
	struct sight made = make_sight(s, v, g);

	s->n_forms -= made.n_forms;
	s->n_pieces = pieces;
	s->n_rules = rules;
	return made;
}

struct sight sights_take(struct sights *s, const struct view *v, size_t nr)
{
	const struct glance *g = &s->glances[nr];

	if (g->in_bounds && v->index->by_shape.n > 0)
		return make_once(s, v, g);
	if (g->list == 0)
		return (struct sight){ 0 };
	if (v->lists[g->list - 1].too_large)
		return make_once(s, v, g);
	uint64_t *at = map_find(&s->by_look, g->look);
	if (at && s->v[*at - 1].n_tokens == g->n)
		return s->v[*at - 1];
	if (at || s->n == SIGHTS_MAX)
		return make_once(s, v, g);
	struct sight made = make_sight(s, v, g);
	VEC_ADD(s->v, s->n, s->cap, made);
	*map_add(&s->by_look, g->look, NULL) = s->n;
	return made;
}

struct str sights_key(struct sights *s, size_t nr, const struct key_form *form)
{
	const struct glance *g = &s->glances[nr];
	const struct key_piece *piece = s->pieces + form->piece;
	struct buf *to = &s->scratch.out;

	if (form->n_pieces == 1 && piece->text.n == 0 &&
	    piece->to - piece->from == (int)g->n)
		return g->url;
	buf_reset(to);
	for (uint32_t i = 0; i < form->n_pieces; i++, piece++) {
		buf_add(to, piece->text);
		buf_add(to,
			(struct str){ g->url.p + g->at[piece->from],
				      (size_t)(g->at[piece->to] - g->at[piece->from]) });
	}
	return buf_str(to);
}
