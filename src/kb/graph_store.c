/* The SPARQL 1.1 Graph Store Protocol: whole graphs read, written and removed. */
#include <stdlib.h>

#include "base/alloc.h"
#include "kb/exchange.h"
#include "kb/multipart.h"

static void get_graph(struct exchange *e, struct term graph)
{
	bool turtle = results_negotiate(e->q->accept, true) == RESULTS_TURTLE;
	struct dump_options o = { .syntax = turtle ? RDF_TURTLE : RDF_NTRIPLES,
				  .one_graph = true,
				  .graph = graph };
	struct snapshot *now = store_snapshot(e->kb->store);
	struct diag why = { "" };
	enum status st = ST_OK;

	if (graph.kind == TERM_IRI && !snapshot_has_graph(now, snapshot_find(now, graph)))
		st = diag_fail(&why, ST_NOT_FOUND, "there is no such graph");
	if (st == ST_OK)
		st = kb_dump(now, &o, add_body, e, &why);
	snapshot_release(now);
	e->r->content_type =
		results_media_type(turtle ? RESULTS_TURTLE : RESULTS_NTRIPLES);
	if (st != ST_OK)
		say_failed(e, st, &why);
}

static bool graph_exists(struct exchange *e, struct term graph)
{
	struct snapshot *now = store_snapshot(e->kb->store);
	uint64_t id = graph.kind == TERM_IRI ? snapshot_find(now, graph) : ID_NONE;
	bool yes = graph.kind != TERM_IRI || (id && snapshot_has_graph(now, id));

	snapshot_release(now);
	return yes;
}

static enum status clear_graph(struct exchange *e, struct term graph, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct update_counts counts;

	buf_add(&text, STR("CLEAR "));
	if (graph.kind == TERM_IRI) {
		buf_add(&text, STR("GRAPH "));
		term_format(graph, &text);
	} else {
		buf_add(&text, STR("DEFAULT"));
	}
	return kb_update(e->kb, buf_str(&text), (struct str){ 0 }, NULL, &counts, why);
}

/* The documents of the body: itself, or its parts; false when a part is of no known type.
 */
static enum status documents_of(const struct exchange *e, struct load_text **ret,
				size_t *ret_n, struct diag *why)
{
	struct load_text *v = NULL;
	size_t n = 0, cap = 0;
	struct multipart m;
	struct part part;
	bool known = true;

	if (!str_starts_nocase(e->q->content_type, STR("multipart/"))) {
		VEC_ADD(v, n, cap,
			(struct load_text){ e->q->body, rdf_syntax_of_media_type(
								e->q->content_type) });
		known = v[0].syntax != RDF_UNKNOWN;
	} else {
		bool more = multipart_start(&m, e->q->content_type, e->q->body);

		m.bad = !more;
		while (more && (more = multipart_next(&m, &part))) {
			struct load_text t = { part.body, rdf_syntax_of_media_type(
								  part.content_type) };

			if (t.syntax == RDF_UNKNOWN)
				t.syntax = rdf_syntax_of(part.filename);
			known &= t.syntax != RDF_UNKNOWN;
			VEC_ADD(v, n, cap, t);
		}
		if (m.bad) {
			free(v);
			return diag_fail(why, ST_SYNTAX,
					 "the multipart body is cut short");
		}
	}
	*ret = v;
	*ret_n = n;
	if (known)
		return ST_OK;
	free(v);
	return diag_fail(why, ST_UNSUPPORTED, "want Turtle, N-Triples, N-Quads or TriG");
}

/* One commit: readers see the old content or the new one. */
static enum status write_graph(struct exchange *e, struct term graph, bool replace,
			       struct diag *why)
{
	struct load_options o = {
		.graph = graph, .strict = true, .replace = replace, .base = graph.text
	};
	struct load_counts counts;
	struct load_text *v;
	size_t n;

	TRY(documents_of(e, &v, &n, why));
	enum status st = kb_load_texts(e->kb->store, v, n, &o, &counts, why);
	free(v);
	return st;
}

static void change_graph(struct exchange *e, struct term graph)
{
	bool existed = graph_exists(e, graph), gone = has_method(e, "DELETE");
	struct diag why = { "" };
	enum status st;

	if (e->options->read_only) {
		say(e, 403, "this knowledge base is served for reading only");
		return;
	}
	if (gone && !existed)
		st = diag_fail(&why, ST_NOT_FOUND, "there is no such graph");
	else if (gone)
		st = clear_graph(e, graph, &why);
	else
		st = write_graph(e, graph, has_method(e, "PUT"), &why);
	if (st != ST_OK)
		say_failed(e, st, &why);
	else
		say(e, existed ? 200 : 201,
		    gone      ? "removed"
		    : existed ? "changed"
			      : "created");
}

void answer_graphs(struct exchange *e)
{
	static const char *const changing[] = { "PUT", "POST", "DELETE" };
	size_t n_graph, n_default;
	const struct str *name = params_find(&e->params, PARAM_GRAPH, &n_graph);
	struct term graph = { 0 };

	(void)params_find(&e->params, PARAM_DEFAULT, &n_default);
	if (n_graph + n_default != 1) {
		say(e, 400, "want one of ?graph=IRI and ?default");
		return;
	}
	if (name)
		graph = term_iri(*name);
	if (has_method(e, "GET") || has_method(e, "HEAD")) {
		get_graph(e, graph);
		return;
	}
	for (size_t i = 0; i < COUNT(changing); i++)
		if (str_eq(e->q->method, str_from(changing[i]))) {
			change_graph(e, graph);
			return;
		}
	say(e, 405, "GET, HEAD, PUT, POST and DELETE only");
}
