#include "cmd/rules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "align/clusters.h"
#include "base/alloc.h"
#include "cmd/commands.h"
#include "dust/rule_file.h"
#include "dust/shipped.h"
#include "os/thread.h"

int rules_fail(const struct command *self, int code, const char *why)
{
	fprintf(stderr, "thresh %s: %s\n", self->name, why);
	return code;
}

struct learn_options learn_options_from(const struct learn_settings *s)
{
	struct learn_options o = {
		.offer = { .sample = s->sample,
			   .card = (unsigned)s->card,
			   .keep_groups = s->keep_groups,
			   .seed = s->seed },
		.min_freq = s->min_freq,
		.min_support = s->min_support,
		.fpr_max = s->fpr,
		.doubt = s->doubt,
		.universal_sites = s->universal,
		.threads = s->threads ? (unsigned)s->threads : cpu_count(),
	};

	learn_set_method(&o, (enum learn_method)s->method, s->families);
	return o;
}

enum status read_stdin(struct buf *to, struct diag *why)
{
	for (;;) {
		char *p = buf_reserve(to, 1 << 20);
		ssize_t n = p ? read(STDIN_FILENO, p, 1 << 20) : -1;

		if (!p)
			return diag_fail(why, ST_TOO_LARGE, "the input is too large");
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return diag_fail(why, ST_IO, "standard input: %s",
					 strerror(errno));
		if (n == 0)
			return ST_OK;
		to->n += (size_t)n;
	}
}

enum status rules_open(struct str path, struct rule_set *ret, struct diag *why)
{
	cleanup(buf_release) struct buf name = { 0 };

	if (str_eq(path, STR("general")))
		return rules_parse(shipped_rules, ret, why);
	buf_add(&name, path);
	return rules_load(buf_cstr(&name), ret, why);
}

void cluster_files_release(struct cluster_files *f)
{
	url_set_release(&f->urls);
	for (size_t i = 0; i < f->n; i++)
		map_file_release(&f->maps[i]);
	free(f->maps);
	buf_release(&f->input);
}

static enum status load_one(struct cluster_files *f, struct str path, struct diag *why)
{
	cleanup(buf_release) struct buf name = { 0 };
	struct diag inner = { 0 };
	struct str text;

	if (str_eq(path, STR("-"))) {
		f->input.limit = CLUSTERS_BYTES_MAX;
		TRY(read_stdin(&f->input, why));
		text = buf_str(&f->input);
	} else {
		buf_add(&name, path);
		VEC_ADD(f->maps, f->n, f->cap, (struct map_file){ 0 });
		TRY(map_file_open(&f->maps[f->n - 1], buf_cstr(&name), MAP_SEQUENTIAL,
				  why));
		text = f->maps[f->n - 1].bytes;
	}
	enum status st = clusters_parse(text, &f->urls, &inner);
	return st == ST_OK
		       ? ST_OK
		       : diag_fail(why, st, STR_FMT ": %s", STR_ARG(path), inner.text);
}

int cluster_files_load(const struct command *self, const struct args *args,
		       struct cluster_files *ret)
{
	struct diag why = { 0 };

	if (args->n == 0)
		return rules_fail(self, EXIT_USAGE, "give a file of clusters, or -");
	for (size_t i = 0; i < args->n; i++) {
		ret->urls.unusable = 0;
		if (load_one(ret, args->words[i], &why) != ST_OK)
			return rules_fail(self, EXIT_FAILED, why.text);
		if (ret->urls.unusable > 0)
			fprintf(stderr,
				"thresh %s: " STR_FMT
				": %zu URLs are left out, the first in %s\n",
				self->name, STR_ARG(args->words[i]), ret->urls.unusable,
				ret->urls.first_unusable.text);
	}
	url_set_seal(&ret->urls);
	return ARGS_GO;
}

static const struct command *const children[] = {
	&cmd_rules_clusters,
	&cmd_rules_learn,
	&cmd_rules_apply,
	&cmd_rules_eval,
	&cmd_rules_calibrate,
	&cmd_rules_show,
	&cmd_rules_export,
	&cmd_rules_import,
	&cmd_rules_map,
	&cmd_rules_reduce,
	NULL,
};

const struct command cmd_rules = {
	.name = "rules",
	.summary = "learn, prove, apply and exchange URL rules",
	.operands = "COMMAND",
	.about = "Many URLs lead to one page. A rule says which parts of a URL do not "
		 "matter; rules are learnt from clusters of URLs with the same page.",
	.children = children,
};
