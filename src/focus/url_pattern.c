/* url_pattern.c - URLs that the user wants, or does not want much, by their form. */
#include "focus/focus.h"

void module_url_pattern(struct focus_page *p)
{
	struct focus_worker *w = p->w;

	if (w->want_urls.n == 0 && w->avoid_urls.n == 0)
		return;
	for (size_t k = 0; k < p->in->n; k++) {
		struct str url = p->in->links[k].url;

		if (w->avoid_urls.n > 0 &&
		    pattern_list_find(&w->avoid_urls, url) != PATTERN_NONE)
			focus_scores_set(&p->links[k], PART_URL_PATTERN, 0);
		else if (w->want_urls.n > 0)
			focus_scores_set(&p->links[k], PART_URL_PATTERN,
					 pattern_list_find(&w->want_urls, url) !=
							 PATTERN_NONE
						 ? 1
						 : 0);
	}
}
