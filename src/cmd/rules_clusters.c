#include <stdio.h>
#include <stdlib.h>

#include "cmd/rules.h"
#include "cmd/warc_files.h"
#include "corpus/page_clusters.h"

struct settings {
	struct str_list by;
};

static const struct option_row rows[] = {
	OPTION(LIST, "by", offsetof(struct settings, by), .value = "EVIDENCE",
	       .help = "digest, canonical, redirect, near, separated by commas "
		       "[digest,canonical]"),
	OPTION_END,
};

static void settings_release(struct settings *s)
{
	str_list_release(&s->by);
}

static bool set_evidence(struct page_clusters *c, const struct str_list *by)
{
	c->digest = c->canonical = by->n == 0;
	for (size_t i = 0; i < by->n; i++)
		if (!page_clusters_set_evidence(c, by->v[i]))
			return false;
	return true;
}

static void print_clusters(struct page_clusters *c)
{
	struct clustered_url *v = page_clusters_list(c);

	for (size_t i = 0; i < c->urls.n; i++)
		if (!v[i].alone)
			printf("c%u\t" STR_FMT "\n", v[i].cluster, STR_ARG(v[i].url));
		else if (v[i].fetched)
			printf("-\t" STR_FMT "\n", STR_ARG(v[i].url));
	free(v);
}

static int run(const struct command *self, int argc, char **argv)
{
	cleanup(settings_release) struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(page_clusters_release) struct page_clusters c = { 0 };
	cleanup(warc_files_release) struct warc_files files = { 0 };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (!set_evidence(&c, &s.by))
		return rules_fail(self, EXIT_USAGE,
				  "evidence is digest, canonical, redirect or near");
	if (warc_files_find(&files, &args, &why) != ST_OK)
		return rules_fail(self, args.n ? EXIT_FAILED : EXIT_USAGE, why.text);
	for (size_t i = 0; i < files.n; i++)
		if (page_clusters_add_file(&c, files.v[i], &why) != ST_OK)
			return rules_fail(self, EXIT_FAILED, why.text);
	print_clusters(&c);
	return fflush(stdout) == 0 ? EXIT_FINE : EXIT_FAILED;
}

static const struct example examples[] = {
	{ "thresh rules clusters DIR | thresh rules learn - -o DIR/rules/site.rules",
	  "learn rules from a crawl" },
	{ "thresh rules clusters --by digest,near DIR >clusters.tsv",
	  "pages that differ in a date or a counter are one, too" },
	{ "thresh rules clusters --by digest old.cdxj >clusters.tsv",
	  "clusters from an index alone" },
	{ NULL, NULL },
};

const struct command cmd_rules_clusters = {
	.name = "rules clusters",
	.summary = "print clusters of equal pages from a crawl",
	.operands = "WARC|CDXJ|JSONL|CRAWL...",
	.about = "Pages with the same payload digest are one cluster, as are a page and "
		 "what its rel=canonical names, or its redirect, or a page whose text, "
		 "without the host's template, was compared and is nearly the same. "
		 "Lines are 'cluster<TAB>url', '-' for a page that is alone.",
	.options = rows,
	.examples = examples,
	.run = run,
};
