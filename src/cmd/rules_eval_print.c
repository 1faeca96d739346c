#include <stdio.h>

#include "base/json.h"
#include "cmd/rules_eval.h"

void eval_print_head(void)
{
	printf("%-14s %5s %10s %7s %7s %8s %7s %9s %7s %7s %7s %7s %8s  %s\n", "method",
	       "fpr", "candidates", "valid", "rules", "applied", "CR %", "coverage%",
	       "NP %", "AR/R", "removed", "wrong", "time s",
	       "coverage and NP of single splits");
}

void eval_print_row(const struct compared_method *how, double fpr,
		    const struct metrics *m, uint64_t runs)
{
	double n = (double)runs;

	printf("%-14s %4.0f%% %10.0f %7.0f %7.0f %8.0f %7.2f %9.2f %7.2f %7.2f %7llu "
	       "%7llu "
	       "%8.2f  %.2f..%.2f, %.2f..%.2f\n",
	       how->name, fpr * 100, (double)m->candidates / n, (double)m->valid / n,
	       (double)m->rules / n, (double)m->applied / n, metrics_compression(m) * 100,
	       metrics_coverage(m) * 100, metrics_precision(m) * 100, metrics_per_rule(m),
	       (unsigned long long)(m->urls - m->keys),
	       (unsigned long long)m->collapsed_wrong, m->learn_s + m->apply_s,
	       m->coverage.least * 100, m->coverage.most * 100, m->precision.least * 100,
	       m->precision.most * 100);
}

void eval_print_json(const struct compared_method *how, double fpr,
		     const struct metrics *m)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	json_open(&o, '{');
	json_put_str(&o, "method", str_from(how->name));
	json_put_double(&o, "fpr", fpr);
	json_put_uint(&o, "urls", m->urls);
	json_put_uint(&o, "clusters", m->clusters);
	json_put_uint(&o, "removable", m->urls - m->clusters);
	json_put_uint(&o, "removed", m->urls - m->keys);
	json_put_uint(&o, "removed_wrongly", m->collapsed_wrong);
	json_put_uint(&o, "candidates", m->candidates);
	json_put_uint(&o, "valid", m->valid);
	json_put_uint(&o, "rules", m->rules);
	json_put_uint(&o, "applied", m->applied);
	json_put_double(&o, "compression_rate", metrics_compression(m));
	json_put_double(&o, "coverage", metrics_coverage(m));
	json_put_double(&o, "normalisation_precision", metrics_precision(m));
	json_put_double(&o, "average_reduction_per_rule", metrics_per_rule(m));
	json_put_double(&o, "learn_seconds", m->learn_s);
	json_put_double(&o, "apply_seconds", m->apply_s);
	json_close(&o, '}');
	printf("%s\n", buf_cstr(&b));
}
