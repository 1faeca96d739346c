/*
 * text.c - terms at three granularities: the page, the paragraph around a link, its
 * anchor text.
 *
 * One pass over the text of the page finds all terms with their places; paragraphs and
 * anchors are ranges of it.  What a link says outside of the text (alt, title, an entry
 * of a feed) is looked at apart.
 */
#include "base/alloc.h"
#include "focus/focus.h"

/* A page with less is taken whole: what was found to be main content may be an error. */
#define MAIN_BYTES_MIN 200u
/* A term that comes once in a text of this length is one mention; in a longer one less.
 */
#define MENTION_BYTES 2000.0f

static float weight_of(const struct focus_page *p, uint32_t term)
{
	return p->w->focus->terms.v[term].weight;
}

static size_t offset_in(struct str whole, struct str part)
{
	return part.p >= whole.p && part.p + part.n <= whole.p + whole.n
		       ? (size_t)(part.p - whole.p)
		       : STR_NONE;
}

/* The sum of weights of matches that lie in [from, to). */
static float sum_between(const struct focus_page *p, size_t from, size_t to)
{
	const struct term_scratch *s = &p->w->matches;
	size_t low = 0, high = s->n;
	float sum = 0;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (s->v[middle].from < from)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < s->n && s->v[low].from < to; low++)
		if (s->v[low].to <= to)
			sum += weight_of(p, s->v[low].term);
	return sum;
}

static float score_of_text(struct focus_page *p, struct str text)
{
	struct term_scratch *s = &p->w->few;
	float sum = 0;

	terms_find(&p->w->focus->terms, text, s);
	for (size_t i = 0; i < s->n; i++)
		sum += weight_of(p, s->v[i].term);
	return focus_term_score(sum, p->w->focus->any_match);
}

/* --- the document --- */

static void count_term(struct focus_worker *w, uint32_t term)
{
	if (w->seen[term]++ == 0)
		VEC_ADD(w->touched, w->n_touched, w->touched_cap, term);
}

/* Matches of main content alone, where it is known; blocks and matches are in order. */
static void count_terms(struct focus_page *p, bool main_only)
{
	const struct page *page = p->in->page;
	const struct term_scratch *s = &p->w->matches;
	size_t b = 0;

	p->w->n_touched = 0;
	for (size_t i = 0; i < s->n; i++) {
		while (main_only && b < page->n_blocks &&
		       offset_in(page->text, page->blocks[b].text) +
				       page->blocks[b].text.n <=
			       s->v[i].from)
			b++;
		if (!main_only || (b < page->n_blocks && page->blocks[b].is_main))
			count_term(p->w, s->v[i].term);
	}
}

/* Many different terms count more than one that comes again and again. */
static float document_score(struct focus_page *p)
{
	const struct page *page = p->in->page;
	bool main_only = page->main_bytes >= MAIN_BYTES_MIN;
	float bytes = (float)(main_only ? page->main_bytes : page->text.n), sum = 0;
	float each = bytes > MENTION_BYTES ? MENTION_BYTES / bytes : 1;

	count_terms(p, main_only);
	for (size_t i = 0; i < p->w->n_touched; i++) {
		uint32_t term = p->w->touched[i];
		float n = (float)p->w->seen[term] * each;

		sum += weight_of(p, term) * n / (n + 1);
		p->w->seen[term] = 0;
	}
	return focus_term_score(sum, p->w->focus->any_match);
}

/* --- links --- */

static void score_blocks(struct focus_page *p)
{
	const struct page *page = p->in->page;

	VEC_RESERVE(p->w->blocks, p->w->blocks_cap, page->n_blocks + 1);
	for (size_t b = 0; b < page->n_blocks; b++) {
		size_t from = offset_in(page->text, page->blocks[b].text);

		p->w->blocks[b] =
			from == STR_NONE
				? 0
				: focus_term_score(
					  sum_between(p, from,
						      from + page->blocks[b].text.n),
					  p->w->focus->any_match);
	}
}

static void score_link(struct focus_page *p, const struct link *l, struct focus_scores *s)
{
	const struct page *page = p->in->page;
	size_t at = offset_in(page->text, l->text);

	if (l->block < page->n_blocks)
		focus_scores_set(s, PART_PARAGRAPH, p->w->blocks[l->block]);
	else if (l->around.n > 0)
		focus_scores_set(s, PART_PARAGRAPH, score_of_text(p, l->around));
	if (l->text.n == 0)
		return;
	focus_scores_set(s, PART_ANCHOR,
			 at == STR_NONE
				 ? score_of_text(p, l->text)
				 : focus_term_score(sum_between(p, at, at + l->text.n),
						    p->w->focus->any_match));
}

void module_text(struct focus_page *p)
{
	const struct page *page = p->in->page;

	if (p->w->focus->terms.n == 0 || !page)
		return;
	terms_find(&p->w->focus->terms, page->text, &p->w->matches);
	p->relevance = document_score(p);
	score_blocks(p);
	for (size_t k = 0; k < p->in->n; k++) {
		focus_scores_set(&p->links[k], PART_DOCUMENT, p->relevance);
		if (p->in->origins[k])
			score_link(p, p->in->origins[k], &p->links[k]);
	}
}
