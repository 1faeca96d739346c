#include "kb/protocol.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define BODY_LIMIT ((size_t)512 << 20)

void protocol_response_release(struct protocol_response *r)
{
	buf_release(&r->body);
	*r = (struct protocol_response){ 0 };
}

/* --- parameters --- */

enum param_name {
	PARAM_QUERY,
	PARAM_UPDATE,
	PARAM_DEFAULT_GRAPH,
	PARAM_NAMED_GRAPH,
	PARAM_GRAPH,
	PARAM_DEFAULT,
	PARAM_FORMAT,
	PARAM_OTHER,
};

struct param {
	enum param_name name;
	struct str value;
};

struct params {
	struct param v[64];
	size_t n;
	struct arena bytes;
	bool bad;
};

static struct str decode(struct params *p, struct str raw)
{
	cleanup(buf_release) struct buf b = { 0 };

	for (size_t i = 0; i < raw.n; i++) {
		char c = raw.p[i];

		if (c == '+') {
			c = ' ';
		} else if (c == '%') {
			int high = i + 2 < raw.n ? ascii_hex_value(raw.p[i + 1]) : -1;
			int low = i + 2 < raw.n ? ascii_hex_value(raw.p[i + 2]) : -1;

			if (high < 0 || low < 0) {
				p->bad = true;
				break;
			}
			c = (char)(high << 4 | low);
			i += 2;
		}
		buf_add_char(&b, c);
	}
	return arena_copy(&p->bytes, buf_str(&b));
}

static enum param_name name_of(struct str name)
{
	static const struct {
		const char *text;
		enum param_name name;
	} names[] = {
		{ "query", PARAM_QUERY },
		{ "update", PARAM_UPDATE },
		{ "default-graph-uri", PARAM_DEFAULT_GRAPH },
		{ "using-graph-uri", PARAM_DEFAULT_GRAPH },
		{ "named-graph-uri", PARAM_NAMED_GRAPH },
		{ "using-named-graph-uri", PARAM_NAMED_GRAPH },
		{ "graph", PARAM_GRAPH },
		{ "default", PARAM_DEFAULT },
		{ "format", PARAM_FORMAT },
	};

	for (size_t i = 0; i < COUNT(names); i++)
		if (str_eq(name, str_from(names[i].text)))
			return names[i].name;
	return PARAM_OTHER;
}

static void add_params(struct params *p, struct str text)
{
	struct str pair;

	while (str_take_until(&text, '&', &pair) && p->n < COUNT(p->v)) {
		size_t eq = str_find_char(pair, '=');
		struct str name = decode(p, str_slice(pair, 0, eq));
		struct str value =
			eq == STR_NONE ? STR("") : decode(p, str_skip(pair, eq + 1));

		p->v[p->n++] = (struct param){ name_of(name), value };
	}
}

static const struct str *find(const struct params *p, enum param_name name,
			      size_t *ret_count)
{
	const struct str *found = NULL;

	*ret_count = 0;
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].name == name) {
			found = &p->v[i].value;
			++*ret_count;
		}
	return found;
}

/* --- answers --- */

struct exchange {
	struct kb *kb;
	const struct protocol_options *options;
	const struct protocol_request *q;
	struct protocol_response *r;
	struct params params;
	struct dataset dataset;
};

static void say(struct exchange *e, unsigned status, const char *text)
{
	buf_reset(&e->r->body);
	e->r->status = status;
	e->r->content_type = "text/plain; charset=utf-8";
	buf_addf(&e->r->body, "%s\n", text);
}

static void say_failed(struct exchange *e, enum status st, const struct diag *why)
{
	static const struct {
		enum status st;
		unsigned status;
	} codes[] = {
		{ ST_SYNTAX, 400 },    { ST_UNSUPPORTED, 400 }, { ST_NOT_FOUND, 404 },
		{ ST_EXISTS, 409 },    { ST_DENIED, 403 },      { ST_TIMEOUT, 503 },
		{ ST_CANCELLED, 503 }, { ST_TOO_LARGE, 413 },
	};

	for (size_t i = 0; i < COUNT(codes); i++)
		if (codes[i].st == st) {
			say(e, codes[i].status, why->text);
			return;
		}
	say(e, 500, why->text);
}

static bool is_type(struct str content_type, const char *type)
{
	struct str bare = str_slice(content_type, 0, str_find_char(content_type, ';'));

	return str_eq_nocase(str_trim(bare), str_from(type));
}

static enum status add_body(void *context, struct str bytes)
{
	struct exchange *e = context;

	buf_add(&e->r->body, bytes);
	return buf_status(&e->r->body);
}

static void set_dataset(struct exchange *e)
{
	for (size_t i = 0; i < e->params.n; i++) {
		struct term iri = term_iri(e->params.v[i].value);

		if (e->params.v[i].name == PARAM_DEFAULT_GRAPH)
			VEC_ADD(e->dataset.from, e->dataset.n_from, e->dataset.from_cap,
				iri);
		if (e->params.v[i].name == PARAM_NAMED_GRAPH)
			VEC_ADD(e->dataset.named, e->dataset.n_named,
				e->dataset.named_cap, iri);
	}
}

static struct query_options query_options_of(struct exchange *e)
{
	struct query_options o = { .limits = e->options->limits,
				   .cancel = e->options->cancel,
				   .service = e->options->service };

	if (e->dataset.n_from || e->dataset.n_named)
		o.dataset = &e->dataset;
	return o;
}

static enum results_format wanted_format(struct exchange *e, bool graph)
{
	static const char *const names[] = { "table", "json",     "xml",   "csv",
					     "tsv",   "ntriples", "turtle" };
	size_t n;
	const struct str *format = find(&e->params, PARAM_FORMAT, &n);

	for (size_t i = 0; format && i < COUNT(names); i++)
		if (str_eq(*format, str_from(names[i])))
			return (enum results_format)i;
	return results_negotiate(e->q->accept, graph);
}

static void answer_query(struct exchange *e, struct str text)
{
	struct query_options o = query_options_of(e);
	struct results_writer w = { .format = wanted_format(e, false),
				    .graph_format = wanted_format(e, true),
				    .flush = add_body,
				    .context = e };
	cleanup(request_release) struct request r = { 0 };
	struct diag why = { "" };
	enum status st = sparql_parse_query(text, (struct str){ 0 }, &r, &why);

	if (st == ST_OK) {
		bool graph = r.query->form == QUERY_CONSTRUCT ||
			     r.query->form == QUERY_DESCRIBE;

		if (w.graph_format != RESULTS_NTRIPLES)
			w.graph_format = RESULTS_TURTLE;
		if (w.format >= RESULTS_NTRIPLES)
			w.format = RESULTS_JSON;
		e->r->content_type =
			results_media_type(graph ? w.graph_format : w.format);
		st = kb_query(e->kb, text, (struct str){ 0 }, &o, &w, &why);
	}
	results_release(&w);
	if (st != ST_OK)
		say_failed(e, st, &why);
}

static void answer_update(struct exchange *e, struct str text)
{
	struct query_options o = query_options_of(e);
	struct update_counts counts;
	struct diag why = { "" };
	enum status st;

	if (e->options->read_only) {
		say(e, 403, "this knowledge base is served for reading only");
		return;
	}
	st = kb_update(e->kb, text, (struct str){ 0 }, &o, &counts, &why);
	if (st != ST_OK) {
		say_failed(e, st, &why);
		return;
	}
	e->r->content_type = "text/plain; charset=utf-8";
	buf_addf(&e->r->body, "%llu deleted, %llu inserted\n",
		 (unsigned long long)counts.deleted, (unsigned long long)counts.inserted);
}

static void describe_service(struct exchange *e)
{
	e->r->content_type = "text/turtle; charset=utf-8";
	buf_add(&e->r->body,
		STR("@prefix sd: <http://www.w3.org/ns/sparql-service-description#> .\n"
		    "@prefix f: <http://www.w3.org/ns/formats/> .\n"
		    "[] a sd:Service ;\n\tsd:endpoint </sparql> ;\n"
		    "\tsd:supportedLanguage sd:SPARQL11Query"));
	if (!e->options->read_only)
		buf_add(&e->r->body, STR(", sd:SPARQL11Update"));
	buf_add(&e->r->body,
		STR(" ;\n\tsd:resultFormat f:SPARQL_Results_JSON, f:SPARQL_Results_XML, "
		    "f:SPARQL_Results_CSV, f:SPARQL_Results_TSV, f:Turtle, f:N-Triples "
		    ".\n"));
}

/* One of query and update, once; where it stands depends on method and type. */
static void answer_sparql(struct exchange *e)
{
	bool post = str_eq(e->q->method, STR("POST"));
	size_t n_query, n_update;
	const struct str *query, *update;

	if (!post && !str_eq(e->q->method, STR("GET")) &&
	    !str_eq(e->q->method, STR("HEAD"))) {
		say(e, 405, "GET and POST only");
		return;
	}
	if (post && is_type(e->q->content_type, "application/x-www-form-urlencoded"))
		add_params(&e->params, e->q->body);
	set_dataset(e);
	query = find(&e->params, PARAM_QUERY, &n_query);
	update = find(&e->params, PARAM_UPDATE, &n_update);
	if (e->params.bad)
		say(e, 400, "a percent sign that encodes nothing");
	else if (post && is_type(e->q->content_type, "application/sparql-query"))
		answer_query(e, e->q->body);
	else if (post && is_type(e->q->content_type, "application/sparql-update"))
		answer_update(e, e->q->body);
	else if (post &&
		 !is_type(e->q->content_type, "application/x-www-form-urlencoded"))
		say(e, 415,
		    "want application/sparql-query, application/sparql-update or a form");
	else if (n_query + n_update > 1)
		say(e, 400, "one query or update at a time");
	else if (n_query)
		answer_query(e, *query);
	else if (n_update && post)
		answer_update(e, *update);
	else if (n_update)
		say(e, 405, "an update must be posted");
	else if (post)
		say(e, 400, "want a query or an update");
	else
		describe_service(e);
}

/* --- the Graph Store Protocol --- */

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

/* One commit: readers see the old content or the new one. */
static enum status write_graph(struct exchange *e, struct term graph, bool replace,
			       struct diag *why)
{
	struct load_options o = { .syntax = rdf_syntax_of_media_type(e->q->content_type),
				  .graph = graph,
				  .strict = true,
				  .replace = replace,
				  .base = graph.text };
	struct load_counts counts;

	if (o.syntax == RDF_UNKNOWN)
		return diag_fail(why, ST_UNSUPPORTED,
				 "want Turtle, N-Triples, N-Quads or TriG");
	return kb_load_text(e->kb->store, e->q->body, &o, &counts, why);
}

static void change_graph(struct exchange *e, struct term graph)
{
	bool existed = graph_exists(e, graph), gone = str_eq(e->q->method, STR("DELETE"));
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
		st = write_graph(e, graph, str_eq(e->q->method, STR("PUT")), &why);
	if (st != ST_OK)
		say_failed(e, st == ST_UNSUPPORTED ? ST_SYNTAX : st, &why);
	else
		say(e, existed ? 200 : 201,
		    gone      ? "removed"
		    : existed ? "changed"
			      : "created");
}

static void answer_graphs(struct exchange *e)
{
	static const char *const changing[] = { "PUT", "POST", "DELETE" };
	size_t n_graph, n_default;
	const struct str *name = find(&e->params, PARAM_GRAPH, &n_graph);
	struct term graph = { 0 };

	(void)find(&e->params, PARAM_DEFAULT, &n_default);
	if (n_graph + n_default != 1) {
		say(e, 400, "want one of ?graph=IRI and ?default");
		return;
	}
	if (name)
		graph = term_iri(*name);
	if (str_eq(e->q->method, STR("GET")) || str_eq(e->q->method, STR("HEAD"))) {
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

/* --- who may ask --- */

static struct str without_port(struct str host)
{
	size_t colon = str_rfind_char(host, ':'), bracket = str_rfind_char(host, ']');

	if (colon == STR_NONE || (bracket != STR_NONE && colon < bracket))
		return host;
	return str_slice(host, 0, colon);
}

static bool host_is_ours(const struct exchange *e)
{
	struct str host = without_port(e->q->host);

	return e->q->host.n == 0 || str_eq_nocase(host, STR("localhost")) ||
	       str_eq(host, STR("127.0.0.1")) || str_eq(host, STR("[::1]")) ||
	       (e->options->host.n && str_eq_nocase(host, e->options->host));
}

/* A page of another site can make a browser post to us, but not lie about its origin. */
static bool origin_is_ours(const struct exchange *e)
{
	struct str origin = e->q->origin;

	if (origin.n == 0)
		return true;
	return (str_take_prefix(&origin, STR("http://")) ||
		str_take_prefix(&origin, STR("https://"))) &&
	       str_eq_nocase(origin, e->q->host);
}

static void answer(struct exchange *e)
{
	bool reading =
		str_eq(e->q->method, STR("GET")) || str_eq(e->q->method, STR("HEAD"));

	if (!host_is_ours(e))
		say(e, 403, "this is not the host you meant");
	else if (!reading && !origin_is_ours(e))
		say(e, 403, "pages of other sites may not post here");
	else if (str_eq(e->q->path, STR("/sparql")))
		answer_sparql(e);
	else if (str_eq(e->q->path, STR("/graphs")))
		answer_graphs(e);
	else if (!str_eq(e->q->path, STR("/")))
		say(e, 404, "there is /, /sparql and /graphs");
	else if (!reading)
		say(e, 405, "GET only");
	else {
		e->r->content_type = "text/html; charset=utf-8";
		buf_add(&e->r->body, query_page);
	}
}

void protocol_answer(struct kb *k, const struct protocol_options *options,
		     const struct protocol_request *q, struct protocol_response *ret)
{
	struct exchange e = { .kb = k, .options = options, .q = q, .r = ret };

	*ret = (struct protocol_response){ .status = 200, .body = BUF(BODY_LIMIT) };
	add_params(&e.params, q->query);
	answer(&e);
	ret->head_only = str_eq(q->method, STR("HEAD"));
	free(e.dataset.from);
	free(e.dataset.named);
	arena_release(&e.params.bytes);
}
