#include "dust/offer.h"

/* Pairs of a sample whose differences are explained: all of ten URLs. */
#define PAIRS_MAX 45

void offer_work_release(struct offer_work *w)
{
	multi_release(&w->multi);
	buf_release(&w->context);
	buf_release(&w->transformation);
	arena_release(&w->texts);
	plan_release(&w->plan);
}

static void add_offer(struct offer_work *w, struct str text, struct offers *to)
{
	for (size_t i = 0; i < to->n; i++)
		if (str_eq(to->text[i], text))
			return;
	if (to->n < OFFERS_MAX)
		to->text[to->n++] = arena_copy(&w->texts, text);
}

static void offer_rewrite(struct offer_work *w, const struct offer_options *o,
			  const struct consensus *c, enum generality g, struct offers *to)
{
	struct generate_options how = { .card = o->card,
					.keep_groups = o->keep_groups,
					.generality = g };

	buf_reset(&w->context);
	buf_reset(&w->transformation);
	if (generate_rule(c, &how, &w->context, &w->transformation) != ST_OK)
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

/* The sample under the operations it offered itself, without repeats. */
static size_t reduce_sample(struct offer_work *w, const struct offers *offers,
			    struct str *ret)
{
	size_t n = 0;

	plan_release(&w->plan);
	for (size_t i = 0; i < offers->n; i++) {
		struct operation op;

		if (operation_parse(offers->text[i], &op, NULL) == ST_OK)
			plan_add(&w->plan, &op, (uint32_t)i);
	}
	plan_seal(&w->plan);
	for (size_t i = 0; i < offers->n_sample; i++) {
		struct str form = offers->sample[i];
		size_t k = 0;

		buf_reset(&w->context);
		if (plan_apply(&w->plan, form, &w->context, NULL))
			form = arena_copy(&w->texts, buf_str(&w->context));
		while (k < n && !str_eq(ret[k], form))
			k++;
		if (k == n)
			ret[n++] = form;
	}
	return n;
}

static void offer_families(struct offer_work *w, const struct offer_options *o,
			   struct offers *to)
{
	struct str forms[SAMPLE_MAX];
	struct consensus c;

	offer_operations(w, to);
	size_t n = reduce_sample(w, to, forms);
	if (n < 2 || multi_align(&w->multi, o->method, forms, n, &c) != ST_OK)
		return;
	for (int g = 0; g < GENERALITIES; g++)
		offer_rewrite(w, o, &c, (enum generality)g, to);
}

void offer_rules(struct offer_work *w, const struct offer_options *o,
		 const struct str *urls, size_t n, struct offers *ret)
{
	struct consensus c;

	arena_reset(&w->texts);
	ret->n = 0;
	ret->n_sample = sample_urls(urls, n, o->sample, o->seed, ret->sample);
	if (ret->n_sample < 2)
		return;
	if (o->families)
		offer_families(w, o, ret);
	if (multi_align(&w->multi, o->method, ret->sample, ret->n_sample, &c) == ST_OK)
		offer_rewrite(w, o, &c, GENERAL_SEED, ret);
}
