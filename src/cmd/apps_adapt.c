#include <stdio.h>
#include <stdlib.h>

#include "apps/shipped.h"
#include "base/alloc.h"
#include "cmd/apps_adapt.h"
#include "os/file.h"

/* --- repairing --- */

/* The text of the description: shipped, or in the folder of --apps. */
static enum status load_xml(struct adapting *a, const struct app *app, struct diag *why)
{
	cleanup(buf_release) struct buf dir = { 0 };
	cleanup(arena_release) struct arena scratch = { 0 };

	buf_reset(&a->xml);
	buf_add(&dir, a->settings->apps.dir);
	if (dir.n > 0) {
		char *path = path_join(&scratch, buf_cstr(&dir), app->file);

		if (file_exists(path))
			return file_load(path, DESCRIPTION_BYTES_MAX, &a->xml, why);
	}
	for (size_t i = 0; i < shipped_apps_n; i++)
		if (str_eq(str_from(shipped_apps[i].name), app->file)) {
			buf_add(&a->xml, *shipped_apps[i].text);
			return ST_OK;
		}
	return diag_fail(why, ST_NOT_FOUND, "the file of '" STR_FMT "' is not there",
			 STR_ARG(app->id));
}

static void print_changes(const struct app *app, const struct app_level *level,
			  const struct adaptation *made, bool used)
{
	printf(STR_FMT " " STR_FMT
		       ": %.0f %% of known values found, %.0f %% after repair: "
		       "%s\n",
	       STR_ARG(app->id), STR_ARG(level->id), 100 * made->before,
	       100 * made->after, used ? "used" : "not used, too uncertain");
	for (size_t i = 0; i < made->n; i++)
		printf("  " STR_FMT ": " STR_FMT "\n      -> " STR_FMT "  (confidence "
		       "%.2f)\n",
		       STR_ARG(made->v[i].what), STR_ARG(made->v[i].old),
		       STR_ARG(made->v[i].made), made->v[i].after);
}

/* Where a level stands: the application itself, or one that it extends. */
static const struct app *owner_of(const struct adapting *a, const struct kind *k)
{
	for (size_t i = 0; i < a->library.n; i++) {
		const struct app *app = &a->library.apps[i];

		if (k->level >= app->levels && k->level < app->levels + app->n_levels)
			return app;
	}
	return &a->library.apps[k->app];
}

static enum status repair_kind(struct adapting *a, const struct kind *k, size_t *ret_used,
			       struct diag *why)
{
	const struct app *app = owner_of(a, k);

	for (size_t o = 0; o < k->level->n_objects; o++) {
		cleanup(adaptation_release) struct adaptation made = { 0 };
		cleanup(buf_release) struct buf xml = { 0 }, dir = { 0 };
		cleanup(arena_release) struct arena scratch = { 0 };

		adapt_object(&a->library, k->level, o, k->pages, k->n, &made);
		if (made.n == 0)
			continue;
		bool used = 100 * made.after >= (double)a->settings->threshold;
		if (used && a->settings->out.n > 0) {
			buf_add(&dir, a->settings->out);
			TRY(dir_make(buf_cstr(&dir), why));
			char *path = path_join(&scratch, buf_cstr(&dir), app->file);
			/* A second level of the same application adds to the first. */
			if (file_exists(path)) {
				buf_reset(&a->xml);
				TRY(file_load(path, DESCRIPTION_BYTES_MAX, &a->xml, why));
			} else {
				TRY(load_xml(a, app, why));
			}
			used = adaptation_apply(&made, buf_str(&a->xml), &xml);
			if (used)
				TRY(file_replace(path, buf_str(&xml), why));
		}
		print_changes(app, k->level, &made, used);
		*ret_used += used;
	}
	return ST_OK;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct adapt_settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	struct adapting *a = NEW(struct adapting);
	struct diag why;
	size_t used = 0;
	int code = args_parse(self, argc, argv, &s, &args);

	a->settings = &s;
	if (code == ARGS_GO && args.n < 2)
		code = apps_fail(self, EXIT_USAGE,
				 "give the folder of an earlier crawl and a later one");
	if (code == ARGS_GO)
		code = apps_load(self, &s.apps, &a->library);
	if (code == ARGS_GO && adapting_load(a, args.words[0], &why) != ST_OK)
		code = apps_fail(self, EXIT_FAILED, why.text);
	if (code == ARGS_GO) {
		for (size_t i = 1; i < args.n; i++)
			args.words[i - 1] = args.words[i];
		args.n--;
		code = apps_each_page(self, &s.apps, &args, adapting_take, a);
	}
	for (size_t i = 0; i < a->n && code == ARGS_GO; i++)
		if (repair_kind(a, &a->kinds[i], &used, &why) != ST_OK)
			code = apps_fail(self, EXIT_FAILED, why.text);
	if (code == ARGS_GO) {
		if (a->n == 0)
			printf("no page of the later crawl had objects in the earlier\n");
		else
			printf("%zu objects repaired\n", used);
		code = EXIT_FINE;
	}
	adapting_release(a);
	free(a);
	return code;
}

#define AT(field) offsetof(struct adapt_settings, field)

static const struct option_row rows[] = {
	OPTION(STR, "out", AT(out), .letter = 'o', .value = "DIR",
	       .help = "where repaired descriptions go"),
	OPTION(STR, "apps", AT(apps.dir), .value = "DIR",
	       .help = "descriptions (*.xml) besides the shipped ones"),
	OPTION(UINT, "threshold", AT(threshold), .max = 100, .standard = "90",
	       .value = "PERCENT", .help = "confidence from which a repair is used"),
	OPTION_END,
};

static const struct example examples[] = {
	{ "thresh apps adapt crawl-june crawl-july -o my-apps",
	  "the template changed in between" },
	{ "thresh crawl http://board.example/ --apps my-apps",
	  "and use what was repaired" },
	{ NULL, NULL },
};

const struct command cmd_apps_adapt = {
	.name = "apps adapt",
	.summary = "repair expressions after a change of template",
	.operands = "EARLIER LATER...",
	.about = "The objects of the earlier crawl (objects.jsonl) are looked for on the "
		 "same pages of the later one. Expressions that no longer find them are "
		 "relaxed step by step, or made anew from where the known values stand; "
		 "each is measured, and used from the threshold on.",
	.options = rows,
	.examples = examples,
	.run = run,
};
