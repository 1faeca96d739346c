#include "learn/match_cache.h"

#include <assert.h>
#include <stdlib.h>

#include "align/numbers.h"
#include "base/alloc.h"
#include "base/hash.h"

/* What is remembered: some 100 MB at most. */
#define STARTS_MAX ((size_t)1 << 23) /* shapes times rules */
#define ITEMS_MAX  ((size_t)1 << 21) /* of anything else */

#define UNKNOWN  ((match_step)0)
#define NO_MATCH ((match_step)4)
/* A match that asks for too much is done anew each time. */
#define TOO_LONG        ((match_step)8)
#define TO_QUESTION(nr) ((match_step)((nr) << 2 | 1))
#define TO_FORM(nr)     ((match_step)((nr) << 2 | 2))
#define IS_QUESTION(s)  (((s)&3) == 1)
#define IS_FORM(s)      (((s)&3) == 2)

static bool is_rewrite(const struct rule *r)
{
	uint64_t shapes[SHAPES_MAX + 1];

	return !r->is_operation && rule_is_active(r) &&
	       pattern_shapes(&r->pattern, shapes) <= SHAPES_MAX;
}

/* Count the rules of each host, or list them, where `of_host` has room. */
static void add_sites(struct host_rules *v, const struct rule *r, uint32_t nr)
{
	for (uint32_t i = 0; i < r->n_sites; i++) {
		uint32_t host = intern_find(v->hosts, r->sites[i]);

		if (host == INTERN_NONE)
			continue;
		if (v->of_host)
			v->of_host[v->first[host + 1]] = nr;
		v->first[host + (v->of_host ? 1 : 2)]++;
	}
}

void host_rules_init(struct host_rules *v, const struct rule_set *rules,
		     const struct intern *hosts)
{
	bool *use = xcalloc(rules->n + 1, sizeof(*use));

	*v = (struct host_rules){ .rules = rules, .hosts = hosts };
	v->first = xcalloc(hosts->n + 2, sizeof(*v->first));
	for (uint32_t i = 0; i < rules->n; i++) {
		const struct rule *r = &rules->v[i];

		use[i] = is_rewrite(r);
		if (use[i] && r->universal)
			VEC_ADD(v->everywhere, v->n_everywhere, v->everywhere_cap, i);
		else if (use[i])
			add_sites(v, r, i);
	}
	for (size_t h = 2; h < hosts->n + 2; h++)
		v->first[h] += v->first[h - 1];
	v->of_host =
		xrealloc(NULL, (size_t)v->first[hosts->n + 1] + 1, sizeof(*v->of_host));
	for (uint32_t i = 0; i < rules->n; i++)
		if (use[i] && !rules->v[i].universal)
			add_sites(v, &rules->v[i], i);
	free(use);
}

void host_rules_release(struct host_rules *v)
{
	free(v->first);
	free(v->of_host);
	free(v->everywhere);
	*v = (struct host_rules){ 0 };
}

static void forget(struct match_cache *s)
{
	for (size_t i = 0; i < s->n_shapes; i++)
		free(s->shapes[i].start);
	s->n_shapes = s->n = s->n_possible = s->n_dispatch = 0;
	s->n_questions = s->n_forms = s->n_pieces = 0;
	map_reset(&s->by_shape);
	map_reset(&s->by_place);
	map_reset(&s->by_rules);
	map_reset(&s->by_word);
}

void match_cache_release(struct match_cache *s)
{
	forget(s);
	map_release(&s->by_shape);
	map_release(&s->by_place);
	map_release(&s->by_rules);
	map_release(&s->by_word);
	free(s->shapes);
	free(s->v);
	free(s->possible);
	free(s->dispatch);
	free(s->needed);
	free(s->questions);
	free(s->forms);
	free(s->pieces);
	free(s->found);
	rule_scratch_release(&s->scratch);
	*s = (struct match_cache){ 0 };
}

static bool is_full(const struct match_cache *s, const struct host_rules *v)
{
	return s->n_shapes * v->rules->n > STARTS_MAX || s->n_possible > ITEMS_MAX ||
	       s->n > ITEMS_MAX || s->n_questions > ITEMS_MAX || s->n_pieces > ITEMS_MAX;
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

/* The form of the key that the transformation gives; rules share what they can. */
static uint32_t form_of(struct match_cache *s, struct known_shape *shape,
			const struct transformation *t)
{
	const struct tokens *tokens = &s->scratch.tokens;
	struct key_form f = { .piece = (uint32_t)s->n_pieces,
			      .n_pieces = t->n,
			      .next = shape->form };

	for (uint16_t i = 0; i < t->n; i++) {
		struct key_piece piece = { .text = t->pieces[i].text };
		struct str slice = piece_slice(&t->pieces[i], s->scratch.captures);

		if (slice.n > 0) {
			piece.from = token_at(tokens, slice.p);
			piece.to = token_at(tokens, slice.p + slice.n);
		}
		VEC_ADD(s->pieces, s->n_pieces, s->pieces_cap, piece);
	}
	for (uint32_t i = shape->form; i > 0; i = s->forms[i - 1].next)
		if (s->forms[i - 1].n_pieces == f.n_pieces &&
		    same_pieces(s->pieces + s->forms[i - 1].piece, s->pieces + f.piece,
				f.n_pieces)) {
			s->n_pieces = f.piece;
			return i - 1;
		}
	VEC_ADD(s->forms, s->n_forms, s->forms_cap, f);
	shape->form = (uint32_t)s->n_forms;
	return shape->form - 1;
}

/* The words that a match compared, and what came of it, become a way of the tree. */
static void add_way(struct match_cache *s, match_step *start,
		    const struct word_tests *tests, match_step end)
{
	size_t n = MIN(tests->n, WORD_TESTS_MAX);
	match_step *at = start;

	VEC_RESERVE(s->questions, s->questions_cap, s->n_questions + n);
	for (size_t i = 0; i < n; i++) {
		const struct word_test *a = &tests->v[i];

		if (*at == UNKNOWN) {
			*at = TO_QUESTION((uint32_t)s->n_questions);
			s->questions[s->n_questions++] =
				(struct question){ .word = word_number(a->word, 0),
						   .token = a->token };
		}
		at = &s->questions[*at >> 2].next[a->same];
	}
	*at = end;
}

/* Match the URL at hand, and remember how it went; NO_MATCH or a form. */
static match_step match_rule(struct match_cache *s, const struct host_rules *v,
			     uint32_t nr, struct known_shape *shape)
{
	struct rule_scratch *scratch = &s->scratch;
	const struct rule *r = &v->rules->v[nr];
	match_step end = NO_MATCH;
	struct word_tests tests;

	if (!s->is_split)
		s->is_split = tokens_split(&scratch->tokens, s->tokens->url) == ST_OK;
	assert(s->is_split); /* its bounds are those of tokenize_fast() */
	if (pattern_match_recording(&r->pattern, &scratch->tokens, scratch->captures,
				    &tests))
		end = TO_FORM(form_of(s, shape, &r->transformation));
	add_way(s, &shape->start[nr], &tests, tests.n > WORD_TESTS_MAX ? TOO_LONG : end);
	return end;
}

/*
 * Of a rule that asks for a word first: does it match when none is there?  If not, the
 * tree says so, and needed_words() can tell.
 */
static void match_without(struct match_cache *s, const struct host_rules *v, uint32_t nr,
			  struct known_shape *shape)
{
	struct rule_scratch *scratch = &s->scratch;
	match_step *start = &shape->start[nr];
	struct word_tests tests;

	if (!IS_QUESTION(*start))
		return;
	struct token *first = &scratch->tokens.v[s->questions[*start >> 2].token];
	uint16_t n = first->n;
	first->n = 0; /* like no word of a context */
	if (!pattern_match_recording(&v->rules->v[nr].pattern, &scratch->tokens,
				     scratch->captures, &tests) &&
	    tests.n <= WORD_TESTS_MAX)
		add_way(s, start, &tests, NO_MATCH);
	first->n = n;
}

static struct known_shape *shape_of(struct match_cache *s, const struct host_rules *v)
{
	uint64_t *at = map_add(&s->by_shape, s->tokens->shape, NULL);

	if (*at == 0) {
		VEC_ADD(s->shapes, s->n_shapes, s->shapes_cap,
			(struct known_shape){
				xcalloc(v->rules->n + 1, sizeof(match_step)), 0,
				(uint32_t)s->tokens->n });
		*at = s->n_shapes;
	}
	return &s->shapes[*at - 1];
}

static void add_possible(struct match_cache *s, const struct host_rules *v, uint32_t nr,
			 struct known_shape *shape)
{
	if (shape->start[nr] == UNKNOWN) {
		match_rule(s, v, nr, shape);
		match_without(s, v, nr, shape);
	}
	if (shape->start[nr] != NO_MATCH)
		VEC_ADD(s->possible, s->n_possible, s->possible_cap,
			(struct possible_rule){ nr, shape->start[nr] });
}

/* A rule that needs this word in this place, or another for which it stands again. */
struct needed_word {
	uint64_t word;
	struct possible_rule rule;
	uint16_t token;
};

static int cmp_needed(const void *a, const void *b)
{
	const struct needed_word *x = a, *y = b;

	if (x->token != y->token)
		return x->token < y->token ? -1 : 1;
	return (x->word > y->word) - (x->word < y->word);
}

/* Fewer rules than this are tried one by one. */
#define DISPATCH_MIN 4

/* Whether the rule needs one of the words it asks for first; then they are listed. */
static bool add_needed_words(struct match_cache *s, struct possible_rule h)
{
	size_t known = s->n_needed;
	match_step step = h.start;

	while (IS_QUESTION(step)) {
		const struct question *q = &s->questions[step >> 2];

		if (s->n_needed > known && s->needed[known].token != q->token)
			break;
		size_t i = known; /* a way may ask twice */
		while (i < s->n_needed && s->needed[i].word != q->word)
			i++;
		if (i == s->n_needed)
			VEC_ADD(s->needed, s->n_needed, s->needed_cap,
				(struct needed_word){ q->word, h, q->token });
		step = q->next[0];
	}
	if (step != NO_MATCH)
		s->n_needed = known;
	return step == NO_MATCH;
}

static uint64_t word_key(const struct shape_rules *of, uint32_t nr, uint64_t word)
{
	return hash_mix(word ^ hash_mix(((uint64_t)of->dispatch + nr + 1) << 32));
}

/* The rules of one token, by word. */
static void add_dispatch(struct match_cache *s, struct shape_rules *to,
			 const struct needed_word *v, size_t n)
{
	VEC_ADD(s->dispatch, s->n_dispatch, s->dispatch_cap, v[0].token);
	for (size_t i = 0; i < n;) {
		size_t from = i, first = s->n_possible;

		for (; i < n && v[i].word == v[from].word; i++)
			VEC_ADD(s->possible, s->n_possible, s->possible_cap, v[i].rule);
		*map_add(&s->by_word, word_key(to, to->n_dispatch, v[from].word), NULL) =
			(uint64_t)first << 32 | (i - from);
	}
	to->n_dispatch++;
}

/* Dispatch those that need a word.  A rule that shares its token with few others is tried
 * without, so they are counted first. */
static void split_by_word(struct match_cache *s, struct shape_rules *of)
{
	uint32_t behind[UINT8_MAX + 1] = { 0 }, kept = 0; /* by token */

	s->n_needed = 0;
	of->dispatch = (uint32_t)s->n_dispatch;
	for (uint32_t i = 0; i < of->n; i++) {
		size_t known = s->n_needed;

		if (add_needed_words(s, s->possible[of->first + i]))
			behind[s->needed[known].token & UINT8_MAX]++;
	}
	s->n_needed = 0;
	for (uint32_t i = 0; i < of->n; i++) {
		struct possible_rule h = s->possible[of->first + i];
		size_t known = s->n_needed;

		if (add_needed_words(s, h) &&
		    behind[s->needed[known].token & UINT8_MAX] >= DISPATCH_MIN)
			continue;
		s->n_needed = known;
		s->possible[of->first + kept++] = h;
	}
	of->n = kept;
	s->n_possible = of->first + kept;
	if (s->n_needed > 1)
		qsort(s->needed, s->n_needed, sizeof(*s->needed), cmp_needed);
	for (size_t i = 0; i < s->n_needed;) {
		size_t from = i;

		while (i < s->n_needed && s->needed[i].token == s->needed[from].token)
			i++;
		add_dispatch(s, of, s->needed + from, i - from);
	}
}

/* Many hosts have the same rules: they share one shape_rules. */
static uint64_t share_shape_rules(struct match_cache *s, struct shape_rules made)
{
	struct str rules = { (const char *)(s->possible + made.first),
			     made.n * sizeof(*s->possible) };
	uint64_t *at = map_add(&s->by_rules, hash64_seeded(rules, made.shape), NULL);

	if (*at == 0) {
		split_by_word(s, &made);
		VEC_ADD(s->v, s->n, s->cap, made);
		*at = s->n;
	} else {
		s->n_possible = made.first;
	}
	return *at;
}

/* The rules of the host, without those that no URL of this shape can match. */
static uint64_t add_shape_rules(struct match_cache *s, const struct host_rules *v,
				uint32_t host)
{
	struct known_shape *shape = shape_of(s, v);
	struct shape_rules made = { .first = (uint32_t)s->n_possible,
				    .shape = (uint32_t)(shape - s->shapes),
				    .n_tokens = shape->n_tokens };
	size_t everywhere = v->n_everywhere, of_host = v->first[host + 1];

	if (shape->n_tokens != s->tokens->n) /* two shapes of one hash */
		everywhere = of_host = 0;
	for (size_t i = 0; i < everywhere; i++)
		if (rule_covers(&v->rules->v[v->everywhere[i]],
				intern_str(v->hosts, host)))
			add_possible(s, v, v->everywhere[i], shape);
	for (size_t i = v->first[host]; i < of_host; i++)
		add_possible(s, v, v->of_host[i], shape);
	made.n = (uint32_t)(s->n_possible - made.first);
	return share_shape_rules(s, made);
}

static struct shape_rules
find_shape_rules(struct match_cache *s, const struct host_rules *v, struct batched_url *g)
{
	uint64_t *at = map_find(&s->by_place, g->place);

	if (at)
		return s->v[*at - 1];
	s->tokens = &g->tokens;
	s->is_split = false;
	uint64_t nr = add_shape_rules(s, v, g->host);
	*map_add(&s->by_place, g->place, NULL) = nr;
	return s->v[nr - 1];
}

void match_cache_prepare(struct match_cache *s, const struct host_rules *v, size_t nr,
			 struct str url, uint32_t host)
{
	struct batched_url *g = &s->batch[nr];
	bool has_rules = v->first[host] != v->first[host + 1] || v->n_everywhere > 0;

	g->host = host;
	g->in_bounds = has_rules && tokenize_fast(&g->tokens, url);
	if (!g->in_bounds)
		return;
	g->place = g->tokens.shape ^ hash_mix(host + 1);
	map_fetch(&s->by_place, g->place);
}

static inline uint64_t word_at(const struct fast_tokens *c, uint16_t token)
{
	return word_number(fast_tokens_slice(c, token, token + 1u),
			   c->url.n - c->at[token]);
}

void match_cache_lookup(struct match_cache *s, const struct host_rules *v, size_t n)
{
	if (is_full(s, v))
		forget(s);
	for (size_t i = 0; i < n; i++) {
		struct batched_url *g = &s->batch[i];

		g->rules = (struct shape_rules){ 0 };
		if (!g->in_bounds)
			continue;
		bool same = i > 0 && g[-1].in_bounds && g->place == g[-1].place;

		g->rules = same ? g[-1].rules : find_shape_rules(s, v, g);
		if (g->rules.n_tokens != g->tokens.n) /* two shapes of one hash */
			g->rules = (struct shape_rules){ 0 };
		__builtin_prefetch(&s->possible[g->rules.first]);
	}
}

static inline match_step follow(const struct match_cache *s, match_step step)
{
	while (IS_QUESTION(step)) {
		const struct question *q = &s->questions[step >> 2];

		step = q->next[word_at(s->tokens, q->token) == q->word];
	}
	return step;
}

static uint64_t make_key(struct match_cache *s, const struct key_form *f)
{
	const struct key_piece *piece = s->pieces + f->piece;
	const struct fast_tokens *c = s->tokens;
	struct buf *to = &s->scratch.out;
	size_t n = 0;

	if (f->n_pieces == 1 && piece->text.n == 0 &&
	    piece->to - piece->from == (int)c->n)
		return hash64(c->url);
	for (uint32_t i = 0; i < f->n_pieces; i++)
		n += piece[i].text.n + fast_tokens_slice(c, piece[i].from, piece[i].to).n;
	buf_reset(to);
	char *p = buf_reserve(to, n), *end = p;
	for (uint32_t i = 0; i < f->n_pieces; i++) {
		struct str slice = fast_tokens_slice(c, piece[i].from, piece[i].to);

		end = mempcpy(end, piece[i].text.p, piece[i].text.n);
		end = mempcpy(end, slice.p, slice.n);
	}
	return hash64((struct str){ p, n });
}

/* Each form once a URL, for all rules that have it. */
static uint64_t key_of(struct match_cache *s, uint32_t form)
{
	struct key_form *f = &s->forms[form];

	if (f->url != s->url) {
		f->url = s->url;
		f->key = make_key(s, f);
	}
	return f->key;
}

/* Try `n` rules from `first` on. */
static void try_rules(struct match_cache *s, const struct host_rules *v, uint32_t shape,
		      uint32_t first, uint32_t n)
{
	VEC_RESERVE(s->found, s->found_cap, s->n_found + n);
	for (uint32_t i = 0; i < n; i++) {
		struct possible_rule h = s->possible[first + i];
		match_step step = follow(s, h.start);

		if (step == UNKNOWN || step == TOO_LONG)
			step = match_rule(s, v, h.rule, &s->shapes[shape]);
		if (IS_FORM(step))
			s->found[s->n_found++] =
				(struct rule_match){ h.rule, key_of(s, step >> 2) };
	}
}

void match_cache_apply(struct match_cache *s, const struct host_rules *v, size_t nr)
{
	const struct shape_rules *seen = &s->batch[nr].rules;

	s->n_found = 0;
	s->tokens = &s->batch[nr].tokens;
	s->is_split = false;
	s->url++;
	try_rules(s, v, seen->shape, seen->first, seen->n);
	for (uint32_t i = 0; i < seen->n_dispatch; i++) {
		uint64_t word = word_at(s->tokens, s->dispatch[seen->dispatch + i]);
		uint64_t *at = map_find(&s->by_word, word_key(seen, i, word));

		if (at)
			try_rules(s, v, seen->shape, (uint32_t)(*at >> 32),
				  (uint32_t)*at);
	}
}
