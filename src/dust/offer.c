#include "dust/offer.h"

/* Pairs of a sample whose differences are explained: all of ten URLs. */
#define PAIRS_MAX 45

void offer_work_release(struct offer_work *w)
{
	multi_release(&w->multi);
	buf_release(&w->context);
	buf_release(&w->transformation);
	arena_release(&w->texts);
}

static void add_offer(struct offer_work *w, struct str text, struct offers *to)
{
	for (size_t i = 0; i < to->n; i++)
		if (str_eq(to->text[i], text))
			return;
	if (to->n < OFFERS_MAX)
		to->text[to->n++] = arena_copy(&w->texts, text);
}

static void offer_rewrite(struct offer_work *w, const struct generate_options *how,
			  const struct consensus *c, struct offers *to)
{
	buf_reset(&w->context);
	buf_reset(&w->transformation);
	if (generate_rule(c, how, &w->context, &w->transformation) != ST_OK)
		return;
	buf_add_char(&w->context, ' ');
	buf_add(&w->context, buf_str(&w->transformation));
	add_offer(w, buf_str(&w->context), to);
}

static void offer_operations(struct offer_work *w, struct offers *to)
{
	size_t pairs = 0;

	for (size_t i = 0; i < to->n_sample; i++)
		for (size_t j = i + 1; j < to->n_sample && pairs < PAIRS_MAX;
		     j++, pairs++) {
			if (!family_explain(to->sample[i], to->sample[j], &w->explained))
				continue;
			for (size_t k = 0; k < w->explained.n; k++) {
				buf_reset(&w->context);
				operation_format(&w->explained.op[k], &w->context);
				add_offer(w, buf_str(&w->context), to);
			}
		}
}

/* DustLin's rule alone needs to look only at where the URLs differ. */
static bool offer_between(struct offer_work *w, const struct generate_options *options,
			  struct offers *to)
{
	struct ends ends = common_ends(to->sample, to->n_sample);
	struct generate_options how = *options;
	struct str url = to->sample[0];
	struct consensus c;

	if (multi_align_between(&w->multi, ends, to->sample, to->n_sample, &c) != ST_OK)
		return false;
	how.before = str_slice(url, 0, ends.first);
	how.after = str_skip(url, url.n - ends.last);
	offer_rewrite(w, &how, &c, to);
	return true;
}

void offer_rules(struct offer_work *w, const struct offer_options *o,
		 const struct str *urls, size_t n, struct offers *ret)
{
	struct consensus c;

	arena_reset(&w->texts);
	w->multi.aligner.whole_matrix = o->whole_matrix;
	ret->n = 0;
	ret->n_sample = sample_urls(urls, n, o->sample, o->seed, ret->sample);
	if (ret->n_sample < 2)
		return;
	struct generate_options how = { .card = o->card, .keep_groups = o->keep_groups };
	bool seed_only = o->what == 0 || o->what == OFFER_SEED;
	if (o->what & OFFER_OPERATIONS)
		offer_operations(w, ret);
	if (o->what == OFFER_OPERATIONS)
		return;
	if (seed_only && o->method == MULTI_LINEAR && !o->whole_matrix &&
	    offer_between(w, &how, ret))
		return;
	if (multi_align(&w->multi, o->method, ret->sample, ret->n_sample, &c) != ST_OK)
		return;
	if (seed_only || o->what & OFFER_SEED)
		offer_rewrite(w, &how, &c, ret);
	if (o->what & OFFER_GENERAL) {
		how.generality = GENERAL_SEGMENTS;
		offer_rewrite(w, &how, &c, ret);
		how.generality = GENERAL_NEIGHBOURS;
		offer_rewrite(w, &how, &c, ret);
	}
}
