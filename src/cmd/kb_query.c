#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cmd/args.h"
#include "cmd/commands.h"
#include "cmd/kb_shared.h"
#include "kb/documents.h"
#include "kb/federate.h"

struct query_settings {
	struct str file, base;
	int format, default_graph;
	bool explain;
	uint64_t timeout, memory, rows;
	struct str_list data, named, service, load;
};

#define AT(field) offsetof(struct query_settings, field)
#define COMMON_OPTIONS                                                                    \
	{ "file",     'f',                                                                \
	  OPTION_STR, AT(file),                                                           \
	  0,          0,                                                                  \
	  NULL,       "FILE",                                                             \
	  NULL,       "read the text from a file; '-' is standard input" },               \
		{ "base",     0,                                                          \
		  OPTION_STR, AT(base),                                                   \
		  0,          0,                                                          \
		  NULL,       "IRI",                                                      \
		  NULL,       "resolve relative references against this" },               \
		{ "timeout", 't',  OPTION_TIME, AT(timeout), 0,                           \
		  0,         NULL, "TIME",      NULL,        "give up after this time" }, \
	{                                                                                 \
		"memory", 'm', OPTION_BYTES, AT(memory), 0, 0, "4G", "SIZE", NULL,        \
			"give up when tables and sorting need more"                       \
	}

static const struct option_row query_options[] = {
	COMMON_OPTIONS,
	{ "format", 0, OPTION_CHOICE, AT(format), 0, 0, "table", "FORMAT",
	  "table|json|xml|csv|tsv|ntriples|turtle",
	  "how to write the answer; graphs are N-Triples unless turtle is asked for" },
	{ "explain", 'e', OPTION_FLAG, AT(explain), 0, 0, NULL, NULL, NULL,
	  "run it and print the plan with estimates and actual rows" },
	{ "default-graph", 0, OPTION_CHOICE, AT(default_graph), 0, 0, "union", "WHICH",
	  "own|union",
	  "what a store shows outside GRAPH: the graph without a name, or all together; "
	  "with --data, always the former" },
	{ "rows", 'n', OPTION_UINT, AT(rows), 0, 0, NULL, "N", NULL,
	  "give up after this many" },
	{ "data", 'd', OPTION_LIST, AT(data), 0, 0, NULL, "FILE", NULL,
	  "ask these files in memory, not a store" },
	{ "service", 0, OPTION_LIST, AT(service), 0, 0, NULL, "HOST", NULL,
	  "let SERVICE ask endpoints on this host; none otherwise" },
	{ "named", 0, OPTION_LIST, AT(named), 0, 0, NULL, "IRI=FILE", NULL,
	  "a file as a named graph, with --data" },
	OPTION_END
};

static const struct option_row update_options[] = {
	COMMON_OPTIONS,
	{ "load", 0, OPTION_LIST, AT(load), 0, 0, NULL, "WHERE", NULL,
	  "let LOAD read files under this folder, or documents of this host ('*': of any "
	  "public one); none otherwise" },
	OPTION_END
};

static enum status load_data(struct kb *k, struct str file, struct str graph,
			     struct str base, struct diag *why)
{
	struct load_options o = { .syntax = RDF_UNKNOWN, .strict = true, .base = base };
	struct load_counts counts;
	cleanup(buf_release) struct buf path = { 0 };

	if (graph.n)
		o.graph = term_iri(graph);
	buf_add(&path, file);
	return kb_load_file(k->store, buf_cstr(&path), &o, &counts, why);
}

static enum status load_all(struct kb *k, const struct query_settings *s,
			    struct diag *why)
{
	for (size_t i = 0; i < s->data.n; i++)
		TRY(load_data(k, s->data.v[i], (struct str){ 0 }, s->base, why));
	for (size_t i = 0; i < s->named.n; i++) {
		struct str pair = s->named.v[i];
		size_t at = str_rfind_char(pair, '=');

		if (at == STR_NONE)
			return diag_fail(why, ST_SYNTAX, "--named wants IRI=FILE");
		TRY(load_data(k, str_skip(pair, at + 1), str_slice(pair, 0, at), s->base,
			      why));
	}
	return ST_OK;
}

static enum status open_source(struct kb *k, const struct query_settings *s,
			       const struct args *args, struct diag *why)
{
	if (s->data.n || s->named.n) {
		TRY(kb_open(k, NULL, NULL, why));
		enum status st = load_all(k, s, why);
		if (st != ST_OK)
			kb_close(k);
		return st;
	}
	return kb_open(k, args->words[0].p, &(struct store_options){ .read_only = true },
		       why);
}

static enum status ask(struct kb *k, const struct query_settings *s, struct str text,
		       struct diag *why)
{
	cleanup(buf_release) struct buf plan = { 0 };
	struct results_writer w = { .format = (enum results_format)s->format,
				    .graph_format = s->format == RESULTS_TURTLE
							    ? RESULTS_TURTLE
							    : RESULTS_NTRIPLES,
				    .tame_formulas = true,
				    .flush = kb_write_stdout };
	struct federation f = { .hosts = &s->service, .timeout_ms = s->timeout };
	struct query_options o = { .limits = { s->timeout, s->memory, s->rows },
				   .service = federation_service(&f) };
	enum status st;

	if (!s->data.n && !s->named.n)
		o.default_graph = (enum default_graph)s->default_graph;
	if (s->explain)
		o.explain = &plan;
	st = kb_query(k, text, s->base, &o, &w, why);
	results_release(&w);
	if (st == ST_OK && s->explain)
		fputs(buf_cstr(&plan), stdout);
	return st;
}

static int run_query(const struct command *self, int argc, char **argv)
{
	struct query_settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);
	bool in_memory = s.data.n || s.named.n;
	struct diag why;
	struct kb k;

	if (code != ARGS_GO)
		return code;
	if (!in_memory && args.n < 1)
		return kb_want(self, "a STORE and a query");
	enum status st = kb_get_text(&args, in_memory ? 0 : 1, s.file, &text, &why);
	if (st == ST_OK)
		st = open_source(&k, &s, &args, &why);
	if (st == ST_OK) {
		st = ask(&k, &s, buf_str(&text), &why);
		kb_close(&k);
	}
	str_list_release(&s.service);
	str_list_release(&s.data);
	str_list_release(&s.named);
	return st == ST_OK ? EXIT_FINE : kb_complain(self, st, &why);
}

static int run_update(const struct command *self, int argc, char **argv)
{
	struct query_settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);
	struct update_counts counts;
	struct diag why;
	struct kb k;

	if (code != ARGS_GO)
		return code;
	if (args.n < 1)
		return kb_want(self, "a STORE and an update");
	enum status st = kb_get_text(&args, 1, s.file, &text, &why);
	if (st == ST_OK)
		st = kb_open(&k, args.words[0].p, NULL, &why);
	if (st != ST_OK)
		return kb_complain(self, st, &why);
	struct documents d = { .allowed = &s.load, .timeout_ms = s.timeout };
	struct query_options o = { .limits = { s.timeout, s.memory, 0 },
				   .loader = documents_loader(&d) };
	st = kb_update(&k, buf_str(&text), s.base, &o, &counts, &why);
	kb_close(&k);
	str_list_release(&s.load);
	if (st != ST_OK)
		return kb_complain(self, st, &why);
	printf("%llu deleted, %llu inserted\n", (unsigned long long)counts.deleted,
	       (unsigned long long)counts.inserted);
	return EXIT_FINE;
}

static const struct example query_examples[] = {
	{ "thresh kb query facts.kb 'SELECT * { ?s ?p ?o } LIMIT 10'",
	  "look at ten statements" },
	{ "thresh kb query facts.kb -f question.rq --format csv > answer.csv",
	  "a question from a file, the answer for a spreadsheet" },
	{ "thresh kb query facts.kb -f question.rq --explain", "how it is answered" },
	{ NULL, NULL },
};

const struct command kb_query_command = {
	.name = "kb query",
	.summary = "ask a knowledge base by SPARQL 1.1",
	.operands = "STORE [QUERY]",
	.about = "SELECT, ASK, CONSTRUCT and DESCRIBE. A query that hits a limit says "
		 "which and "
		 "exits with 4.",
	.options = query_options,
	.examples = query_examples,
	.run = run_query,
};

static const struct example update_examples[] = {
	{ "thresh kb update facts.kb 'CLEAR GRAPH <http://example.org/crawl/7>'",
	  "forget one crawl" },
	{ NULL, NULL },
};

const struct command kb_update_command = {
	.name = "kb update",
	.summary = "change a knowledge base by SPARQL 1.1 Update",
	.operands = "STORE [UPDATE]",
	.about = "All operations of the request are done, or none.",
	.options = update_options,
	.examples = update_examples,
	.run = run_update,
};
