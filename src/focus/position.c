/*
 * position.c - where on its page a link stands.  Main content leads to content; what the
 * navigation repeats on each page leads everywhere.
 */
#include "focus/focus.h"

static float of_region(const struct link *l)
{
	if (l->region & (REGION_FOOTER | REGION_HIDDEN))
		return 0.1f;
	if (l->region & (REGION_NAV | REGION_HEADER))
		return 0.3f;
	if (l->region & REGION_ASIDE)
		return 0.4f;
	if (l->region & (REGION_MAIN | REGION_ARTICLE))
		return 1.0f;
	return l->region & (REGION_LIST | REGION_TABLE) ? 0.6f : 0.7f;
}

void module_position(struct focus_page *p)
{
	for (size_t k = 0; k < p->in->n; k++) {
		const struct link *l = p->in->origins[k];

		if (l && (l->kind == LINK_ANCHOR || l->kind == LINK_AREA))
			focus_scores_set(&p->links[k], PART_POSITION, of_region(l));
	}
}
