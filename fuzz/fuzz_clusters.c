/* fuzz_clusters.c - clusters of anything are learnt from and rewritten without harm. */
#include "align/clusters.h"
#include "learn/evaluate.h"
#include "learn/learn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup(url_set_release) struct url_set urls = { 0 };
	struct diag why = { 0 };

	if (size > 1 << 16 || clusters_parse((struct str){ (const char *)data, size },
					     &urls, &why) != ST_OK)
		return 0;
	url_set_seal(&urls);
	for (int method = LEARN_DUSTLIN; method <= LEARN_TREE; method++) {
		cleanup(rule_set_release) struct rule_set rules = { 0 };
		cleanup(rule_index_release) struct rule_index x = { 0 };
		struct learn_options o = {
			.method = (enum learn_method)method,
			.offer = { .sample = 10, .card = 3, .seed = 1 },
			.families = method < 2,
			.min_freq = 1,
			.min_support = 1,
			.fpr_max = method == LEARN_DUSTER ? 0 : 1,
			.doubt = method == LEARN_DUSTER,
			.universal_sites = method < 2 ? 1 : 0,
			.threads = 1,
		};
		struct learn_report report;
		struct metrics m = { 0 };

		o.offer.method =
			method == LEARN_DUSTER ? MULTI_PROGRESSIVE : MULTI_LINEAR;
		learn(&urls, &o, &rules, &report);
		rule_index_build(&x, &rules);
		measure(&urls, NULL, 0, &x, &m, NULL, NULL);
	}
	return 0;
}
