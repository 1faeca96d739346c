#include "align/alignment_cache.h"

#include <stdlib.h>

#include "align/numbers.h"
#include "align/tokenize_fast.h"
#include "base/alloc.h"
#include "base/hash.h"

#define ALIGNMENTS_MAX ((size_t)1 << 15)

void alignment_cache_release(struct alignment_cache *r)
{
	free(r->v);
	map_release(&r->by_shape);
	arena_release(&r->in);
	*r = (struct alignment_cache){ 0 };
}

void cluster_shape_reset(struct cluster_shape *l)
{
	l->n_urls = l->n_tokens = 0;
}

/* The length of the tokens of the last URL: up to where the next one begins. */
static void end_tokens(struct cluster_shape *l, const char *end)
{
	for (size_t i = l->n_tokens; i > l->first[l->n_urls - 1]; i--) {
		struct token *t = &l->tokens[i - 1];

		t->n = (uint16_t)(end - t->p);
		end = t->p;
	}
}

bool cluster_shape_add(struct cluster_shape *l, struct str url, size_t from, size_t to)
{
	struct classes before = { 0, 0 };

	if (l->n_urls == SHAPE_URLS_MAX)
		return false;
	l->first[l->n_urls++] = (uint16_t)l->n_tokens;
	for (; from < to; from += 64) {
		size_t n = MIN(to - from, (size_t)64);
		struct classes now = classify(url, from, n);

		for (uint64_t left = token_begins(now, &before, n); left;
		     left &= left - 1) {
			const char *p = url.p + from + __builtin_ctzll(left);

			if (l->n_tokens == SHAPE_TOKENS_MAX)
				return false;
			l->tokens[l->n_tokens++] = token_begin(p);
		}
	}
	end_tokens(l, url.p + to);
	l->first[l->n_urls] = (uint16_t)l->n_tokens;
	return true;
}

#define FOLD ((uint64_t)0x2020202020202020)

/* Digits have the bit that letters lose with their case. */
static uint64_t hash_folded(struct token t)
{
	uint64_t h = t.n;

	for (size_t i = 0; i < t.n; i++)
		h = (h ^ (uint64_t)(t.p[i] | 0x20)) * 0x9e3779b97f4a7c15u;
	return h;
}

/* The place of a word, and the first place of one that differs in case only. */
static size_t place_of(struct cluster_shape *l, struct token t, size_t room,
		       size_t *ret_like)
{
	uint64_t word = word_number(token_str(t), room);
	uint64_t folded = t.n <= 8 ? word | FOLD : hash_folded(t);
	size_t i = 0, like = l->n_words;

	for (; i < l->n_words; i++) {
		if (l->folded[i] != folded)
			continue;
		if (l->words[i] == word)
			break;
		like = MIN(like, i);
	}
	*ret_like = like;
	if (i == l->n_words) {
		l->words[i] = word;
		l->folded[i] = folded;
		l->n_words++;
	}
	return i;
}

#define END_OF_URL 0xff /* no type of a token */

/* The signs of one URL: a mark is its byte, a word its place and the place it is like. */
static size_t sign_url(struct cluster_shape *l, size_t from, size_t to, uint8_t *sign)
{
	const char *end = to > from ? l->tokens[to - 1].p + l->tokens[to - 1].n : NULL;
	size_t n = 0, like;

	for (size_t i = from; i < to; i++) {
		struct token t = l->tokens[i];

		sign[n++] = t.type;
		if (t.type == TOKEN_PUNCT) {
			sign[n++] = (uint8_t)*t.p;
			continue;
		}
		sign[n++] = (uint8_t)place_of(l, t, (size_t)(end - t.p), &like);
		sign[n++] = (uint8_t)like;
	}
	sign[n++] = END_OF_URL;
	return n;
}

bool cluster_shape_sign(struct cluster_shape *l, uint64_t seed)
{
	uint8_t sign[3 * SHAPE_SIGNED_MAX + SHAPE_URLS_MAX];
	size_t n = 0;

	if (l->n_tokens > SHAPE_SIGNED_MAX)
		return false;
	l->n_words = 0;
	for (size_t i = 0; i < l->n_urls; i++)
		n += sign_url(l, l->first[i], l->first[i + 1], sign + n);
	l->hash = hash64_seeded((struct str){ (const char *)sign, n }, seed);
	return true;
}

/* Twice as many as there can be ids. */
#define ID_SLOTS 128

bool cluster_shape_number(struct cluster_shape *l)
{
	const struct token *slots[ID_SLOTS] = { 0 };
	uint8_t ids = 0;

	for (size_t i = 0; i < l->n_tokens; i++) {
		struct token *t = &l->tokens[i];
		size_t at = (hash_folded(*t) >> 32) % ID_SLOTS;

		while (slots[at] && !token_eq_nocase(*slots[at], *t))
			at = (at + 1) % ID_SLOTS;
		if (!slots[at]) {
			if (ids == TOKEN_IDS_MAX)
				return false;
			slots[at] = t;
			t->id = ++ids;
		}
		t->id = slots[at]->id;
	}
	return true;
}

const struct cached_alignment *alignment_cache_find(const struct alignment_cache *r)
{
	uint64_t *at = map_find(&r->by_shape, r->shape.hash);

	return at ? &r->v[*at - 1] : NULL;
}

/* Tokens are where they stand; those of one URL follow each other. */
static uint16_t number_of(const struct cluster_shape *l, struct token t)
{
	uint16_t i = 0;

	while (l->tokens[i].p != t.p)
		i++;
	return i;
}

static struct cached_alignment cached_alignment_of(struct alignment_cache *r,
						   const struct consensus *c)
{
	struct cached_alignment m = { .n = c->n, .usable = true };
	size_t members = 0;

	for (size_t i = 0; i < c->n; i++)
		members += c->v[i].n;
	m.n_more = members - c->n;
	m.sets = arena_alloc(&r->in, (c->n + 1) * sizeof(*m.sets));
	m.members = arena_alloc(&r->in, (members + 1) * sizeof(*m.members));
	members = 0;
	for (size_t i = 0; i < c->n; i++) {
		m.sets[i] = c->v[i];
		for (size_t k = 0; k < c->v[i].n; k++)
			m.members[members++] =
				number_of(&r->shape, set_token(&c->v[i], k));
	}
	return m;
}

void alignment_cache_add(struct alignment_cache *r, const struct consensus *c)
{
	if (r->n == ALIGNMENTS_MAX)
		return;
	*map_add(&r->by_shape, r->shape.hash, NULL) = r->n + 1;
	VEC_ADD(r->v, r->n, r->cap,
		c ? cached_alignment_of(r, c) : (struct cached_alignment){ 0 });
}

size_t cached_alignment_words(const struct cached_alignment *m,
			      const struct cluster_shape *l, unsigned card,
			      struct token ret[SHAPE_SIGNED_MAX])
{
	const uint16_t *member = m->members;
	size_t n = 0;

	for (size_t i = 0; i < m->n; member += m->sets[i++].n) {
		const struct token_set *s = &m->sets[i];
		bool is_class = s->first.type != TOKEN_PUNCT && s->n >= card;

		if ((!s->gap && s->n == 1) || is_class)
			continue;
		for (size_t k = 0; k < s->n; k++)
			ret[n++] = l->tokens[member[k]];
	}
	return n;
}

struct consensus cached_alignment_fill(const struct cached_alignment *m,
				       const struct cluster_shape *l, struct arena *in)
{
	struct consensus c = { arena_alloc(in, (m->n + 1) * sizeof(*c.v)), m->n };
	struct token *more = arena_alloc(in, (m->n_more + 1) * sizeof(*more));
	const uint16_t *member = m->members;

	for (size_t i = 0; i < m->n; i++) {
		c.v[i] = m->sets[i];
		c.v[i].first = l->tokens[*member++];
		c.v[i].more = more;
		for (size_t k = 1; k < c.v[i].n; k++)
			*more++ = l->tokens[*member++];
	}
	return c;
}
