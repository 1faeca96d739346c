#include <stdio.h>

#include "apps/wappalyzer.h"
#include "cmd/apps.h"
#include "os/file.h"

#define IMPORT_MAX ((size_t)64 << 20)

struct import_settings {
	struct str out;
};

static enum status import_one(const char *dir, struct str name, const struct json *t,
			      struct wappalyzer_counts *counts, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf xml = { 0 }, file = { 0 };

	wappalyzer_description(name, t, &xml, counts);
	if (xml.n == 0)
		return ST_OK;
	wappalyzer_id(name, &file);
	buf_add(&file, STR(".xml"));
	return file_replace(path_join(&a, dir, buf_str(&file)), buf_str(&xml), why);
}

/* Both forms are known: the technologies alone, or under that name. */
static enum status import_file(const char *dir, const char *path,
			       struct wappalyzer_counts *counts, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct json *all = NULL;
	enum status st = ST_OK;

	TRY(file_load(path, IMPORT_MAX, &text, why));
	TRY(json_parse(buf_str(&text), &all, why));
	const struct json *from = json_get(all, "technologies");
	if (!from)
		from = json_get(all, "apps");
	for (const struct json *t = json_first(from ? from : all); t && st == ST_OK;
	     t = json_next(t))
		if (json_kind(t) == JSON_OBJECT)
			st = import_one(dir, json_name(t), t, counts, why);
	json_release(&all);
	return st;
}

static enum status import(const char *dir, const struct args *args,
			  struct wappalyzer_counts *counts, struct diag *why)
{
	cleanup(library_release) struct app_library l = { 0 };

	TRY(dir_make(dir, why));
	for (size_t i = 0; i < args->n; i++) {
		cleanup(buf_release) struct buf path = { 0 };

		buf_add(&path, args->words[i]);
		TRY(import_file(dir, buf_cstr(&path), counts, why));
	}
	TRY(library_load(&l, dir, false, why));
	return library_store(&l, dir, why);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct import_settings s = { 0 };
	struct wappalyzer_counts counts = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(buf_release) struct buf dir = { 0 };
	struct diag why;
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (args.n == 0 || s.out.n == 0)
		return apps_fail(self, EXIT_USAGE, "give JSON files, and -o DIR");
	buf_add(&dir, s.out);
	if (import(buf_cstr(&dir), &args, &counts, &why) != ST_OK)
		return apps_fail(self, EXIT_FAILED, why.text);
	printf("%zu applications with %zu patterns; left out: %zu that need a browser or "
	       "another selector, %zu that are no regular expressions\n",
	       counts.applications, counts.patterns, counts.left_out, counts.bad);
	return EXIT_FINE;
}

#define AT(field) offsetof(struct import_settings, field)

static const struct option_row rows[] = {
	OPTION(STR, "out", AT(out), .letter = 'o', .value = "DIR",
	       .help = "where the descriptions go"),
	OPTION_END,
};

static const struct example examples[] = {
	{ "thresh apps import technologies/*.json -o my-apps",
	  "fingerprints that you have" },
	{ "thresh apps detect crawl --apps my-apps", "and use them" },
	{ NULL, NULL },
};

const struct command cmd_apps_import = {
	.name = "apps import",
	.summary = "fingerprints in the format of Wappalyzer, as descriptions",
	.operands = "JSON...",
	.about = "Detection only: such files know neither levels nor links. The folder "
		 "also gets a compiled form, so that thousands of patterns load at once. "
		 "Mind the licence of what you import: these collections are often GPL.",
	.options = rows,
	.examples = examples,
	.run = run,
};
