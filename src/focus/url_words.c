/* url_words.c - terms in the words of a URL: /solar-energy/panels. */
#include "focus/focus.h"
#include "url/percent.h"

static struct str decoded(struct focus_worker *w, struct str path)
{
	if (str_find_char(path, '%') == STR_NONE)
		return path;
	buf_reset(&w->decoded);
	buf_add_decoded(&w->decoded, path);
	return buf_str(&w->decoded);
}

/* Of the path and query: the host has a module of its own. */
static struct str path_of(struct str url)
{
	size_t scheme = str_find(url, STR("://"));
	struct str rest = scheme == STR_NONE ? url : str_skip(url, scheme + 3);
	size_t slash = str_find_char(rest, '/');

	return slash == STR_NONE ? STR("") : str_skip(rest, slash + 1);
}

void module_url_words(struct focus_page *p)
{
	const struct focus *f = p->w->focus;
	struct term_scratch *s = &p->w->few;

	if (f->terms.n == 0)
		return;
	for (size_t k = 0; k < p->in->n; k++) {
		float sum = 0;

		terms_find(&f->terms, decoded(p->w, path_of(p->in->links[k].url)), s);
		for (size_t i = 0; i < s->n; i++)
			sum += f->terms.v[s->v[i].term].weight;
		focus_scores_set(&p->links[k], PART_URL_WORDS,
				 focus_term_score(sum, f->any_match));
	}
}
