/* match.c - a context against the tokens of a URL. */
#include "dust/pattern.h"

/* A context made by alignment needs a few hundred steps; one that needs more
 * than this is (a|a)?(a|a)?... written to waste time. */
#define STEPS_MAX 20000

struct matcher_state {
	const struct pattern *p;
	const struct tokens *tokens;
	const struct token *url;
	size_t n;
	struct str *captures;
	unsigned steps;
};

/* How many tokens the atom takes at most; 0 when it does not match. */
static inline size_t atom_length(const struct matcher_state *m, const struct atom *a,
				 size_t at)
{
	if (at >= m->n)
		return 0;
	switch (a->kind) {
	case ATOM_TOKEN:
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
	for (; i < m->p->n; i++) {
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

bool pattern_match(const struct pattern *p, const struct tokens *url,
		   struct str *captures)
{
	struct matcher_state m = {
		.p = p, .tokens = url, .url = url->v, .n = url->n, .captures = captures
	};

	return match_from(&m, 0, 0);
}

void transformation_apply(const struct transformation *t, const struct str *captures,
			  struct buf *to)
{
	size_t n = 0;

	for (uint16_t i = 0; i < t->n; i++) {
		n += t->pieces[i].text.n;
		if (t->pieces[i].capture)
			n += captures[t->pieces[i].capture - 1].n;
	}
	char *p = buf_reserve(to, n);
	if (!p)
		return;
	for (uint16_t i = 0; i < t->n; i++) {
		struct str text = t->pieces[i].text;

		p = mempcpy(p, text.p, text.n);
		if (t->pieces[i].capture) {
			text = captures[t->pieces[i].capture - 1];
			p = mempcpy(p, text.p, text.n);
		}
	}
	to->n += n;
}
