#include "learn/doubt.h"

#include <math.h>
#include <stdlib.h>

#include "learn/naming.h"

/* Of bad rules: the wrong joins among theirs are four in five. */
#define BAD_WRONG 4.0
#define BAD_RIGHT 1.0

/* Joins of one cluster beyond the first count as this much of another one. */
#define SAME_SOURCE 0.5

/* The noise of no data at all, and how many joins that is worth. */
#define NOISE_WEIGHT 50

/* Known rules hold nearly everywhere: one clear contradiction is believed when labels
 * are clean, and is not when they are not. */
#define KNOWN_ODDS 20

/*
 * Kinds that only spell a URL in another way are good where they apply at all; a name
 * of a parameter can mean anything; a mirror that has a page of the same long name is
 * mostly one.
 */
static const double operation_odds[OPERATION_KINDS] = {
	[OPERATION_SCHEME] = 10,     [OPERATION_WWW] = 10,       [OPERATION_MOBILE] = 4,
	[OPERATION_HOST] = 3,        [OPERATION_SUBDOMAIN] = 3,  [OPERATION_SLASHES] = 10,
	[OPERATION_LOWER] = 4,       [OPERATION_INDEX] = 1,      [OPERATION_SLASH] = 10,
	[OPERATION_REPEATS] = 4,     [OPERATION_SEPARATORS] = 4, [OPERATION_EMPTY] = 4,
	[OPERATION_PATH_DROP] = 1.5, [OPERATION_DROP] = 0.4,     [OPERATION_SORT] = 4,
};

#define REWRITE_ODDS      1.0
#define REWRITE_FREE_ODDS 0.6 /* some segment may be anything */
#define REWRITE_LAST_ODDS 0.1 /* the last part, which mostly names the page */
#define PAGER_ODDS        0.1 /* the number of a page of a list */
#define LANGUAGE_ODDS     0.02

/* The last segment of the path, or the value of the last parameter, may be anything. */
static bool names_last(struct str context)
{
	static const char *const ends[] = { "/(*)$", "/(*)?$", "=(*)$", "=(*)?$" };

	for (size_t i = 0; i < COUNT(ends); i++)
		if (str_ends(context, str_from(ends[i])))
			return true;
	return false;
}

static double rewrite_prior(struct str text)
{
	struct str context = str_slice(text, 0, str_find_char(text, ' '));

	if (context_has_languages(context))
		return LANGUAGE_ODDS;
	if (names_last(context))
		return REWRITE_LAST_ODDS;
	if (context_has_pager(context))
		return PAGER_ODDS;
	return str_find(context, STR("(*)")) != STR_NONE ? REWRITE_FREE_ODDS
							 : REWRITE_ODDS;
}

static double operation_prior(const struct operation *op)
{
	bool names_content = op->kind == OPERATION_DROP &&
			     (is_language_name(op->name) || is_pager_name(op->name));

	return names_content ? PAGER_ODDS : operation_odds[op->kind];
}

double doubt_prior(const struct rule *r, bool known)
{
	if (known)
		return KNOWN_ODDS;
	return r->is_operation ? operation_prior(&r->operation) : rewrite_prior(r->text);
}

static double log_beta(double a, double b)
{
	return lgamma(a) + lgamma(b) - lgamma(a + b);
}

static double log_bad(double right, double wrong)
{
	return log_beta(BAD_WRONG + wrong, BAD_RIGHT + right) -
	       log_beta(BAD_WRONG, BAD_RIGHT);
}

/* At the allowed rate that suits the joins best. */
static double log_good(const struct doubt *d, double right, double wrong)
{
	double most = d->noise + (1 - d->noise) * d->fpr;
	double rate = MIN(MAX(wrong / (right + wrong), d->noise), most);

	return right * log1p(-MIN(rate, 0.999)) + wrong * log(MAX(rate, 1e-6));
}

double doubt_ratio(const struct doubt *d, const struct joins *j)
{
	double right = (double)j->right, wrong = (double)j->wrong;
	double most = (double)j->sources + SAME_SOURCE;

	if (j->right + j->wrong == 0)
		return 1;
	if (right > most) {
		if (right > wrong)
			wrong *= most / right;
		right = most;
	}
	return exp(log_good(d, right, wrong) - log_bad(right, wrong));
}

unsigned doubt_proofs(double prior)
{
	static const struct doubt sure = { .noise = DOUBT_NOISE_LEAST };

	for (unsigned n = 1; n < DOUBT_PROOFS_MAX; n++) {
		struct joins all = { n, 0, n };

		if (1 - odds_to_share(prior * doubt_ratio(&sure, &all)) <=
		    DOUBT_PROVED_BAD)
			return n;
	}
	return DOUBT_PROOFS_MAX;
}

void noise_sample_release(struct noise_sample *s)
{
	free(s->v);
	*s = (struct noise_sample){ 0 };
}

/* One step: the joins of each site count as far as its rule is good there. */
static double next_noise(const struct noise_sample *s, double noise)
{
	struct doubt d = { .noise = noise };
	double wrong = DOUBT_NOISE_LEAST * NOISE_WEIGHT + (double)s->disagreed;
	double all = NOISE_WEIGHT + (double)(s->agreed + s->disagreed);

	for (size_t i = 0; i < s->n; i++) {
		const struct joins *j = &s->v[i];
		double good =
			odds_to_share(operation_odds[OPERATION_WWW] * doubt_ratio(&d, j));

		wrong += good * (double)j->wrong;
		all += good * (double)(j->right + j->wrong);
	}
	return wrong / all;
}

double noise_estimate(const struct noise_sample *s)
{
	double noise = DOUBT_NOISE_LEAST;

	for (int i = 0; i < 30; i++)
		noise = next_noise(s, noise);
	return MIN(MAX(noise, DOUBT_NOISE_LEAST), DOUBT_NOISE_MOST);
}
