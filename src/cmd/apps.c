#include "cmd/apps.h"

#include <stdio.h>

#include "base/json.h"
#include "cmd/commands.h"

int apps_fail(const struct command *self, int code, const char *why)
{
	fprintf(stderr, "thresh %s: %s\n", self->name, why);
	return code;
}

int apps_load(const struct command *self, const struct apps_settings *s,
	      struct app_library *ret)
{
	cleanup(buf_release) struct buf dir = { 0 };
	struct diag why;

	buf_add(&dir, s->dir);
	if (library_load(ret, s->dir.n ? buf_cstr(&dir) : NULL, s->only, &why) != ST_OK)
		return apps_fail(self, EXIT_FAILED, why.text);
	for (size_t i = 0; i < ret->n_problems; i++)
		fprintf(stderr, "thresh %s: %s; passed over\n", self->name,
			ret->problems[i].why.text);
	return ARGS_GO;
}

static size_t pattern_count(const struct app *a)
{
	size_t n = a->n_patterns;

	for (size_t i = 0; i < a->n_levels; i++)
		n += a->levels[i].n_patterns;
	return n;
}

static void print_json(const struct app_library *l, uint32_t i)
{
	cleanup(buf_release) struct buf line = { 0 };
	struct json_out o = { .to = &line };
	const struct app_whole *w = &l->wholes[i];

	json_open(&o, '{');
	json_put_str(&o, "id", l->apps[i].id);
	json_put_str(&o, "name", l->apps[i].name);
	json_put_str(&o, "kind", library_kind(l, i));
	json_put_str(&o, "extends", l->apps[i].extends);
	json_put_str(&o, "file", l->apps[i].file);
	json_put_uint(&o, "patterns", pattern_count(&l->apps[i]));
	json_put_uint(&o, "link_rules", w->n_rules);
	json_key(&o, STR("levels"));
	json_open(&o, '[');
	for (size_t k = 0; k < w->n_levels; k++)
		json_add_str(&o, w->levels[k]->id);
	json_close(&o, ']');
	json_close(&o, '}');
	printf(STR_FMT "\n", STR_ARG(buf_str(&line)));
}

static void print_row(const struct app_library *l, uint32_t i)
{
	const struct app_whole *w = &l->wholes[i];

	printf("%-14.*s %-22.*s %-14.*s %8zu %10zu  ", STR_ARG(l->apps[i].id),
	       STR_ARG(l->apps[i].name), STR_ARG(library_kind(l, i)),
	       pattern_count(&l->apps[i]), w->n_rules);
	for (size_t k = 0; k < w->n_levels; k++)
		printf("%s" STR_FMT, k ? " " : "", STR_ARG(w->levels[k]->id));
	printf("\n");
}

static int run_list(const struct command *self, int argc, char **argv)
{
	struct apps_settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(library_release) struct app_library l = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code == ARGS_GO)
		code = apps_load(self, &s, &l);
	if (code != ARGS_GO)
		return code;
	if (!s.json)
		printf("%-14s %-22s %-14s %8s %10s  %s\n", "id", "name", "kind",
		       "patterns", "link rules", "levels");
	for (uint32_t i = 0; i < l.n; i++)
		if (s.json)
			print_json(&l, i);
		else if (!l.apps[i].is_kind)
			print_row(&l, i);
	return l.n_problems ? EXIT_PARTIAL : EXIT_FINE;
}

#define AT(field) offsetof(struct apps_settings, field)

static const struct option_row list_rows[] = {
	OPTION(STR, "apps", AT(dir), .value = "DIR",
	       .help = "descriptions (*.xml) besides the shipped ones"),
	OPTION(FLAG, "only", AT(only), .help = "without the shipped ones"),
	OPTION(FLAG, "json", AT(json), .help = "one JSON object per line"),
	OPTION_END,
};

static const struct example list_examples[] = {
	{ "thresh apps list", "which applications are known" },
	{ NULL, NULL },
};

const struct command cmd_apps_list = {
	.name = "apps list",
	.summary = "the applications that are known",
	.operands = "",
	.options = list_rows,
	.examples = list_examples,
	.run = run_list,
};

static const struct command *const children[] = {
	&cmd_apps_list,    &cmd_apps_detect,
	&cmd_apps_extract, &cmd_apps_report,
	&cmd_apps_test,    &cmd_apps_lint,
	&cmd_apps_import,  &cmd_apps_learn,
	&cmd_apps_adapt,   NULL,
};

const struct command cmd_apps = {
	.name = "apps",
	.summary = "know a wiki, a forum, a blog: detect, extract, test descriptions",
	.operands = "COMMAND",
	.about = "A description says how an application is recognised, which levels of "
		 "pages it has, which links lead on and which repeat, and what objects a "
		 "page holds. 'thresh crawl' uses them by default (--no-apps).",
	.children = children,
};
