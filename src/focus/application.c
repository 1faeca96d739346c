/* application.c - what is known of the software of a site: its score of a link, and its
 * veto of what is an action and no page. */
#include "focus/focus.h"

void module_application(struct focus_page *p)
{
	const struct page_advice *a = p->in->application;

	if (!a || !a->links || !p->in->page)
		return;
	for (size_t k = 0; k < p->in->n; k++) {
		const struct link *l = p->in->origins[k];

		if (!l)
			continue;
		const struct link_advice *said = &a->links[l - p->in->page->links];
		if (said->has_score)
			focus_scores_set(&p->links[k], PART_APPLICATION, said->score);
	}
}
