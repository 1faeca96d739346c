#include <stdio.h>

#include "cmd/args.h"
#include "cmd/commands.h"
#include "states/diff.h"

struct settings {
	bool json;
};

static const struct option_row rows[] = {
	{ "json", 0, OPTION_FLAG, offsetof(struct settings, json), 0, 0, "no", NULL, NULL,
	  "print the differences as JSON" },
	OPTION_END,
};

static void print_table(const struct diff *d)
{
	printf("%-10s %8s %8s %8s\n", "", "added", "gone", "changed");
	for (int k = 0; k < DIFF_KINDS; k++)
		printf("%-10s %8zu %8zu %8zu\n", diff_kind_name((enum diff_kind)k),
		       d->counts[k][DIFF_ADDED], d->counts[k][DIFF_GONE],
		       d->counts[k][DIFF_CHANGED]);
	if (d->n)
		printf("\n");
	for (size_t i = 0; i < d->n; i++)
		printf("%s %s " STR_FMT "\n", diff_kind_name(d->items[i].kind),
		       diff_what_name(d->items[i].what), STR_ARG(d->items[i].text));
}

static void print_json(const struct diff *d)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	json_open(&o, '{');
	json_put_bool(&o, "different", d->n > 0);
	json_key(&o, STR("items"));
	json_open(&o, '[');
	for (size_t i = 0; i < d->n; i++) {
		json_open(&o, '{');
		json_put_str(&o, "kind", str_from(diff_kind_name(d->items[i].kind)));
		json_put_str(&o, "what", str_from(diff_what_name(d->items[i].what)));
		json_put_str(&o, "text", d->items[i].text);
		json_close(&o, '}');
	}
	json_close(&o, ']');
	json_close(&o, '}');
	printf(STR_FMT "\n", STR_ARG(buf_str(&b)));
}

static enum status compare(const struct args *args, struct diff *ret, struct diag *why)
{
	cleanup(model_close) struct model before = { 0 }, after = { 0 };
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 };

	buf_add(&a, args->words[0]);
	buf_add(&b, args->words[1]);
	TRY(model_load(&before, buf_cstr(&a), why));
	TRY(model_load(&after, buf_cstr(&b), why));
	diff_make(&before, &after, ret);
	return ST_OK;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(diff_release) struct diff d = { 0 };
	struct diag why;
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (args.n != 2) {
		fprintf(stderr, "thresh states diff: two folders, please\n");
		return EXIT_USAGE;
	}
	if (compare(&args, &d, &why) != ST_OK) {
		fprintf(stderr, "thresh states diff: %s\n", why.text);
		return EXIT_FAILED;
	}
	(s.json ? print_json : print_table)(&d);
	return d.n ? EXIT_DIFFERENT : EXIT_FINE;
}

static const struct example examples[] = {
	{ "thresh states diff before after",
	  "what a release changed; exit code 7 if anything did" },
	{ NULL, NULL },
};

const struct command cmd_states_diff = {
	.name = "states diff",
	.summary = "compare two crawls of one application",
	.operands = "BEFORE AFTER",
	.about = "States, edges and problems that were added, are gone or changed, "
		 "matched by "
		 "template. The exit code is 0 when nothing differs and 7 when something "
		 "does.",
	.options = rows,
	.examples = examples,
	.run = run,
};
