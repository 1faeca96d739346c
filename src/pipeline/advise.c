#include "pipeline/advise.h"

#include "policy/priority.h"

/* What the application's module said of the place where the link stood. */
static const struct link_advice *of_application(const struct advice_input *in, size_t k)
{
	const struct link *l = in->origins[k];

	return l && in->application.links ? &in->application.links[l - in->page->links]
					  : NULL;
}

static void take(struct discovery *d, const struct link_advice *a)
{
	if (a->veto != VETO_NONE) {
		d->veto = a->veto;
		d->veto_by = a->detail;
	}
	if (a->has_score) {
		d->has_score = true;
		d->score = a->score;
		d->priority =
			policy_priority(&(struct priority_facts){ .purpose = d->purpose,
								  .depth = d->depth,
								  .penalty = d->penalty,
								  .has_score = true,
								  .score = a->score });
	}
}

static float focus_on(const struct advice_input *in, struct arena *a)
{
	return focus_score_page(in->focus,
				&(struct focus_input){ .page = in->page,
						       .task = in->task,
						       .links = in->links,
						       .origins = in->origins,
						       .n = in->n,
						       .application = &in->application,
						       .modified_ms = in->modified_ms,
						       .now_ms = in->now_ms },
				a);
}

float advise(const struct advice_input *in, struct arena *a)
{
	for (size_t k = 0; k < in->n; k++) {
		const struct link_advice *app = of_application(in, k);

		if (app)
			take(&in->links[k], app);
	}
	/* There the application's score is one among others. */
	return in->focus ? focus_on(in, a) : 0;
}
