#include "learn/sight.h"

#include <assert.h>
#include <stdlib.h>

#include "align/numbers.h"
#include "base/alloc.h"
#include "base/hash.h"

/* What is remembered: some 100 MB at most. */
#define STARTS_MAX ((size_t)1 << 23) /* looks times rules */
#define ITEMS_MAX  ((size_t)1 << 21) /* of anything else */

#define UNKNOWN  ((sight_step)0)
#define NO_MATCH ((sight_step)4)
/* A match that asks for too much is done anew each time. */
#define TOO_LONG        ((sight_step)8)
#define TO_QUESTION(nr) ((sight_step)((nr) << 2 | 1))
#define TO_FORM(nr)     ((sight_step)((nr) << 2 | 2))
#define IS_QUESTION(s)  (((s)&3) == 1)
#define IS_FORM(s)      (((s)&3) == 2)

static bool is_rewrite(const struct rule *r)
{
	uint64_t shapes[SHAPES_MAX + 1];

	return !r->is_operation && rule_is_active(r) &&
	       pattern_shapes(&r->pattern, shapes) <= SHAPES_MAX;
}

/* Count the rules of each host, or list them, where `of_host` has room. */
static void add_sites(struct view *v, const struct rule *r, uint32_t nr)
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

void view_init(struct view *v, const struct rule_set *rules, const struct intern *hosts)
{
	bool *use = xcalloc(rules->n + 1, sizeof(*use));

	*v = (struct view){ .rules = rules, .hosts = hosts };
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

void view_release(struct view *v)
{
	free(v->first);
	free(v->of_host);
	free(v->everywhere);
	*v = (struct view){ 0 };
}

static void forget(struct sights *s)
{
	for (size_t i = 0; i < s->n_looks; i++)
		free(s->looks[i].start);
	s->n_looks = s->n = s->n_hopeful = s->n_doors = 0;
	s->n_questions = s->n_forms = s->n_pieces = 0;
	map_reset(&s->by_look);
	map_reset(&s->by_place);
	map_reset(&s->by_rules);
	map_reset(&s->by_word);
}

void sights_release(struct sights *s)
{
	forget(s);
	map_release(&s->by_look);
	map_release(&s->by_place);
	map_release(&s->by_rules);
	map_release(&s->by_word);
	free(s->looks);
	free(s->v);
	free(s->hopeful);
	free(s->doors);
	free(s->keyed);
	free(s->questions);
	free(s->forms);
	free(s->pieces);
	free(s->found);
	rule_scratch_release(&s->scratch);
	*s = (struct sights){ 0 };
}

static bool is_full(const struct sights *s, const struct view *v)
{
	return s->n_looks * v->rules->n > STARTS_MAX || s->n_hopeful > ITEMS_MAX ||
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
static uint32_t form_of(struct sights *s, struct look_seen *look,
			const struct transformation *t)
{
	const struct tokens *tokens = &s->scratch.tokens;
	struct key_form f = { .piece = (uint32_t)s->n_pieces,
			      .n_pieces = t->n,
			      .next = look->form };

	for (uint16_t i = 0; i < t->n; i++) {
		struct key_piece piece = { .text = t->pieces[i].text };
		struct str slice = piece_slice(&t->pieces[i], s->scratch.captures);

		if (slice.n > 0) {
			piece.from = token_at(tokens, slice.p);
			piece.to = token_at(tokens, slice.p + slice.n);
		}
		VEC_ADD(s->pieces, s->n_pieces, s->pieces_cap, piece);
	}
	for (uint32_t i = look->form; i > 0; i = s->forms[i - 1].next)
		if (s->forms[i - 1].n_pieces == f.n_pieces &&
		    same_pieces(s->pieces + s->forms[i - 1].piece, s->pieces + f.piece,
				f.n_pieces)) {
			s->n_pieces = f.piece;
			return i - 1;
		}
	VEC_ADD(s->forms, s->n_forms, s->forms_cap, f);
	look->form = (uint32_t)s->n_forms;
	return look->form - 1;
}

/* The questions that a match asked, and what came of it, become a way of the tree. */
static void add_way(struct sights *s, sight_step *start, const struct questions *asked,
		    sight_step end)
{
	size_t n = MIN(asked->n, ASKED_MAX);
	sight_step *at = start;

	VEC_RESERVE(s->questions, s->questions_cap, s->n_questions + n);
	for (size_t i = 0; i < n; i++) {
		const struct asked *a = &asked->v[i];

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
static sight_step match_rule(struct sights *s, const struct view *v, uint32_t nr,
			     struct look_seen *look)
{
	struct rule_scratch *scratch = &s->scratch;
	const struct rule *r = &v->rules->v[nr];
	sight_step end = NO_MATCH;
	struct questions asked;

	if (!s->is_split)
		s->is_split = tokens_split(&scratch->tokens, s->cut->url) == ST_OK;
	assert(s->is_split); /* its bounds are those of cut_url() */
	if (pattern_match_asking(&r->pattern, &scratch->tokens, scratch->captures,
				 &asked))
		end = TO_FORM(form_of(s, look, &r->transformation));
	add_way(s, &look->start[nr], &asked, asked.n > ASKED_MAX ? TOO_LONG : end);
	return end;
}

/*
 * Of a rule that asks for a word first: does it match when none is there?  If not, the
 * tree says so, and needed_words() can tell.
 */
static void match_without(struct sights *s, const struct view *v, uint32_t nr,
			  struct look_seen *look)
{
	struct rule_scratch *scratch = &s->scratch;
	sight_step *start = &look->start[nr];
	struct questions asked;

	if (!IS_QUESTION(*start))
		return;
	struct token *first = &scratch->tokens.v[s->questions[*start >> 2].token];
	uint16_t n = first->n;
	first->n = 0; /* like no word of a context */
	if (!pattern_match_asking(&v->rules->v[nr].pattern, &scratch->tokens,
				  scratch->captures, &asked) &&
	    asked.n <= ASKED_MAX)
		add_way(s, start, &asked, NO_MATCH);
	first->n = n;
}

static struct look_seen *look_of(struct sights *s, const struct view *v)
{
	uint64_t *at = map_add(&s->by_look, s->cut->look, NULL);

	if (*at == 0) {
		VEC_ADD(s->looks, s->n_looks, s->looks_cap,
			(struct look_seen){ xcalloc(v->rules->n + 1, sizeof(sight_step)),
					    0, (uint32_t)s->cut->n });
		*at = s->n_looks;
	}
	return &s->looks[*at - 1];
}

static void add_hopeful(struct sights *s, const struct view *v, uint32_t nr,
			struct look_seen *look)
{
	if (look->start[nr] == UNKNOWN) {
		match_rule(s, v, nr, look);
		match_without(s, v, nr, look);
	}
	if (look->start[nr] != NO_MATCH)
		VEC_ADD(s->hopeful, s->n_hopeful, s->hopeful_cap,
			(struct hopeful){ nr, look->start[nr] });
}

/* A rule that needs this word in this place, or another for which it stands again. */
struct keyed {
	uint64_t word;
	struct hopeful rule;
	uint16_t token;
};

static int cmp_keyed(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->token != y->token)
		return x->token < y->token ? -1 : 1;
	return (x->word > y->word) - (x->word < y->word);
}

/* Fewer rules than this need no door. */
#define BEHIND_DOOR_MIN 4

/* Whether the rule needs one of the words it asks for first; then they are listed. */
static bool add_keyed(struct sights *s, struct hopeful h)
{
	size_t known = s->n_keyed;
	sight_step step = h.start;

	while (IS_QUESTION(step)) {
		const struct question *q = &s->questions[step >> 2];

		if (s->n_keyed > known && s->keyed[known].token != q->token)
			break;
		size_t i = known; /* a way may ask twice */
		while (i < s->n_keyed && s->keyed[i].word != q->word)
			i++;
		if (i == s->n_keyed)
			VEC_ADD(s->keyed, s->n_keyed, s->keyed_cap,
				(struct keyed){ q->word, h, q->token });
		step = q->next[0];
	}
	if (step != NO_MATCH)
		s->n_keyed = known;
	return step == NO_MATCH;
}

static uint64_t word_key(const struct sight *of, uint32_t door, uint64_t word)
{
	return hash_mix(word ^ hash_mix(((uint64_t)of->door + door + 1) << 32));
}

/* The rules of one token, by word. */
static void add_door(struct sights *s, struct sight *to, const struct keyed *v, size_t n)
{
	VEC_ADD(s->doors, s->n_doors, s->doors_cap, v[0].token);
	for (size_t i = 0; i < n;) {
		size_t from = i, first = s->n_hopeful;

		for (; i < n && v[i].word == v[from].word; i++)
			VEC_ADD(s->hopeful, s->n_hopeful, s->hopeful_cap, v[i].rule);
		*map_add(&s->by_word, word_key(to, to->n_doors, v[from].word), NULL) =
			(uint64_t)first << 32 | (i - from);
	}
	to->n_doors++;
}

/* Put those that need a word behind doors.  A rule that stands with few others is asked
 * without, so it is looked for first. */
static void split_sight(struct sights *s, struct sight *of)
{
	uint32_t behind[UINT8_MAX + 1] = { 0 }, kept = 0; /* by token */

	s->n_keyed = 0;
	of->door = (uint32_t)s->n_doors;
	for (uint32_t i = 0; i < of->n; i++) {
		size_t known = s->n_keyed;

		if (add_keyed(s, s->hopeful[of->first + i]))
			behind[s->keyed[known].token & UINT8_MAX]++;
	}
	s->n_keyed = 0;
	for (uint32_t i = 0; i < of->n; i++) {
		struct hopeful h = s->hopeful[of->first + i];
		size_t known = s->n_keyed;

		if (add_keyed(s, h) &&
		    behind[s->keyed[known].token & UINT8_MAX] >= BEHIND_DOOR_MIN)
			continue;
		s->n_keyed = known;
		s->hopeful[of->first + kept++] = h;
	}
	of->n = kept;
	s->n_hopeful = of->first + kept;
	if (s->n_keyed > 1)
		qsort(s->keyed, s->n_keyed, sizeof(*s->keyed), cmp_keyed);
	for (size_t i = 0; i < s->n_keyed;) {
		size_t from = i;

		while (i < s->n_keyed && s->keyed[i].token == s->keyed[from].token)
			i++;
		add_door(s, of, s->keyed + from, i - from);
	}
}

/* Many hosts have the same rules: one sight is enough for them. */
static uint64_t share_sight(struct sights *s, struct sight made)
{
	struct str rules = { (const char *)(s->hopeful + made.first),
			     made.n * sizeof(*s->hopeful) };
	uint64_t *at = map_add(&s->by_rules, hash64_seeded(rules, made.look), NULL);

	if (*at == 0) {
		split_sight(s, &made);
		VEC_ADD(s->v, s->n, s->cap, made);
		*at = s->n;
	} else {
		s->n_hopeful = made.first;
	}
	return *at;
}

/* The rules of the host, without those that no URL of this look can match. */
static uint64_t add_sight(struct sights *s, const struct view *v, uint32_t host)
{
	struct look_seen *look = look_of(s, v);
	struct sight made = { .first = (uint32_t)s->n_hopeful,
			      .look = (uint32_t)(look - s->looks),
			      .n_tokens = look->n_tokens };
	size_t everywhere = v->n_everywhere, of_host = v->first[host + 1];

	if (look->n_tokens != s->cut->n) /* two looks of one hash */
		everywhere = of_host = 0;
	for (size_t i = 0; i < everywhere; i++)
		if (rule_covers(&v->rules->v[v->everywhere[i]],
				intern_str(v->hosts, host)))
			add_hopeful(s, v, v->everywhere[i], look);
	for (size_t i = v->first[host]; i < of_host; i++)
		add_hopeful(s, v, v->of_host[i], look);
	made.n = (uint32_t)(s->n_hopeful - made.first);
	return share_sight(s, made);
}

static struct sight find_sight(struct sights *s, const struct view *v, struct glance *g)
{
	uint64_t *at = map_find(&s->by_place, g->place);

	if (at)
		return s->v[*at - 1];
	s->cut = &g->cut;
	s->is_split = false;
	uint64_t nr = add_sight(s, v, g->host);
	*map_add(&s->by_place, g->place, NULL) = nr;
	return s->v[nr - 1];
}

void sights_glance(struct sights *s, const struct view *v, size_t nr, struct str url,
		   uint32_t host)
{
	struct glance *g = &s->glances[nr];
	bool has_rules = v->first[host] != v->first[host + 1] || v->n_everywhere > 0;

	g->host = host;
	g->in_bounds = has_rules && cut_url(&g->cut, url);
	if (!g->in_bounds)
		return;
	g->place = g->cut.look ^ hash_mix(host + 1);
	map_fetch(&s->by_place, g->place);
}

static inline uint64_t word_at(const struct cut *c, uint16_t token)
{
	return word_number(cut_slice(c, token, token + 1u), c->url.n - c->at[token]);
}

void sights_look(struct sights *s, const struct view *v, size_t n)
{
	if (is_full(s, v))
		forget(s);
	for (size_t i = 0; i < n; i++) {
		struct glance *g = &s->glances[i];

		g->sight = (struct sight){ 0 };
		if (!g->in_bounds)
			continue;
		bool same = i > 0 && g[-1].in_bounds && g->place == g[-1].place;

		g->sight = same ? g[-1].sight : find_sight(s, v, g);
		if (g->sight.n_tokens != g->cut.n) /* two looks of one hash */
			g->sight = (struct sight){ 0 };
		__builtin_prefetch(&s->hopeful[g->sight.first]);
	}
}

static inline sight_step follow(const struct sights *s, sight_step step)
{
	while (IS_QUESTION(step)) {
		const struct question *q = &s->questions[step >> 2];

		step = q->next[word_at(s->cut, q->token) == q->word];
	}
	return step;
}

static uint64_t make_key(struct sights *s, const struct key_form *f)
{
	const struct key_piece *piece = s->pieces + f->piece;
	const struct cut *c = s->cut;
	struct buf *to = &s->scratch.out;
	size_t n = 0;

	if (f->n_pieces == 1 && piece->text.n == 0 &&
	    piece->to - piece->from == (int)c->n)
		return hash64(c->url);
	for (uint32_t i = 0; i < f->n_pieces; i++)
		n += piece[i].text.n + cut_slice(c, piece[i].from, piece[i].to).n;
	buf_reset(to);
	char *p = buf_reserve(to, n), *end = p;
	for (uint32_t i = 0; i < f->n_pieces; i++) {
		struct str slice = cut_slice(c, piece[i].from, piece[i].to);

		end = mempcpy(end, piece[i].text.p, piece[i].text.n);
		end = mempcpy(end, slice.p, slice.n);
	}
	return hash64((struct str){ p, n });
}

/* Each form once a URL, for all rules that have it. */
static uint64_t key_of(struct sights *s, uint32_t form)
{
	struct key_form *f = &s->forms[form];

	if (f->url != s->url) {
		f->url = s->url;
		f->key = make_key(s, f);
	}
	return f->key;
}

/* Ask `n` rules from `first` on. */
static void ask_rules(struct sights *s, const struct view *v, uint32_t look,
		      uint32_t first, uint32_t n)
{
	VEC_RESERVE(s->found, s->found_cap, s->n_found + n);
	for (uint32_t i = 0; i < n; i++) {
		struct hopeful h = s->hopeful[first + i];
		sight_step step = follow(s, h.start);

		if (step == UNKNOWN || step == TOO_LONG)
			step = match_rule(s, v, h.rule, &s->looks[look]);
		if (IS_FORM(step))
			s->found[s->n_found++] =
				(struct sighted){ h.rule, key_of(s, step >> 2) };
	}
}

void sights_take(struct sights *s, const struct view *v, size_t nr)
{
	const struct sight *seen = &s->glances[nr].sight;

	s->n_found = 0;
	s->cut = &s->glances[nr].cut;
	s->is_split = false;
	s->url++;
	ask_rules(s, v, seen->look, seen->first, seen->n);
	for (uint32_t i = 0; i < seen->n_doors; i++) {
		uint64_t word = word_at(s->cut, s->doors[seen->door + i]);
		uint64_t *at = map_find(&s->by_word, word_key(seen, i, word));

		if (at)
			ask_rules(s, v, seen->look, (uint32_t)(*at >> 32), (uint32_t)*at);
	}
}
