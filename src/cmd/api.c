/* thresh api: descriptions and what became of campaigns; 'run' is in api_run.c. */
#include <stdio.h>
#include <string.h>

#include "api/campaign.h"
#include "base/json.h"
#include "cmd/api.h"
#include "cmd/args.h"
#include "cmd/commands.h"
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

const char *cmd_text(struct args *a, struct str s)
{
	if (s.n == 0)
		return NULL;
	char *p = arena_alloc(&a->bytes, s.n + 1);

	memcpy(p, s.p, s.n);
	p[s.n] = '\0';
	return p;
}

/* --- list --- */

static void list_one(const struct api_service *v, const struct settings *s)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	if (!s->json) {
		printf("%-14.*s %.*s%s\n", STR_ARG(v->name), STR_ARG(v->title),
		       v->is_example ? " (example)"
		       : v->opt_in   ? " (opt-in)"
				     : "");
		for (size_t i = 0; i < v->n; i++)
			printf("  %-12.*s %.*s\n", STR_ARG(v->interactions[i].name),
			       STR_ARG(v->interactions[i].about));
		return;
	}
	json_open(&o, '{');
	json_put_str(&o, "service", v->name);
	json_put_str(&o, "title", v->title);
	json_put_bool(&o, "opt_in", v->opt_in);
	json_key(&o, STR("interactions"));
	json_open(&o, '[');
	for (size_t i = 0; i < v->n; i++)
		json_add_str(&o, v->interactions[i].name);
	json_close(&o, ']');
	json_close(&o, '}');
	printf(STR_FMT "\n", STR_ARG(buf_str(&b)));
}

static int list(const struct command *self, int argc, char **argv)
{
	struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(catalog_release) struct catalog c = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);
	const struct api_service *v;
	struct diag why;

	if (code != ARGS_GO)
		return code;
	c.dir = cmd_text(&args, s.services);
	for (size_t i = 0; args.n ? i < args.n : shipped_services[i].name != NULL; i++) {
		struct str name =
			args.n ? args.words[i] : str_from(shipped_services[i].name);

		if (catalog_find(&c, name, &v, &why) == ST_OK) {
			list_one(v, &s);
			continue;
		}
		fprintf(stderr, "thresh api list: %s\n", why.text);
		code = EXIT_FAILED;
	}
	return code == ARGS_GO ? EXIT_FINE : code;
}

/* --- status --- */

static double number(const struct json *v, const char *name)
{
	return json_number(json_get(v, name), 0);
}

static void print_status(const struct json *v)
{
	const struct json *t = json_get(v, "total");

	printf("%-16.*s round %.0f %s, %.0f streams pending\n",
	       STR_ARG(json_str(json_get(v, "campaign"))), number(v, "round"),
	       json_bool(json_get(v, "round_ended"), false) ? "complete" : "begun",
	       number(v, "pending"));
	printf("  %.0f requests, %.0f new or changed items, %.0f links, %.0f triples, "
	       "%.0f "
	       "retried, %.0f times rate-limited, %.0f streams failed\n",
	       number(t, "requests"), number(t, "new_items"), number(t, "links"),
	       number(t, "triples"), number(t, "retries"), number(t, "waits"),
	       number(t, "failed"));
	for (const struct json *b = json_first(json_get(v, "budgets")); b;
	     b = json_next(b))
		printf("  budget %.*s: %.0f of %.0f spent\n",
		       STR_ARG(json_str(json_get(b, "bucket"))), number(b, "spent"),
		       number(b, "limit"));
}

static bool status_one(const char *dir, struct str name, const struct settings *s)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	char *path = path_join(&a, path_join(&a, dir, name), STR("state/status.json"));
	struct json *v = NULL;

	if (!file_exists(path) ||
	    file_load(path, (size_t)1 << 20, &text, NULL) != ST_OK ||
	    json_parse(buf_str(&text), &v, NULL) != ST_OK)
		return false;
	if (s->json)
		printf(STR_FMT, STR_ARG(buf_str(&text)));
	else
		print_status(v);
	json_release(&v);
	return true;
}

static int status(const struct command *self, int argc, char **argv)
{
	struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(arena_release) struct arena a = { 0 };
	struct str_list names = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);
	struct diag why;
	bool any = false;

	if (code != ARGS_GO)
		return code;
	const char *dir = args.n ? args.words[0].p : "campaigns";
	if (dir_list(dir, STR(""), &a, &names, &why) != ST_OK)
		fprintf(stderr, "thresh api status: %s\n", why.text);
	for (size_t i = 0; i < names.n; i++)
		any |= status_one(dir, names.v[i], &s);
	str_list_release(&names);
	if (!any)
		fprintf(stderr, "thresh api status: %s has no campaigns\n", dir);
	return any ? EXIT_FINE : EXIT_FAILED;
}

static const struct example list_examples[] = {
	{ "thresh api list", "all services and what they can be asked" },
	{ NULL, NULL },
};
static const struct example status_examples[] = {
	{ "thresh api status campaigns", "counts and budgets of every campaign there" },
	{ NULL, NULL },
};

const struct command cmd_api_list = {
	.name = "api list",
	.summary = "the services at hand and their interactions",
	.operands = "[NAME...]",
	.options = rows,
	.examples = list_examples,
	.run = list,
};
const struct command cmd_api_status = {
	.name = "api status",
	.summary = "how campaigns are doing, running or not",
	.operands = "[DIR]",
	.options = rows + 1,
	.examples = status_examples,
	.run = status,
};

static const struct command *const children[] = { &cmd_api_run,    &cmd_api_serve,
						  &cmd_api_status, &cmd_api_lint,
						  &cmd_api_list,   NULL };

const struct command cmd_api = {
	.name = "api",
	.summary = "collect posts, people, comments and links through web APIs",
	.operands = "COMMAND",
	.about =
		"A campaign names keywords and services; a service is described in JSON. "
		"See doc/api.md.",
	.children = children,
};
