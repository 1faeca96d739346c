#include "learn/study.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

/* --- what a set is like --- */

static void count_cluster(const struct url_set *urls, size_t c, uint64_t *of_site,
			  struct tokens *scratch, struct set_statistics *to)
{
	size_t from = urls->first[c], n = urls->first[c + 1] - from;

	if (n < 2) {
		to->alone += n;
		return;
	}
	to->clusters++;
	to->urls += n;
	to->small += n <= OFFER_SAMPLE;
	to->large += n > OFFER_SAMPLE;
	to->largest = MAX(to->largest, n);
	for (size_t i = from; i < from + n; i++) {
		size_t k = from;

		of_site[urls->v[i].host]++;
		while (k < i && urls->v[k].host != urls->v[i].host)
			k++;
		to->cluster_sites += k == i;
		if (tokens_split(scratch, urls->v[i].url) == ST_OK)
			to->tokens += scratch->n;
	}
}

void set_statistics_make(const struct url_set *urls, struct set_statistics *ret)
{
	uint64_t *of_site = xcalloc(urls->hosts.n + 1, sizeof(*of_site));
	struct tokens scratch = { 0 };

	*ret = (struct set_statistics){ 0 };
	for (size_t c = 0; c < urls->n_clusters; c++)
		count_cluster(urls, c, of_site, &scratch, ret);
	for (size_t h = 0; h < urls->hosts.n; h++) {
		if (of_site[h] == 0)
			continue;
		ret->site_least =
			ret->sites ? MIN(ret->site_least, of_site[h]) : of_site[h];
		ret->site_most = MAX(ret->site_most, of_site[h]);
		ret->sites++;
	}
	tokens_release(&scratch);
	free(of_site);
}

/* --- how alike the aligned are --- */

/* The score of one cluster; false when nothing could be aligned. */
static bool score_cluster(struct multi *m, enum multi_method method, struct str *sample,
			  size_t n, double *ret)
{
	struct consensus c;

	m->similarity = 0;
	m->alignments = 0;
	if (n < 2 || multi_align(m, method, sample, n, &c) != ST_OK || m->alignments == 0)
		return false;
	*ret = m->similarity / (double)m->alignments;
	return true;
}

void alignment_scores_make(const struct url_set *urls, enum multi_method method, size_t k,
			   double share, uint64_t seed, struct alignment_scores *ret)
{
	struct multi m = { 0 };
	struct str *list = NULL, *sample = NULL;
	size_t list_cap = 0, sample_cap = 0;
	double sum = 0, squares = 0;
	uint64_t n_clusters = 0;

	for (size_t c = 0; c < urls->n_clusters; c++) {
		size_t from = urls->first[c], n = urls->first[c + 1] - from;
		double score;

		if (n < 2 || cluster_share(urls, c, seed) >= share)
			continue;
		VEC_RESERVE(list, list_cap, n);
		VEC_RESERVE(sample, sample_cap, n);
		for (size_t i = 0; i < n; i++)
			list[i] = urls->v[from + i].url;
		n = sample_urls(list, n, k ? k : SAMPLE_MAX, seed, sample);
		if (!score_cluster(&m, method, sample, n, &score))
			continue;
		n_clusters++;
		sum += score;
		squares += score * score;
	}
	double n = (double)MAX(n_clusters, 1u), mean = sum / n;
	double variance = n > 1 ? MAX(squares - n * mean * mean, 0) / (n - 1) : 0;
	*ret = (struct alignment_scores){ mean, 1.96 * sqrt(variance / n), n_clusters };
	multi_release(&m);
	free(list);
	free(sample);
}

/* --- what thresholds do --- */

static uint64_t set_value(enum study_what what, size_t nr, struct learn_options *o)
{
	switch (what) {
	case STUDY_CARD:
		return o->offer.card = (unsigned)(nr + 2);
	case STUDY_FREQ:
		return o->min_freq = nr + 1;
	case STUDY_SUPPORT:
		return o->min_support = nr + 1;
	case STUDY_SAMPLE:
		break;
	}
	return o->offer.sample = nr == 0 ? OFFER_SAMPLE : 0;
}

static const uint8_t row_counts[] = {
	[STUDY_CARD] = 9,
	[STUDY_FREQ] = 10,
	[STUDY_SUPPORT] = 10,
	[STUDY_SAMPLE] = 2,
};

static bool is_better(const struct metrics *a, const struct metrics *b, double precision)
{
	bool good = metrics_precision(a) >= precision,
	     was_good = metrics_precision(b) >= precision;
	double x = metrics_coverage(a), y = metrics_coverage(b);

	if (good != was_good)
		return good;
	if (!good && metrics_precision(a) != metrics_precision(b))
		return metrics_precision(a) > metrics_precision(b);
	return x != y ? x > y : a->rules < b->rules;
}

enum status study_make(const struct comparison *c, const struct compared_method *how,
		       enum study_what what, double precision, struct study *ret,
		       struct diag *why)
{
	struct comparison one = *c;

	*ret = (struct study){ .n = row_counts[what] };
	for (size_t i = 0; i < ret->n; i++) {
		ret->v[i].value = set_value(what, i, &one.learn);
		TRY(comparison_run(&one, how, one.learn.fpr_max, &ret->v[i].m, why));
		if (is_better(&ret->v[i].m, &ret->v[ret->best].m, precision))
			ret->best = i;
	}
	return ST_OK;
}
