/* thresh api lint: what is wrong with a description or a campaign, and where. */
#include <stdio.h>

#include "api/campaign.h"
#include "cmd/api.h"
#include "cmd/args.h"
#include "os/file.h"

struct settings {
	struct str services;
	bool json;
};

#define AT(field) offsetof(struct settings, field)

static const struct option_row rows[] = {
	OPTION(STR, "services", AT(services), .value = "DIR",
	       .help = "more descriptions, NAME.json; they come before the shipped ones"),
	OPTION(FLAG, "json", AT(json), .standard = "no", .help = "print JSON"),
	OPTION_END,
};

/* A campaign has services, a description is one. */
static bool is_campaign(const struct api_doc *d)
{
	return json_get(d->root, "services") != NULL;
}

static void print_problems(const struct api_doc *d, const struct settings *s)
{
	for (size_t i = 0; i < d->n; i++) {
		cleanup(buf_release) struct buf b = { 0 };
		struct json_out o = { .to = &b };

		if (!s->json) {
			problem_format(d, &d->problems[i], &b);
		} else {
			json_open(&o, '{');
			json_put_str(&o, "file", d->name);
			json_put_uint(&o, "line", d->problems[i].line);
			json_put_uint(&o, "column", d->problems[i].column);
			json_put_str(&o, "path", d->problems[i].path);
			json_put_str(&o, "cause", d->problems[i].cause);
			json_close(&o, '}');
		}
		printf(STR_FMT "\n", STR_ARG(buf_str(&b)));
	}
}

static bool lint_one(struct catalog *c, struct str word, const struct settings *s)
{
	cleanup(buf_release) struct buf text = { 0 };
	cleanup(doc_release) struct api_doc d = { 0 };
	struct api_service service = { 0 };
	struct campaign campaign = { 0 };
	struct diag why = { { 0 } };
	enum status st;

	if (file_exists(word.p) && !dir_exists(word.p))
		st = doc_load(&d, word.p, &why);
	else if ((st = catalog_text(c, word, &text, &why)) == ST_OK)
		st = doc_parse(&d, word, buf_str(&text), &why);
	if (st != ST_OK) {
		printf("%s\n", why.text);
		return false;
	}
	if (is_campaign(&d))
		st = campaign_parse(&d, c, &campaign, &why);
	else
		st = api_service_parse(&d, &service, &why);
	print_problems(&d, s);
	if (st != ST_OK && d.n == 0)
		printf(STR_FMT ": %s\n", STR_ARG(word), why.text);
	campaign_release(&campaign);
	api_service_release(&service);
	return st == ST_OK;
}

static int lint(const struct command *self, int argc, char **argv)
{
	struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(catalog_release) struct catalog c = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);
	bool fine = true;

	if (code != ARGS_GO)
		return code;
	c.dir = cmd_text(&args, s.services);
	for (size_t i = 0; i < args.n; i++)
		fine &= lint_one(&c, args.words[i], &s);
	for (size_t i = 0; args.n == 0 && shipped_services[i].name; i++)
		fine &= lint_one(&c, str_from(shipped_services[i].name), &s);
	return fine ? EXIT_FINE : EXIT_FAILED;
}

static const struct example lint_examples[] = {
	{ "thresh api lint my.json", "check a description" },
	{ "thresh api lint energy.yaml", "check a campaign and the services it names" },
	{ NULL, NULL },
};
const struct command cmd_api_lint = {
	.name = "api lint",
	.summary = "check descriptions and campaigns: place and cause of every mistake",
	.operands = "[FILE|NAME...]",
	.about =
		"Without a name, all shipped descriptions. Exit code 1 when something is "
		"wrong.",
	.options = rows,
	.examples = lint_examples,
	.run = lint,
};
