#include <stdio.h>

#include "base/json.h"
#include "base/visible.h"
#include "cmd/args.h"
#include "cmd/commands.h"
#include "os/file.h"
#include "overview/validity.h"

struct settings {
	bool json, fail_on_problem;
	uint64_t places;
};

#define AT(field) offsetof(struct settings, field)

static const struct option_row rows[] = {
	OPTION(UINT, "places", AT(places), .standard = "3", .value = "N",
	       .help = "places to show per problem; 0 for all"),
	OPTION(FLAG, "fail-on-problem", AT(fail_on_problem), .standard = "no",
	       .help = "exit code 7 when there is any problem"),
	OPTION(FLAG, "json", AT(json), .standard = "no",
	       .help = "print the report as JSON, with every place"),
	OPTION_END,
};

/* ---- For people ---- */

static void add_place(const struct validity_place *p, struct buf *to)
{
	buf_add(to, STR("                  "));
	buf_add_visible(to, p->page);
	if (!p->is_dom)
		buf_addf(to, ":%u:%u", p->fault.line, p->fault.column);
	if (p->fault.path.n) {
		buf_add(to, STR("  "));
		buf_add_visible(to, p->fault.path);
	}
	if (p->fault.detail.n) {
		buf_add(to, STR("  \""));
		buf_add_visible(to, p->fault.detail);
		buf_add(to, STR("\""));
	}
	if (p->times > 1)
		buf_addf(to, "  %llu times", (unsigned long long)p->times);
	if (p->pages > 1)
		buf_addf(to, "  %u %s", p->pages,
			 p->is_dom ? "states" : "states share it");
	buf_add_char(to, '\n');
}

static void add_kind(const struct validity *v, enum fault_kind kind, uint64_t max,
		     struct buf *to)
{
	uint64_t shown = 0, all = 0;

	buf_addf(to, "%8llu %8u %s: %s\n", (unsigned long long)v->times[kind],
		 v->pages[kind], fault_table[kind].word, fault_table[kind].sentence);
	for (size_t i = 0; i < v->n; i++) {
		if (v->v[i].fault.kind != kind)
			continue;
		all++;
		if (max && shown == max)
			continue;
		add_place(&v->v[i], to);
		shown++;
	}
	if (all > shown)
		buf_addf(to, "                  and %llu more places\n",
			 (unsigned long long)(all - shown));
}

static void add_judged(const struct validity *v, struct buf *to)
{
	if (v->files)
		buf_addf(to, "files judged, as written: %u\n", v->files);
	if (v->states)
		buf_addf(to,
			 "states judged, by the browser's DOM: %u\n"
			 "answers of the server judged, for markup only: %u\n",
			 v->states, v->answers);
	if (v->unanswered)
		buf_addf(to,
			 "states without an answer at their address, so that faults of "
			 "markup are unknown: %u\n",
			 v->unanswered);
	if (v->others)
		buf_addf(to, "states that are no HTML page, not judged: %u\n", v->others);
}

static void add_words(const struct validity *v, uint64_t max, struct buf *to)
{
	bool any = false;

	add_judged(v, to);
	for (int k = 0; k < FAULT_KINDS; k++) {
		if (!v->times[k])
			continue;
		if (!any)
			buf_addf(to, "\n%8s %8s problem\n", "times",
				 !v->files   ? "states"
				 : v->states ? "pages"
					     : "files");
		any = true;
		add_kind(v, (enum fault_kind)k, max, to);
	}
	if (!any)
		buf_add(to, STR("no problems\n"));
}

/* ---- For programs ---- */

static void add_json_place(const struct validity_place *p, struct json_out *o)
{
	json_open(o, '{');
	json_put_str(o, "page", p->page);
	if (!p->is_dom) {
		json_put_uint(o, "line", p->fault.line);
		json_put_uint(o, "column", p->fault.column);
	}
	json_put_str(o, "path", p->fault.path);
	json_put_str(o, "detail", p->fault.detail);
	json_put_str(o, "judged", p->is_dom ? STR("dom") : STR("raw"));
	json_put_uint(o, "times", p->times);
	json_put_uint(o, "pages", p->pages);
	json_close(o, '}');
}

static void add_json(const struct validity *v, struct buf *to)
{
	struct json_out o = { .to = to };

	json_open(&o, '{');
	json_put_uint(&o, "files", v->files);
	json_put_uint(&o, "states", v->states);
	json_put_uint(&o, "answers", v->answers);
	json_put_uint(&o, "unanswered", v->unanswered);
	json_put_uint(&o, "others", v->others);
	json_key(&o, STR("problems"));
	json_open(&o, '[');
	for (int k = 0; k < FAULT_KINDS; k++) {
		if (!v->times[k])
			continue;
		json_open(&o, '{');
		json_put_str(&o, "kind", str_from(fault_table[k].word));
		json_put_str(&o, "sentence", str_from(fault_table[k].sentence));
		json_put_uint(&o, "times", v->times[k]);
		json_put_uint(&o, "pages", v->pages[k]);
		json_key(&o, STR("places"));
		json_open(&o, '[');
		for (size_t i = 0; i < v->n; i++)
			if (v->v[i].fault.kind == (enum fault_kind)k)
				add_json_place(&v->v[i], &o);
		json_close(&o, ']');
		json_close(&o, '}');
	}
	json_close(&o, ']');
	json_close(&o, '}');
	buf_add_char(to, '\n');
}

/* ---- The command ---- */

/* One that cannot be read is named, and the others are judged. */
static size_t judge_all(struct args *args, struct validity *v)
{
	size_t failed = 0;

	for (size_t i = 0; i < args->n; i++) {
		cleanup(buf_release) struct buf path = { 0 };
		struct diag why = { 0 };

		buf_add(&path, args->words[i]);
		const char *name = buf_cstr(&path);
		enum status st = dir_exists(name) ? validity_add_crawl(v, name, &why)
						  : validity_add_file(v, name, &why);
		if (st == ST_OK)
			continue;
		fprintf(stderr, "thresh states validate: %s\n", why.text);
		failed++;
	}
	return failed;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(validity_release) struct validity v = { 0 };
	cleanup(buf_release) struct buf b = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (args.n == 0) {
		fprintf(stderr, "thresh states validate: at least one folder or file, "
				"please\n");
		return EXIT_USAGE;
	}
	size_t failed = judge_all(&args, &v);
	if (failed == args.n)
		return EXIT_FAILED;
	if (s.json)
		add_json(&v, &b);
	else
		add_words(&v, s.places, &b);
	fwrite(b.p, 1, b.n, stdout);
	if (failed)
		return EXIT_PARTIAL;
	return s.fail_on_problem && v.n ? EXIT_DIFFERENT : EXIT_FINE;
}

static const struct example examples[] = {
	{ "thresh states validate app", "every state of a crawl" },
	{ "thresh states validate --places 0 page.html", "one file, with every place" },
	{ NULL, NULL },
};

const struct command cmd_states_validate = {
	.name = "states validate",
	.summary = "report what is wrong with the HTML of states or files",
	.operands = "DIR|FILE...",
	.about = "Judges each state of a crawl by the HTML standard: ids, references, "
		 "labels, texts, what stands in what. The DOM of a browser has lost the "
		 "faults that its parser mended (unclosed and overlapping elements, "
		 "attributes given twice), so these are looked for in the answers that "
		 "the crawl's archive holds, and the report says for how many states "
		 "there is none. A file is judged for both.",
	.options = rows,
	.examples = examples,
	.run = run,
};
