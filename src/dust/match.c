/* match.c - a context against the tokens of a URL. */
#include "dust/pattern.h"

/* A context made by alignment needs a few hundred steps; one that needs more
 * than this is (a|a)?(a|a)?... written to waste time. */
#define STEPS_MAX 20000

struct matcher_state {
	const struct url_pattern *p;
	const struct tokens *tokens;
	const struct token *url;
	size_t n;         /* tokens that are to be matched */
	uint32_t to_item; /* by the items before this one */
	struct str *captures;
	struct word_tests *tests; /* or NULL */
	unsigned steps;
};

/* A mark, or a word of the other type, is decided by the shape of the URL. */
static void record_test(struct word_tests *q, const struct token *word,
			const struct token *url, size_t at)
{
	if (word->type == TOKEN_PUNCT || word->type != url->type)
		return;
	if (q->n < WORD_TESTS_MAX)
		q->v[q->n] = (struct word_test){ token_str(*word), (uint16_t)at,
						 token_eq(*word, *url) };
	q->n++;
}

/* How many tokens the atom takes at most; 0 when it does not match. */
static inline size_t atom_length(const struct matcher_state *m, const struct atom *a,
				 size_t at)
{
	if (at >= m->n)
		return 0;
	switch (a->kind) {
	case ATOM_TOKEN:
		if (m->tests)
			record_test(m->tests, &a->token, &m->url[at], at);
		return token_eq(a->token, m->url[at]);
	case ATOM_ALPHA:
		return m->url[at].type == TOKEN_ALPHA;
	case ATOM_NUMBER:
		return m->url[at].type == TOKEN_NUMBER;
	case ATOM_STAR:
		return tokens_run(m->tokens, at, m->tokens->delims, TOKEN_DELIM);
	case ATOM_SEGMENT:
		return tokens_run(m->tokens, at, m->tokens->coarse, TOKEN_COARSE);
	}
	return 0;
}

static void capture(const struct matcher_state *m, const struct item *item, size_t from,
		    size_t to)
{
	const struct token *last = &m->url[to - 1];

	if (item->capture)
		m->captures[item->capture - 1] =
			(struct str){ m->url[from].p,
				      (size_t)(last->p + last->n - m->url[from].p) };
}

static bool match_from(struct matcher_state *m, uint32_t i, size_t at);

/* A run of which something may be left over for the next item: longest first. */
static bool match_shorter(struct matcher_state *m, uint32_t i, size_t at, size_t most)
{
	for (size_t n = most; n > 0; n--) {
		capture(m, &m->p->items[i], at, at + n);
		if (match_from(m, i + 1, at + n))
			return true;
	}
	return false;
}

static bool match_group(struct matcher_state *m, uint32_t i, size_t at)
{
	const struct item *item = &m->p->items[i];

	for (uint32_t k = 0; k < item->n; k++) {
		const struct alternative *alt = &m->p->alts[item->first + k];
		size_t to = at, n = 1;

		for (uint32_t j = 0; n > 0 && j < alt->n; j++, to += n)
			n = atom_length(m, &m->p->atoms[alt->first + j], to);
		if (n > 0 && match_from(m, i + 1, to))
			return true;
	}
	return item->optional && match_from(m, i + 1, at);
}

static bool match_from(struct matcher_state *m, uint32_t i, size_t at)
{
	for (; i < m->to_item; i++) {
		const struct item *item = &m->p->items[i];

		if (!item->single)
			return m->steps++ < STEPS_MAX && match_group(m, i, at);
		size_t n = atom_length(m, &item->atom, at);
		if (n == 0)
			return false;
		if (n > 1 && !item->greedy)
			return m->steps++ < STEPS_MAX && match_shorter(m, i, at, n);
		capture(m, item, at, at + n);
		at += n;
	}
	return at == m->n;
}

/* Eight at a time; both arrays have room behind their end. */
static inline bool same_marks(const char *a, const char *b, size_t n)
{
	for (; n > 8; a += 8, b += 8, n -= 8) {
		uint64_t x, y;

		memcpy(&x, a, 8), memcpy(&y, b, 8);
		if (x != y)
			return false;
	}
	uint64_t x, y;

	memcpy(&x, a, 8), memcpy(&y, b, 8);
	return n == 0 || (x ^ y) << (64 - 8 * n) == 0;
}

static inline uint32_t low_bits(uint64_t bits, unsigned n)
{
	return (uint32_t)(bits & (((uint64_t)1 << n) - 1));
}

static bool fits_frames(const struct url_pattern *p, const struct tokens *url)
{
	size_t tail_from = url->n_marks - p->tail.n_marks;

	return url->n_marks >= (size_t)p->head.n_marks + p->tail.n_marks &&
	       low_bits(url->filled, p->head.n_marks) == p->head.filled &&
	       low_bits(url->filled >> (tail_from + 1), p->tail.n_marks) ==
		       p->tail.filled &&
	       same_marks(url->marks, p->head.marks, p->head.n_marks) &&
	       same_marks(url->marks + tail_from, p->tail.marks, p->tail.n_marks);
}

/* What lies between mark `nr` - 1 and mark `nr`; the ends of the URL are marks, too. */
static struct str between_marks(const struct tokens *t, size_t nr)
{
	const struct token *last = &t->v[t->n - 1];
	const char *from = nr == 0 ? t->v[0].p : t->v[t->mark_at[nr - 1]].p + 1;
	const char *to = nr == t->n_marks ? last->p + last->n : t->v[t->mark_at[nr]].p;

	return (struct str){ from, (size_t)(to - from) };
}

/* The runs of a frame are captured in their order; `nr` is the first place it speaks of.
 */
static void capture_runs(const struct frame *f, const struct tokens *url, size_t nr,
			 struct str *captures)
{
	for (uint32_t left = f->captured; left; left &= left - 1)
		*captures++ = between_marks(url, nr + (unsigned)__builtin_ctz(left));
}

static bool match(const struct url_pattern *p, const struct tokens *url,
		  struct str *captures, struct word_tests *tests)
{
	struct matcher_state m = { .p = p,
				   .tokens = url,
				   .url = url->v,
				   .n = url->n,
				   .to_item = p->n,
				   .captures = captures,
				   .tests = tests };
	const struct frame *head = &p->head, *tail = &p->tail;
	size_t at = 0;

	if (url->n_marks > MARKS_MAX)
		return match_from(&m, 0, 0);
	if (!fits_frames(p, url))
		return false;
	if (head->n_marks > 0)
		at = url->mark_at[head->n_marks - 1] + 1u;
	if (tail->n_marks > 0)
		m.n = url->mark_at[url->n_marks - tail->n_marks];
	m.to_item -= tail->n_items;
	if (!match_from(&m, head->n_items, at))
		return false;
	capture_runs(head, url, 0, captures);
	capture_runs(tail, url, url->n_marks - tail->n_marks + 1,
		     captures + p->n_captures - __builtin_popcount(tail->captured));
	return true;
}

bool pattern_match(const struct url_pattern *p, const struct tokens *url,
		   struct str *captures)
{
	return match(p, url, captures, NULL);
}

bool pattern_match_recording(const struct url_pattern *p, const struct tokens *url,
			     struct str *captures, struct word_tests *ret)
{
	ret->n = 0;
	return match(p, url, captures, ret);
}

void transformation_apply(const struct transformation *t, const struct str *captures,
			  struct buf *to)
{
	size_t n = 0;

	for (uint16_t i = 0; i < t->n; i++)
		n += t->pieces[i].text.n + piece_slice(&t->pieces[i], captures).n;
	char *p = buf_reserve(to, n);
	if (!p)
		return;
	for (uint16_t i = 0; i < t->n; i++) {
		struct str text = t->pieces[i].text;

		p = mempcpy(p, text.p, text.n);
		text = piece_slice(&t->pieces[i], captures);
		p = mempcpy(p, text.p, text.n);
	}
	to->n += n;
}
