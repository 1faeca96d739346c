#include <stdio.h>
#include <string.h>

#include "apps/extract.h"
#include "apps/fixture.h"
#include "cmd/apps.h"
#include "os/file.h"

#define FIXTURE_MAX ((size_t)4 << 20)

struct test_run {
	struct app_library library;
	struct app_scan scan;
	struct arena arena;
	struct buf problems;
	bool *fired; /* per pattern */
	struct fixture_result all;
	size_t fixtures, failed;
};

static void test_release(struct test_run *t)
{
	app_scan_release(&t->scan);
	library_release(&t->library);
	arena_release(&t->arena);
	buf_release(&t->problems);
}

static const char *cstr_of(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n + 1);

	memcpy(p, s.p, s.n);
	p[s.n] = '\0';
	return p;
}

/* "DIR/fixtures/NAME"; what is not there is empty. */
static enum status load(struct test_run *t, const struct app *app, struct str name,
			const char *suffix, struct buf *to, struct diag *why)
{
	cleanup(buf_release) struct buf path = { 0 };

	buf_addf(&path, "%s/fixtures/" STR_FMT "%s",
		 path_dir(&t->arena, cstr_of(&t->arena, app->file)), STR_ARG(name),
		 suffix);
	if (*suffix && !file_exists(buf_cstr(&path)))
		return ST_OK;
	return file_load(buf_cstr(&path), FIXTURE_MAX, to, why);
}

static void test_one(struct test_run *t, uint32_t app, const struct app_fixture *f)
{
	cleanup(buf_release) struct buf html = { 0 }, objects = { 0 };
	const struct app *a = &t->library.apps[app];
	struct diag why;

	t->fixtures++;
	if (load(t, a, f->file, "", &html, &why) != ST_OK ||
	    load(t, a, f->file, ".jsonl", &objects, &why) != ST_OK) {
		buf_addf(&t->problems, "%s\n", why.text);
		t->failed++;
		return;
	}
	struct fixture_result r = fixture_check(&t->scan, app, f, buf_str(&html),
						buf_str(&objects), &t->problems);
	for (size_t i = 0; t->fired && i < t->scan.n_evidence; i++)
		t->fired[t->scan.evidence[i].owner] = true;
	t->failed += r.failures > 0 || fixture_f1(&r) < 1;
	t->all.failures += r.failures;
	t->all.expected += r.expected;
	t->all.found += r.found;
	t->all.right += r.right;
}

static int start(const struct command *self, int argc, char **argv, struct args *args,
		 struct test_run *t)
{
	struct apps_settings s = { .only = true };
	int code = args_parse(self, argc, argv, &s, args);

	if (code != ARGS_GO)
		return code;
	s.only = true;
	s.dir = args->n ? args->words[0] : STR("apps");
	code = apps_load(self, &s, &t->library);
	if (code != ARGS_GO)
		return code;
	app_scan_init(&t->scan, &t->library);
	return ARGS_GO;
}

static int run_test(const struct command *self, int argc, char **argv)
{
	cleanup(args_release) struct args args = { 0 };
	cleanup(test_release) struct test_run t = { 0 };
	int code = start(self, argc, argv, &args, &t);

	if (code != ARGS_GO)
		return code;
	for (uint32_t i = 0; i < t.library.n; i++) {
		size_t before = t.failed, n = t.library.apps[i].n_fixtures;

		buf_reset(&t.problems);
		for (size_t k = 0; k < n; k++)
			test_one(&t, i, &t.library.apps[i].fixtures[k]);
		if (n > 0)
			printf("%-14.*s %zu fixtures, %s\n" STR_FMT,
			       STR_ARG(t.library.apps[i].id), n,
			       t.failed > before ? "FAILED" : "ok",
			       STR_ARG(buf_str(&t.problems)));
	}
	printf("%zu fixtures, %zu failed; fields: F1 %.3f (%u expected, %u found, %u "
	       "right)\n",
	       t.fixtures, t.failed, fixture_f1(&t.all), t.all.expected, t.all.found,
	       t.all.right);
	return t.failed               ? EXIT_DIFFERENT
	       : t.library.n_problems ? EXIT_PARTIAL
				      : EXIT_FINE;
}

/* --- lint --- */

static size_t complain(const struct app *a, unsigned line, const char *what,
		       struct str word)
{
	printf(STR_FMT ":%u: %s " STR_FMT "\n", STR_ARG(a->file), line, what,
	       STR_ARG(word));
	return 1;
}

static size_t lint_objects(const struct app *a, const struct app_level *l)
{
	struct diag why;
	size_t n = 0;

	for (size_t k = 0; k < l->n_objects; k++) {
		const struct app_object *o = &l->objects[k];

		if (xpath_check(o->select, &why) != ST_OK)
			n += complain(a, o->line, why.text, STR(""));
		for (size_t f = 0; f < o->n_fields; f++)
			if (xpath_check(o->fields[f].select, &why) != ST_OK)
				n += complain(a, o->fields[f].line, why.text, STR(""));
	}
	return n;
}

static size_t lint_app(struct test_run *t, uint32_t nr)
{
	const struct app *a = &t->library.apps[nr];
	size_t n = 0;

	if (!a->is_kind && a->n_patterns == 0)
		n += complain(a, 1, "is never recognised: it has no patterns:", a->id);
	if (!a->is_kind && a->n_fixtures == 0)
		n += complain(a, 1, "has no fixture:", a->id);
	for (size_t k = 0; k < a->n_levels; k++)
		n += lint_objects(a, &a->levels[k]);
	for (size_t k = 0; k < a->n_fixtures; k++)
		test_one(t, nr, &a->fixtures[k]);
	return n;
}

static int run_lint(const struct command *self, int argc, char **argv)
{
	cleanup(args_release) struct args args = { 0 };
	cleanup(test_release) struct test_run t = { 0 };
	int code = start(self, argc, argv, &args, &t);
	size_t n = 0, quiet = 0;

	if (code != ARGS_GO)
		return code;
	t.fired = arena_alloc(&t.arena, t.library.n_owners + 1);
	for (size_t i = 0; i < t.library.n_owners; i++)
		t.fired[i] = false;
	for (uint32_t i = 0; i < t.library.n; i++)
		n += lint_app(&t, i);
	for (size_t i = 0; i < t.library.n_owners; i++) {
		const struct app_owner *o = &t.library.owners[i];

		if (!t.fired[i])
			quiet += complain(&t.library.apps[o->app], o->pattern->line,
					  "fires on no fixture:",
					  o->pattern->path.n ? o->pattern->path
							     : o->pattern->match);
	}
	printf("%zu applications, %zu patterns (%zu by PCRE2 alone), %zu problems, %zu "
	       "patterns that no fixture shows\n",
	       t.library.n, t.library.n_owners,
	       t.library.heads.n_slow + t.library.bodies.n_slow, n + t.library.n_problems,
	       quiet);
	return n + t.library.n_problems ? EXIT_DIFFERENT : EXIT_FINE;
}

static const struct option_row no_rows[] = { OPTION_END };

static const struct example test_examples[] = {
	{ "thresh apps test apps", "each description against its fixtures" },
	{ NULL, NULL },
};
static const struct example lint_examples[] = {
	{ "thresh apps lint apps", "expressions that are wrong, slow or never fire" },
	{ NULL, NULL },
};

const struct command cmd_apps_test = {
	.name = "apps test",
	.summary = "descriptions against their fixtures",
	.operands = "[DIR]",
	.about = "Each <fixture> of a description in DIR [apps] is a page in "
		 "DIR/fixtures: application, level and links must be as it says, and "
		 "the objects as in FILE.jsonl beside it.",
	.options = no_rows,
	.examples = test_examples,
	.run = run_test,
};

const struct command cmd_apps_lint = {
	.name = "apps lint",
	.summary = "descriptions whose patterns are wrong, slow or never fire",
	.operands = "[DIR]",
	.about = "Checks the expressions of the descriptions in DIR [apps] and lists the "
		 "patterns that fire on none of the fixtures.",
	.options = no_rows,
	.examples = lint_examples,
	.run = run_lint,
};
