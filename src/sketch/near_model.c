#include "sketch/near_model.h"

#include <math.h>

#include "base/base.h"

/*
 * Fitted by eval/verdict.py --fit on 2026-11-17 to sixteen sets of pairs (eval/pairs.py):
 * news and government pages graded by people, pages with known edits, real documentation
 * in two versions and in one frame, real contents in real frames, stories that are
 * carried on, listings, tables, edits, quotes, licences, package records and those most
 * like them. Nothing was moved by hand afterwards; how the fit chooses its point stands
 * in the script, the spread when a set is left out in doc/lab/near-duplicates.md. `short`
 * is not fitted: no set has pairs of so few words, and there keeping is the cheaper
 * mistake.
 */
/* clang-format off */
const struct near_weight near_model[NEAR_TERMS] = {
	[NEAR_BASE]        = { "base",        -0.07, "before anything is known" },
	[NEAR_RESEMBLANCE] = { "resemblance",  3.30, "ln(J / (1 - J)) of the content's shingles" },
	[NEAR_SIZE]        = { "size",        -1.30, "log10(shingles of both) - 3, not below 0: more is asked of longer texts" },
	[NEAR_REPLACED]    = { "replaced",    -4.00, "long passages (40 words, or a quarter) that differ in both: 0 up to 16 % of the longer text, 1 from 20 % on" },
	[NEAR_SHORT]       = { "short",       -1.00, "halvings below 16 shingles of both" },
};
/* clang-format on */

#define RESEMBLANCE_EDGE 0.01 /* beyond it the odds say nothing more */
#define SIZE_MOST        3.0
#define SHORT_SHINGLES   16.0
/* So much may be written anew; from the second on the content is another one. */
#define REPLACED_LEAST 0.16
#define REPLACED_MOST  0.20
/* One word changed takes five shingles; ten are two words with four between them. */
#define COPY_PASSAGE     10
#define COPY_RESEMBLANCE 0.6

static double log_odds(double p)
{
	double inside = fmin(fmax(p, RESEMBLANCE_EDGE), 1 - RESEMBLANCE_EDGE);

	return log(inside / (1 - inside));
}

static double size_of(double shingles)
{
	return fmin(fmax(log10(fmax(shingles, 1)) - 3, 0), SIZE_MOST);
}

static double short_of(double shingles)
{
	return fmax(0, log2(SHORT_SHINGLES / fmax(shingles, 1)));
}

/* Of the longer one; what only one of them has is an insertion, not a replacement. */
static double replaced_of(const struct near_evidence *e)
{
	const struct overlap *o = &e->content;
	double longer = (double)o->shared + MAX(o->only_a, o->only_b);
	double share = longer > 0 ? MIN(e->replaced_a, e->replaced_b) / longer : 0;

	return fmin(fmax((share - REPLACED_LEAST) / (REPLACED_MOST - REPLACED_LEAST), 0),
		    1);
}

void near_terms(const struct near_evidence *e, double ret[NEAR_TERMS])
{
	double shingles = overlap_union(e->content);

	ret[NEAR_BASE] = 1;
	ret[NEAR_RESEMBLANCE] = log_odds(overlap_jaccard(e->content));
	ret[NEAR_SIZE] = size_of(shingles);
	ret[NEAR_REPLACED] = replaced_of(e);
	ret[NEAR_SHORT] = short_of(shingles);
}

double near_probability(const struct near_evidence *e, double ret_terms[NEAR_TERMS])
{
	const struct overlap *o = &e->content;
	double own[NEAR_TERMS], *terms = ret_terms ? ret_terms : own, sum = 0;

	near_terms(e, terms);
	for (size_t i = 0; i < NEAR_TERMS; i++) {
		terms[i] *= near_model[i].weight;
		sum += terms[i];
	}
	if (o->shared + MIN(o->only_a, o->only_b) < NEAR_MIN_SHINGLES)
		return 0;
	return o->only_a + o->only_b == 0 ? 1 : 1 / (1 + exp(-sum));
}

double near_needed(double shingles, double probability)
{
	double p = fmin(fmax(probability, 1e-6), 1 - 1e-6);
	double needed = (log(p / (1 - p)) - near_model[NEAR_BASE].weight -
			 near_model[NEAR_SIZE].weight * size_of(shingles) -
			 near_model[NEAR_SHORT].weight * short_of(shingles)) /
			near_model[NEAR_RESEMBLANCE].weight;
	double jaccard = 1 / (1 + exp(-needed));

	return fmin(jaccard, 1 - RESEMBLANCE_EDGE);
}

bool near_is_copy(const struct near_evidence *e)
{
	return MIN(e->passage_a, e->passage_b) <= COPY_PASSAGE &&
	       overlap_jaccard(e->whole) >= COPY_RESEMBLANCE;
}
