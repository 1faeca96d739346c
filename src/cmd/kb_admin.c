#include <stdio.h>
#include <stdlib.h>

#include "cmd/args.h"
#include "cmd/commands.h"
#include "cmd/kb_shared.h"
#include "kb/check.h"
#include "kb/summary.h"

/* --- dump --- */

struct dump_settings {
	struct str graph;
	int format;
};

static const struct option_row dump_options[] = {
	{ "graph", 'g', OPTION_STR, offsetof(struct dump_settings, graph), 0, 0, NULL,
	  "IRI", NULL, "only this graph; 'default' for the default graph" },
	{ "format", 'f', OPTION_CHOICE, offsetof(struct dump_settings, format), 0, 0,
	  "nquads", "FORMAT", "nquads|turtle|trig|ntriples",
	  "how to write it; turtle and ntriples do not name graphs" },
	OPTION_END
};

static int run_dump(const struct command *self, int argc, char **argv)
{
	struct dump_settings settings = { 0 };
	cleanup(args_release) struct args args = { 0 };
	int code = args_parse(self, argc, argv, &settings, &args);
	static const enum rdf_syntax formats[] = { RDF_NQUADS, RDF_TURTLE, RDF_TRIG,
						   RDF_NTRIPLES };
	struct dump_options o = { 0 };
	struct diag why;
	struct kb k;

	if (code != ARGS_GO)
		return code;
	if (args.n != 1)
		return kb_want(self, "one STORE");
	o.one_graph = settings.graph.n > 0;
	o.syntax = formats[settings.format];
	if (settings.graph.n && !str_eq(settings.graph, STR("default")))
		o.graph = term_iri(settings.graph);
	enum status st = kb_open(&k, args.words[0].p,
				 &(struct store_options){ .read_only = true }, &why);
	if (st != ST_OK)
		return kb_complain(self, st, &why);
	struct snapshot *now = store_snapshot(k.store);
	st = kb_dump(now, &o, kb_write_stdout, NULL, &why);
	snapshot_release(now);
	kb_close(&k);
	return st == ST_OK ? EXIT_FINE : kb_complain(self, st, &why);
}

static const struct example dump_examples[] = {
	{ "thresh kb dump facts.kb > facts.nq", "everything as N-Quads" },
	{ "thresh kb dump facts.kb --graph default --format turtle",
	  "the default graph as Turtle" },
	{ NULL, NULL },
};

const struct command kb_dump_command = {
	.name = "kb dump",
	.summary = "write a knowledge base as N-Quads, TriG, N-Triples or Turtle",
	.operands = "STORE",
	.options = dump_options,
	.examples = dump_examples,
	.run = run_dump,
};

/* --- stats --- */

static uint64_t folder_bytes(const char *dir)
{
	struct arena a = { 0 };
	struct str_list names = { 0 };
	uint64_t sum = 0, n;

	if (dir_list(dir, STR(""), &a, &names, NULL) == ST_OK)
		for (size_t i = 0; i < names.n; i++)
			if (file_size(path_join(&a, dir, names.v[i]), &n, NULL) == ST_OK)
				sum += n;
	str_list_release(&names);
	arena_release(&a);
	return sum;
}

#define LINES_MAX 50

static void print_predicates(struct snapshot *now, const struct summary *s)
{
	struct arena a = { 0 };
	struct term t;

	printf("%12s %12s %12s  predicate\n", "statements", "subjects", "objects");
	for (size_t i = 0; i < s->n_predicates && i < LINES_MAX; i++)
		if (snapshot_term(now, s->predicates[i].predicate, &a, &t))
			printf("%12llu %12llu %12llu  " STR_FMT "\n",
			       (unsigned long long)s->predicates[i].triples,
			       (unsigned long long)s->predicates[i].subjects,
			       (unsigned long long)s->predicates[i].objects,
			       STR_ARG(t.text));
	if (s->n_predicates > LINES_MAX)
		printf("and %zu more\n", s->n_predicates - LINES_MAX);
	arena_release(&a);
}

static void print_graphs(struct snapshot *now, const struct summary *s)
{
	struct arena a = { 0 };
	struct term t;

	printf("%12s  graph\n", "statements");
	for (size_t i = 0; i < s->n_graphs && i < LINES_MAX; i++) {
		bool named = s->graphs[i].graph != ID_NONE &&
			     snapshot_term(now, s->graphs[i].graph, &a, &t);

		printf("%12llu  " STR_FMT "\n",
		       (unsigned long long)s->graphs[i].statements,
		       STR_ARG(named ? t.text : STR("(without a name)")));
	}
	if (s->n_graphs > LINES_MAX)
		printf("and %zu more\n", s->n_graphs - LINES_MAX);
	printf("\n");
	arena_release(&a);
}

static int run_stats(const struct command *self, int argc, char **argv)
{
	cleanup(args_release) struct args args = { 0 };
	int code = args_parse(self, argc, argv, NULL, &args);
	struct summary sum;
	struct diag why;
	struct kb k;

	if (code != ARGS_GO)
		return code;
	if (args.n != 1)
		return kb_want(self, "one STORE");
	enum status st = kb_open(&k, args.words[0].p,
				 &(struct store_options){ .read_only = true }, &why);
	if (st != ST_OK)
		return kb_complain(self, st, &why);
	struct snapshot *now = store_snapshot(k.store);
	summary_make(&sum, now);
	uint64_t bytes = folder_bytes(args.words[0].p);
	printf("statements        %llu\nterms             %llu\ngraphs            %zu\n"
	       "runs              %zu\nkinds of stars    %llu\nbytes on disk     %llu "
	       "(%.1f per statement)\n\n",
	       (unsigned long long)sum.statements, (unsigned long long)sum.terms,
	       sum.n_graphs, now->n_runs, (unsigned long long)sum.stars,
	       (unsigned long long)bytes,
	       sum.statements ? (double)bytes / (double)sum.statements : 0);
	print_graphs(now, &sum);
	print_predicates(now, &sum);
	summary_release(&sum);
	snapshot_release(now);
	kb_close(&k);
	return EXIT_FINE;
}

const struct command kb_stats_command = {
	.name = "kb stats",
	.summary = "how much a knowledge base holds, and of what",
	.operands = "STORE",
	.about = "All graphs, also what is not yet in a segment. Distinct subjects and "
		 "objects are exact in each run, summed over the runs.",
	.run = run_stats,
};

/* --- check --- */

static int run_check(const struct command *self, int argc, char **argv)
{
	cleanup(args_release) struct args args = { 0 };
	int code = args_parse(self, argc, argv, NULL, &args);
	struct check_result r;
	struct diag why;
	struct kb k;

	if (code != ARGS_GO)
		return code;
	if (args.n != 1)
		return kb_want(self, "one STORE");
	enum status st = kb_open(&k, args.words[0].p,
				 &(struct store_options){ .read_only = true }, &why);
	if (st == ST_CORRUPT) {
		fprintf(stderr, "thresh %s: %s\n", self->name, why.text);
		return EXIT_DIFFERENT;
	}
	if (st != ST_OK)
		return kb_complain(self, st, &why);
	struct snapshot *now = store_snapshot(k.store);
	kb_check(now, &r);
	snapshot_release(now);
	kb_close(&k);
	printf("%llu rows in each of 3 indexes, %llu terms\n", (unsigned long long)r.rows,
	       (unsigned long long)r.terms);
	if (check_is_fine(&r)) {
		printf("all checksums are right and the indexes agree\n");
		return EXIT_FINE;
	}
	printf("damaged blocks %llu, unreadable terms %llu, rows out of order %llu%s\n",
	       (unsigned long long)r.damaged_blocks,
	       (unsigned long long)r.unreadable_terms,
	       (unsigned long long)r.rows_out_of_order,
	       r.orders_agree ? "" : ", the indexes do not agree");
	return EXIT_DIFFERENT;
}

const struct command kb_check_command = {
	.name = "kb check",
	.summary = "verify every checksum of a knowledge base",
	.operands = "STORE",
	.about = "Exits with 7 when anything is damaged.",
	.run = run_check,
};
