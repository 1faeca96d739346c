/*
 * freshness.c - how new the source of a link is: the entry of a feed or sitemap by its
 * own date, other links by the date of their page.  With --want-since or --want-until a
 * date counts by whether it lies between them.
 */
#include <math.h>

#include "base/date.h"
#include "focus/focus.h"

#define HALF_LIFE_MS (30.0 * 86400000.0)

static int64_t date_of(const struct focus_input *in, const struct link *l)
{
	int64_t ms;

	if (l && l->date.n > 0 &&
	    (date_parse_iso(l->date, &ms) || date_parse_http(l->date, &ms)))
		return ms;
	return in->modified_ms;
}

static float score_of(const struct focus *f, int64_t date_ms, int64_t now_ms)
{
	if (f->since_ms || f->until_ms)
		return date_ms >= f->since_ms && (!f->until_ms || date_ms < f->until_ms)
			       ? 1
			       : 0;
	double age = (double)(now_ms - date_ms);
	return (float)exp2(-(age > 0 ? age : 0) / HALF_LIFE_MS);
}

void module_freshness(struct focus_page *p)
{
	for (size_t k = 0; k < p->in->n; k++) {
		int64_t date = date_of(p->in, p->in->origins[k]);

		if (date != 0)
			focus_scores_set(&p->links[k], PART_FRESHNESS,
					 score_of(p->w->focus, date, p->in->now_ms));
	}
}
