#include "applearn/site_learner.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

#define RUN_WORDS     4
#define PAGE_RUNS_MAX 4096
#define DEPTH_NONE    UINT32_MAX
#define DEPTH_FAR     20 /* of what no link leads to */
/* Less text of its own may be a date, a name, a word of the day. */
#define OWN_RUNS_MIN     6
#define FORMS_TRIED_MAX  2000
#define FAMILIES_WAY_MAX 200

bool site_learner_add(struct site_learner *l, struct str path, bool is_redirect)
{
	uint32_t url = url_forms_add(&l->forms, path);
	bool is_new;

	if (url == FORM_NONE)
		return false;
	uint64_t *at = map_add(&l->by_url, (uint64_t)url + 1, &is_new);
	if (!is_new)
		return false;
	VEC_ADD(l->pages, l->n, l->cap,
		(struct learnt_page){ .url = url,
				      .first_link = (uint32_t)l->n_links,
				      .first_run = (uint32_t)l->n_runs,
				      .depth = DEPTH_NONE,
				      .is_redirect = is_redirect });
	*at = l->n;
	return true;
}

void site_learner_add_link(struct site_learner *l, struct str path)
{
	uint32_t url = url_forms_add(&l->forms, path);

	if (url == FORM_NONE || l->n == 0 || l->n_links >= UINT32_MAX - 1)
		return;
	VEC_ADD(l->links, l->n_links, l->links_cap, url);
	l->pages[l->n - 1].n_links++;
}

static bool is_word_byte(char c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c) || (unsigned char)c >= 0x80;
}

void site_learner_add_text(struct site_learner *l, struct str text)
{
	uint64_t last[RUN_WORDS] = { 0 };
	struct learnt_page *p = l->n ? &l->pages[l->n - 1] : NULL;
	size_t words = 0, i = 0;

	while (p && i < text.n && p->n_runs < PAGE_RUNS_MAX &&
	       l->n_runs < LEARN_RUNS_MAX) {
		uint64_t h = 0, run = 0;

		while (i < text.n && !is_word_byte(text.p[i]))
			i++;
		for (; i < text.n && is_word_byte(text.p[i]); i++)
			h = h * 0x100000001b3u + (unsigned char)ascii_lower(text.p[i]) +
			    1;
		memmove(last, last + 1, sizeof(last) - sizeof(last[0]));
		last[RUN_WORDS - 1] = h;
		for (size_t k = 0; k < RUN_WORDS; k++)
			run = hash_mix(run + last[k]);
		if (h == 0 || ++words < RUN_WORDS)
			continue;
		VEC_ADD(l->runs, l->n_runs, l->runs_cap, run);
		p->n_runs++;
	}
}

void site_learner_release(struct site_learner *l)
{
	url_forms_release(&l->forms);
	free(l->pages);
	map_release(&l->by_url);
	free(l->links);
	free(l->runs);
	free(l->learnt);
	*l = (struct site_learner){ 0 };
}

static uint32_t family_of(const struct site_learner *l, const struct learnt_page *p)
{
	return l->forms.forms[l->forms.form_of[p->url]].family;
}

static struct learnt_page *page_of(const struct site_learner *l, uint32_t url)
{
	const uint64_t *at = map_find(&l->by_url, (uint64_t)url + 1);

	return at ? &l->pages[*at - 1] : NULL;
}

static bool is_kept(const struct site_learner *l, uint32_t family)
{
	return l->learnt[family].use == FORM_CONTENT || l->learnt[family].use == FORM_WAY;
}

/* --- the ways --- */

/* Which pages are reached from the first one; `all`: by any page, else by kept ones. */
static void walk(struct site_learner *l, bool all)
{
	uint32_t *queue = xcalloc(l->n + 1, sizeof(*queue));
	size_t head = 0, tail = 0;

	for (size_t i = 0; i < l->n; i++)
		l->pages[i].depth = DEPTH_NONE;
	if (l->n > 0) {
		l->pages[0].depth = 0;
		queue[tail++] = 0;
	}
	while (head < tail) {
		const struct learnt_page *p = &l->pages[queue[head++]];

		for (uint32_t k = 0; k < p->n_links; k++) {
			struct learnt_page *to = page_of(l, l->links[p->first_link + k]);

			if (!to || to->depth != DEPTH_NONE ||
			    (!all && !is_kept(l, family_of(l, to))))
				continue;
			to->depth = p->depth + 1;
			queue[tail++] = (uint32_t)(to - l->pages);
		}
	}
	free(queue);
}

/* --- the content --- */

struct holder {
	uint64_t run;
	uint32_t family;
};

struct cover {
	struct holder *v; /* each run of each family once, by run */
	size_t n;
	uint32_t *order; /* families, those that are dropped first in front */
	size_t n_order;
};

static int by_run(const void *a, const void *b)
{
	const struct holder *x = a, *y = b;

	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	return x->family < y->family ? -1 : x->family > y->family;
}

static void collect_runs(const struct site_learner *l, struct cover *c)
{
	size_t n = 0;

	c->v = xcalloc(l->n_runs + 1, sizeof(*c->v));
	for (size_t i = 0; i < l->n; i++)
		for (uint32_t k = 0; k < l->pages[i].n_runs; k++)
			c->v[n++] = (struct holder){ l->runs[l->pages[i].first_run + k],
						     family_of(l, &l->pages[i]) };
	if (n)
		qsort(c->v, n, sizeof(*c->v), by_run);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || by_run(&c->v[i], &c->v[i - 1]) != 0)
			c->v[c->n++] = c->v[i];
}

static const struct site_learner *ordering;

/* Far from the first page before near, many parts before few, many pages before few. */
static int by_worth(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct learnt_form *p = &ordering->learnt[x], *q = &ordering->learnt[y];
	double depth_x = (double)p->depth_sum / MAX(p->firsts, 1),
	       depth_y = (double)q->depth_sum / MAX(q->firsts, 1);
	size_t parts_x = ordering->forms.forms[x].n, parts_y = ordering->forms.forms[y].n;

	if (depth_x > depth_y + 0.3 || depth_y > depth_x + 0.3)
		return depth_x > depth_y ? -1 : 1;
	if (parts_x != parts_y)
		return parts_x > parts_y ? -1 : 1;
	return p->pages != q->pages ? (p->pages > q->pages ? -1 : 1) : (x < y ? 1 : -1);
}

/* How many runs `family` has that no other kept family has. */
static uint32_t own_runs(const struct site_learner *l, const struct cover *c,
			 uint32_t family)
{
	uint32_t own = 0;

	for (size_t i = 0; i < c->n;) {
		size_t end = i;
		bool here = false, elsewhere = false;

		for (; end < c->n && c->v[end].run == c->v[i].run; end++) {
			if (c->v[end].family == family)
				here = true;
			else
				elsewhere |=
					l->learnt[c->v[end].family].use == FORM_CONTENT;
		}
		own += here && !elsewhere;
		i = end;
	}
	return own;
}

/* A text that is the same on all pages of a family says nothing of any of them. */
static bool has_own_text(const struct learnt_form *f, uint32_t own)
{
	return own >= OWN_RUNS_MIN && own >= f->with_text * 2;
}

static void find_content(struct site_learner *l)
{
	struct cover c = { 0 };

	collect_runs(l, &c);
	for (size_t i = 0; i < c.n; i++)
		l->learnt[c.v[i].family].runs++;
	c.order = xcalloc(l->forms.n_forms + 1, sizeof(*c.order));
	for (uint32_t i = 0; i < l->forms.n_forms; i++)
		if (l->learnt[i].use == FORM_CONTENT)
			c.order[c.n_order++] = i;
	ordering = l;
	if (c.n_order)
		qsort(c.order, c.n_order, sizeof(*c.order), by_worth);
	for (size_t i = 0; i < MIN(c.n_order, (size_t)FORMS_TRIED_MAX); i++) {
		struct learnt_form *f = &l->learnt[c.order[i]];

		f->own_runs = f->runs ? own_runs(l, &c, c.order[i]) : 0;
		if (!has_own_text(f, f->own_runs))
			f->use = FORM_REPEATS;
	}
	free(c.v);
	free(c.order);
}

/* --- the ways to it --- */

/* Of each family that is left out: how many pages that are missed do reached pages of
 * it, or links to it, lead to? */
static uint32_t best_way(struct site_learner *l, const bool *wanted)
{
	uint32_t *gain = xcalloc(l->forms.n_forms + 1, sizeof(*gain));
	uint32_t best = FORM_NONE;
	double best_worth = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct learnt_page *p = &l->pages[i];

		if (is_kept(l, family_of(l, p)))
			continue;
		for (uint32_t k = 0; k < p->n_links; k++) {
			const struct learnt_page *to =
				page_of(l, l->links[p->first_link + k]);

			gain[family_of(l, p)] +=
				to && to->depth == DEPTH_NONE && wanted[to - l->pages];
		}
	}
	for (uint32_t i = 0; i < l->forms.n_forms; i++) {
		const struct learnt_form *f = &l->learnt[i];
		double worth = gain[i] / (1.0 + f->pages) /
			       (1.0 + (double)f->depth_sum / MAX(f->firsts, 1));

		if (worth > best_worth) {
			best_worth = worth;
			best = i;
		}
	}
	free(gain);
	return best;
}

static void find_ways(struct site_learner *l)
{
	bool *wanted = xcalloc(l->n + 1, sizeof(*wanted));
	uint32_t way = 0;

	for (size_t i = 0; i < l->n; i++)
		wanted[i] = l->pages[i].depth != DEPTH_NONE &&
			    l->learnt[family_of(l, &l->pages[i])].use == FORM_CONTENT;
	for (size_t n = 0; n < FAMILIES_WAY_MAX && way != FORM_NONE; n++) {
		walk(l, false);
		way = best_way(l, wanted);
		if (way != FORM_NONE)
			l->learnt[way].use = FORM_WAY;
	}
	free(wanted);
}

void site_learner_finish(struct site_learner *l)
{
	url_forms_make(&l->forms);
	l->learnt = xcalloc(l->forms.n_forms + 1, sizeof(*l->learnt));
	walk(l, true);
	for (size_t i = 0; i < l->n; i++) {
		struct learnt_form *f = &l->learnt[family_of(l, &l->pages[i])];

		f->pages++;
		f->with_text += l->pages[i].n_runs > 0;
		if (l->forms.forms[l->forms.form_of[l->pages[i].url]].pager ==
		    FORM_NONE) {
			f->firsts++;
			f->depth_sum += MIN(l->pages[i].depth, (uint32_t)DEPTH_FAR);
		}
		f->use = FORM_CONTENT; /* until it turns out otherwise */
	}
	find_content(l);
	find_ways(l);
}

size_t site_learner_kept(const struct site_learner *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		n += is_kept(l, family_of(l, &l->pages[i]));
	return n;
}
