#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/args.h"
#include "cmd/commands.h"
#include "cmd/kb_shared.h"
#include "os/progress.h"

enum status kb_write_stdout(void *context, struct str bytes)
{
	(void)context;
	return fwrite(bytes.p, 1, bytes.n, stdout) == bytes.n ? ST_OK : ST_IO;
}

int kb_complain(const struct command *self, enum status st, const struct diag *why)
{
	fprintf(stderr, "thresh %s: %s\n", self->name, why->text);
	if (st == ST_TIMEOUT || st == ST_TOO_LARGE)
		return EXIT_LIMIT;
	return st == ST_CANCELLED ? EXIT_INTERRUPTED : EXIT_FAILED;
}

int kb_want(const struct command *self, const char *what)
{
	fprintf(stderr, "thresh %s: want %s\nTry 'thresh %s --help'.\n", self->name, what,
		self->name);
	return EXIT_USAGE;
}

/* --- load --- */

struct load_settings {
	struct str graph, base, syntax;
	bool strict, quiet;
	uint64_t memory, unpacked;
};

static const struct option_row load_options[] = {
	{ "graph", 'g', OPTION_STR, offsetof(struct load_settings, graph), 0, 0, NULL,
	  "IRI", NULL, "put statements that name no graph into this one" },
	{ "base", 0, OPTION_STR, offsetof(struct load_settings, base), 0, 0, NULL, "IRI",
	  NULL, "resolve relative references against this, not the file's own name" },
	{ "strict", 0, OPTION_FLAG, offsetof(struct load_settings, strict), 0, 0, NULL,
	  NULL, NULL, "stop at the first bad line and keep nothing of its file" },
	{ "memory", 'm', OPTION_BYTES, offsetof(struct load_settings, memory), 64e6, 1e12,
	  "1500M", "SIZE", NULL, "memory for sorting; beyond it, runs go to disk" },
	{ "unpacked", 0, OPTION_BYTES, offsetof(struct load_settings, unpacked), 0, 0,
	  NULL, "SIZE", NULL,
	  "the most that a compressed file may hold; 200 times its size otherwise" },
	{ "quiet", 'q', OPTION_FLAG, offsetof(struct load_settings, quiet), 0, 0, NULL,
	  NULL, NULL, "no progress" },
	OPTION_END
};

struct load_display {
	struct progress progress;
	const char *file;
	int64_t start_ns;
	uint64_t bad_shown;
};

static void show_bad(void *context, uint64_t line, const char *why)
{
	struct load_display *d = context;

	progress_clear(&d->progress);
	if (++d->bad_shown <= 20)
		fprintf(stderr, "%s: line %llu: %s\n", d->file, (unsigned long long)line,
			why);
	else if (d->bad_shown == 21)
		fprintf(stderr, "%s: more bad lines are not shown\n", d->file);
}

static double seconds_since(int64_t start_ns)
{
	return (double)(clock_mono_ns(&real_clock) - start_ns) / 1e9;
}

static bool show_progress(void *context, uint64_t bytes, uint64_t total,
			  uint64_t statements)
{
	struct load_display *d = context;
	cleanup(buf_release) struct buf b = { 0 };
	double s = seconds_since(d->start_ns),
	       share = total ? (double)bytes / (double)total : 1;

	if (!progress_due(&d->progress))
		return true;
	buf_add_char(&b, '[');
	for (int i = 0; i < 30; i++)
		buf_add_char(&b, i < (int)(share * 30) ? '#' : '.');
	buf_addf(&b, "] %3.0f %%  %llu statements  %.0f/s  %s", share * 100,
		 (unsigned long long)statements,
		 (double)statements / (s > 0.01 ? s : 0.01), d->file);
	progress_show(&d->progress, buf_str(&b));
	return true;
}

static int load_one(const struct command *self, struct kb *k, const char *path,
		    const struct load_settings *settings, struct load_counts *sum)
{
	struct load_display d = { .file = path, .start_ns = clock_mono_ns(&real_clock) };
	struct load_options o = { .syntax = RDF_UNKNOWN,
				  .base = settings->base,
				  .strict = settings->strict,
				  .unpacked_bytes = settings->unpacked,
				  .bad = show_bad,
				  .progress = show_progress,
				  .context = &d };
	struct load_counts counts = { 0 };
	struct diag why;

	if (settings->graph.n)
		o.graph = term_iri(settings->graph);
	progress_init(&d.progress, STDERR_FILENO, &real_clock);
	d.progress.off = settings->quiet;
	enum status st = kb_load_file(k->store, path, &o, &counts, &why);
	progress_clear(&d.progress);
	progress_release(&d.progress);
	sum->statements += counts.statements;
	sum->bad += counts.bad;
	if (st == ST_OK)
		return EXIT_FINE;
	int code = kb_complain(self, st, &why);
	if (settings->strict)
		fprintf(stderr, "%s: nothing of this file was loaded\n", path);
	return code;
}

static int run_load(const struct command *self, int argc, char **argv)
{
	struct load_settings settings = { 0 };
	cleanup(args_release) struct args args = { 0 };
	int code = args_parse(self, argc, argv, &settings, &args);
	struct load_counts sum = { 0 };
	struct diag why;
	struct kb k;

	if (code != ARGS_GO)
		return code;
	if (args.n < 2)
		return kb_want(self, "a STORE and at least one FILE");
	struct store_options options = { .memory_bytes = settings.memory };
	enum status st = kb_open(&k, args.words[0].p, &options, &why);
	if (st != ST_OK)
		return kb_complain(self, st, &why);
	int64_t start = clock_mono_ns(&real_clock);
	code = EXIT_FINE;
	for (size_t i = 1; i < args.n && (code == EXIT_FINE || !settings.strict); i++) {
		int one = load_one(self, &k, args.words[i].p, &settings, &sum);

		code = one != EXIT_FINE ? one : code;
	}
	st = store_background_status(k.store, &why);
	if (st != ST_OK)
		code = kb_complain(self, st, &why);
	double s = seconds_since(start);
	if (!settings.quiet)
		fprintf(stderr, "%llu statement%s in %.1f s, %.0f/s; %llu bad line%s\n",
			(unsigned long long)sum.statements,
			sum.statements == 1 ? "" : "s", s,
			(double)sum.statements / (s > 0.001 ? s : 0.001),
			(unsigned long long)sum.bad, sum.bad == 1 ? "" : "s");
	kb_close(&k);
	return code == EXIT_FINE && sum.bad ? EXIT_PARTIAL : code;
}

static const struct example load_examples[] = {
	{ "thresh kb load facts.kb pages.nt links.nq",
	  "load two files into a new store" },
	{ "thresh kb load facts.kb --graph http://example.org/crawl/7 c7.nt",
	  "load into a named graph" },
	{ NULL, NULL },
};

static const struct command kb_load_command = {
	.name = "kb load",
	.summary = "load RDF files into a knowledge base",
	.operands = "STORE FILE...",
	.about = "N-Triples (.nt), N-Quads (.nq), Turtle (.ttl) and TriG (.trig), also "
		 "compressed (.gz, .zst). A bad "
		 "line of "
		 "N-Triples or N-Quads is reported with its number and the rest is "
		 "loaded; the "
		 "exit code is then 3.",
	.options = load_options,
	.examples = load_examples,
	.run = run_load,
};

static const struct command *const kb_children[] = {
	&kb_load_command,  &kb_query_command, &kb_update_command, &kb_serve_command,
	&kb_stats_command, &kb_dump_command,  &kb_check_command,  NULL,
};

const struct command cmd_kb = {
	.name = "kb",
	.summary = "the knowledge base: RDF facts, asked by SPARQL 1.1",
	.operands = "COMMAND",
	.about = "What a crawl learns, and any other RDF, in a folder that can be asked "
		 "while it is "
		 "being written.",
	.children = kb_children,
};
