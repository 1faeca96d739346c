#include <stdio.h>

#include "base/json.h"
#include "cmd/rules_calibrate.h"

static const struct {
	const char *name, *title, *column;
} tables[] = {
	[STUDY_CARD] = { "card", "Card_set (table 6.3)", "Card_set" },
	[STUDY_FREQ] = { "freq", "min_freq (table 6.4)", "min_freq" },
	[STUDY_SUPPORT] = { "support", "min_supp (table 6.5)", "min_supp" },
	[STUDY_SAMPLE] = { "entire", "a sample or entire clusters, dustlin (table 6.12)",
			   "K" },
};

static double per(double a, uint64_t b)
{
	return b ? a / (double)b : 0;
}

static void put_line(struct buf *b)
{
	printf("%s\n", buf_cstr(b));
}

void study_print_set(const struct study_printer *p, const struct set_statistics *s)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	if (!p->json) {
		printf("the set (tables 6.1 and 6.2)\n"
		       "  clusters %llu, URLs %llu and %llu alone, tokens per URL %.2f\n"
		       "  of 10 URLs or fewer %llu (%.2f %%), of more %llu; %.2f URLs "
		       "per "
		       "cluster, at most %llu\n"
		       "  sites %llu, URLs per site %llu to %llu, %.2f on average; sites "
		       "per cluster %.2f\n",
		       (unsigned long long)s->clusters, (unsigned long long)s->urls,
		       (unsigned long long)s->alone, per((double)s->tokens, s->urls),
		       (unsigned long long)s->small,
		       100 * per((double)s->small, s->clusters),
		       (unsigned long long)s->large, per((double)s->urls, s->clusters),
		       (unsigned long long)s->largest, (unsigned long long)s->sites,
		       (unsigned long long)s->site_least,
		       (unsigned long long)s->site_most, per((double)s->urls, s->sites),
		       per((double)s->cluster_sites, s->clusters));
		return;
	}
	json_open(&o, '{');
	json_put_str(&o, "table", STR("set"));
	json_put_uint(&o, "clusters", s->clusters);
	json_put_uint(&o, "urls", s->urls);
	json_put_uint(&o, "alone", s->alone);
	json_put_double(&o, "tokens_per_url", per((double)s->tokens, s->urls));
	json_put_uint(&o, "clusters_to_10", s->small);
	json_put_uint(&o, "clusters_above_10", s->large);
	json_put_double(&o, "cluster_mean", per((double)s->urls, s->clusters));
	json_put_uint(&o, "cluster_max", s->largest);
	json_put_uint(&o, "sites", s->sites);
	json_put_uint(&o, "site_min", s->site_least);
	json_put_uint(&o, "site_max", s->site_most);
	json_put_double(&o, "site_mean", per((double)s->urls, s->sites));
	json_put_double(&o, "sites_per_cluster",
			per((double)s->cluster_sites, s->clusters));
	json_close(&o, '}');
	put_line(&b);
}

void study_print_alignment(const struct study_printer *p,
			   const struct alignment_scores *progressive,
			   const struct alignment_scores *linear)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	if (!p->json) {
		printf("\nalignment score in %%, %llu clusters (table 5.1)\n"
		       "  progressive %.2f ± %.2f, in random order %.2f ± %.2f\n",
		       (unsigned long long)linear->clusters, 100 * progressive->mean,
		       100 * progressive->error, 100 * linear->mean, 100 * linear->error);
		return;
	}
	json_open(&o, '{');
	json_put_str(&o, "table", STR("alignment"));
	json_put_uint(&o, "clusters", linear->clusters);
	json_put_double(&o, "progressive", progressive->mean);
	json_put_double(&o, "progressive_error", progressive->error);
	json_put_double(&o, "random", linear->mean);
	json_put_double(&o, "random_error", linear->error);
	json_close(&o, '}');
	put_line(&b);
}

static void add_metrics(struct json_out *o, const struct metrics *m, double runs)
{
	json_put_double(o, "candidates", (double)m->candidates / runs);
	json_put_double(o, "valid", (double)m->valid / runs);
	json_put_double(o, "rules", (double)m->rules / runs);
	json_put_double(o, "applied", (double)m->applied / runs);
	json_put_double(o, "compression_rate", metrics_compression(m));
	json_put_double(o, "coverage", metrics_coverage(m));
	json_put_double(o, "normalisation_precision", metrics_precision(m));
	json_put_double(o, "average_reduction_per_rule", metrics_per_rule(m));
	json_put_double(o, "learn_seconds", m->learn_s);
}

static void print_row(const struct study_printer *p, enum study_what what,
		      const struct study_row *r, bool best)
{
	const struct metrics *m = &r->m;
	double n = (double)p->runs;
	char value[24];

	snprintf(value, sizeof(value), "%llu", (unsigned long long)r->value);
	printf("  %8s %10.0f %7.0f %6.2f %7.0f %7.2f %9.2f %7.2f %7.2f %7.2f%s\n",
	       what == STUDY_SAMPLE && r->value == 0 ? "entire" : value,
	       (double)m->candidates / n, (double)m->valid / n,
	       100 * per((double)m->valid, m->candidates), (double)m->rules / n,
	       metrics_compression(m) * 100, metrics_coverage(m) * 100,
	       metrics_precision(m) * 100, metrics_per_rule(m), m->learn_s,
	       best ? "  best" : "");
}

static void print_json_row(const struct study_printer *p, enum study_what what,
			   const struct study_row *r, bool best)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	json_open(&o, '{');
	json_put_str(&o, "table", str_from(tables[what].name));
	json_put_uint(&o, "value", r->value);
	add_metrics(&o, &r->m, (double)p->runs);
	json_put_bool(&o, "best", best);
	json_close(&o, '}');
	put_line(&b);
}

void study_print(const struct study_printer *p, enum study_what what,
		 const struct study *s)
{
	if (!p->json)
		printf("\n%s\n  %8s %10s %7s %6s %7s %7s %9s %7s %7s %7s\n",
		       tables[what].title, tables[what].column, "candidates", "valid",
		       "rate %", "rules", "CR %", "coverage%", "NP %", "AR/R", "time s");
	for (size_t i = 0; i < s->n; i++) {
		bool best = i == s->best && what != STUDY_SAMPLE;

		if (p->json)
			print_json_row(p, what, &s->v[i], best);
		else
			print_row(p, what, &s->v[i], best);
	}
	fflush(stdout);
}

void study_print_choice(const struct study_printer *p, const struct learn_options *c,
			double precision, const struct metrics *m)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	if (!p->json) {
		printf("\nchosen at a precision of %.4g %%: --card %u --min-freq %llu "
		       "--min-support %llu\n"
		       "on the other clusters: coverage %.2f %%, compression %.2f %%, "
		       "precision %.2f %%\n",
		       100 * precision, c->offer.card, (unsigned long long)c->min_freq,
		       (unsigned long long)c->min_support, 100 * metrics_coverage(m),
		       100 * metrics_compression(m), 100 * metrics_precision(m));
		return;
	}
	json_open(&o, '{');
	json_put_str(&o, "table", STR("chosen"));
	json_put_uint(&o, "card", c->offer.card);
	json_put_uint(&o, "min_freq", c->min_freq);
	json_put_uint(&o, "min_support", c->min_support);
	add_metrics(&o, m, (double)p->runs);
	json_close(&o, '}');
	put_line(&b);
}
