#include "kb/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define BODY_LIMIT ((size_t)512 << 20)

void protocol_response_release(struct protocol_response *r)
{
	buf_release(&r->body);
	if (r->budget)
		guard_give(r->budget, r->charged);
	*r = (struct protocol_response){ 0 };
}

bool has_method(const struct exchange *e, const char *method)
{
	return str_eq(e->q->method, str_from(method));
}

void say(struct exchange *e, unsigned status, const char *text)
{
	buf_reset(&e->r->body);
	e->r->status = status;
	e->r->content_type = "text/plain; charset=utf-8";
	buf_addf(&e->r->body, "%s\n", text);
}

void say_failed(struct exchange *e, enum status st, const struct diag *why)
{
	static const struct {
		enum status st;
		unsigned status;
	} codes[] = {
		{ ST_SYNTAX, 400 },    { ST_UNSUPPORTED, 400 }, { ST_NOT_FOUND, 404 },
		{ ST_EXISTS, 409 },    { ST_DENIED, 403 },      { ST_TIMEOUT, 503 },
		{ ST_CANCELLED, 503 }, { ST_TOO_LARGE, 413 },
	};

	/* Only add_body() fails without a word. */
	const char *text = *why->text ? why->text : "the answer is too large";

	for (size_t i = 0; i < COUNT(codes); i++)
		if (codes[i].st == st) {
			say(e, codes[i].status, text);
			return;
		}
	say(e, 500, text);
}

bool is_type(struct str content_type, const char *type)
{
	struct str bare = str_slice(content_type, 0, str_find_char(content_type, ';'));

	return str_eq_nocase(str_trim(bare), str_from(type));
}

enum status add_body(void *context, struct str bytes)
{
	struct exchange *e = context;
	struct guard_budget *budget = e->options->answers;

	if (budget && !guard_take(budget, bytes.n))
		return ST_TOO_LARGE;
	e->r->charged += budget ? bytes.n : 0;
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

/* By number, by whoever answers (the client is gone, the server stops). */
static bool is_cancelled(void *context)
{
	const struct exchange *e = context;
	const struct query_cancel *c = &e->options->cancel;

	return (e->running && __atomic_load_n(&e->running->cancel, __ATOMIC_RELAXED)) ||
	       (c->asked && c->asked(c->context));
}

static struct query_options query_options_of(struct exchange *e)
{
	struct query_options o = { .limits = e->options->limits,
				   .cancel = { is_cancelled, e },
				   .default_graph = e->options->default_graph,
				   .service = e->options->service,
				   .loader = e->options->loader };

	if (e->dataset.n_from || e->dataset.n_named)
		o.dataset = &e->dataset;
	return o;
}

static enum results_format wanted_format(struct exchange *e, bool graph)
{
	static const char *const names[] = { "table", "json",     "xml",   "csv",
					     "tsv",   "ntriples", "turtle" };
	size_t n;
	const struct str *format = params_find(&e->params, PARAM_FORMAT, &n);

	for (size_t i = 0; format && i < COUNT(names); i++)
		if (str_eq(*format, str_from(names[i])))
			return (enum results_format)i;
	return results_negotiate(e->q->accept, graph);
}

/* As long as it runs it has a number; false, and said so, when too many run already. */
static bool enter(struct exchange *e, struct str text)
{
	if (!e->options->running)
		return true;
	e->running = running_add(e->options->running, text, clock_mono_ms(&real_clock));
	if (!e->running)
		say(e, 503, "too many queries run already; ask again later");
	return e->running != NULL;
}

static void leave(struct exchange *e)
{
	if (e->running)
		running_remove(e->options->running, e->running);
	e->running = NULL;
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
		if (!enter(e, text))
			return;
		st = kb_query(e->kb, text, (struct str){ 0 }, &o, &w, &why);
		leave(e);
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
	if (!enter(e, text))
		return;
	st = kb_update(e->kb, text, (struct str){ 0 }, &o, &counts, &why);
	leave(e);
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
	if (e->options->default_graph == DEFAULT_GRAPH_UNION)
		buf_add(&e->r->body, STR(" ;\n\tsd:feature sd:UnionDefaultGraph"));
	buf_add(&e->r->body,
		STR(" ;\n\tsd:resultFormat f:SPARQL_Results_JSON, f:SPARQL_Results_XML, "
		    "f:SPARQL_Results_CSV, f:SPARQL_Results_TSV, f:Turtle, f:N-Triples "
		    ".\n"));
}

/* One of query and update, once; where it stands depends on method and type. */
static void answer_sparql(struct exchange *e)
{
	bool post = has_method(e, "POST"), multipart;
	size_t n_query, n_update;
	const struct str *query, *update;

	if (!post && !has_method(e, "GET") && !has_method(e, "HEAD")) {
		say(e, 405, "GET and POST only");
		return;
	}
	if (post && is_type(e->q->content_type, "application/x-www-form-urlencoded"))
		params_add(&e->params, e->q->body);
	multipart = post && is_type(e->q->content_type, "multipart/form-data");
	if (multipart)
		params_add_multipart(&e->params, e->q->content_type, e->q->body);
	set_dataset(e);
	query = params_find(&e->params, PARAM_QUERY, &n_query);
	update = params_find(&e->params, PARAM_UPDATE, &n_update);
	if (e->params.bad)
		say(e, 400,
		    multipart ? "the multipart form is cut short"
			      : "a percent sign that encodes nothing");
	else if (e->params.too_many)
		say(e, 400, "too many parameters");
	else if (post && is_type(e->q->content_type, "application/sparql-query"))
		answer_query(e, e->q->body);
	else if (post && is_type(e->q->content_type, "application/sparql-update"))
		answer_update(e, e->q->body);
	else if (post && !multipart &&
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

/* --- what runs --- */

static void answer_running(struct exchange *e)
{
	size_t n;
	const struct str *id = params_find(&e->params, PARAM_ID, &n);
	uint64_t number;

	if (!e->options->running) {
		say(e, 404, "queries are not listed here");
	} else if (has_method(e, "GET") || has_method(e, "HEAD")) {
		e->r->content_type = "application/json";
		running_format(e->options->running, clock_mono_ms(&real_clock),
			       &e->r->body);
	} else if (!has_method(e, "DELETE")) {
		say(e, 405, "GET and DELETE only");
	} else if (!id || !str_to_uint(*id, UINT64_MAX, &number)) {
		say(e, 400, "want ?id=NUMBER");
	} else if (!running_cancel(e->options->running, number)) {
		say(e, 404, "no query of this number runs");
	} else {
		say(e, 200, "cancelled");
	}
}

/* --- who may ask, and what there is --- */

static bool is_page(const struct protocol_request *q)
{
	return str_eq(q->path, STR("/"));
}

/* 0: nothing is against it, as far as the head of the request tells. */
static unsigned refusal(const struct protocol_options *o,
			const struct protocol_request *q, const char **ret_why)
{
	struct guard_request g = { .method = q->method,
				   .host = q->host,
				   .origin = q->origin,
				   .referer = q->referer,
				   .fetch_site = q->fetch_site,
				   .fetch_mode = q->fetch_mode,
				   .authorization = q->authorization,
				   .is_page = is_page(q) };
	enum guard_verdict v = guard_decide(&o->guard, &g);
	bool reading = str_eq(q->method, STR("GET")) || str_eq(q->method, STR("HEAD"));

	*ret_why = guard_reason_words(v);
	if (v != GUARD_ALLOWED)
		return guard_status(v);
	if (is_page(q)) {
		*ret_why = "GET only";
		return reading ? 0 : 405;
	}
	if (str_eq(q->path, STR("/graphs")) ||
	    is_type(q->content_type, "application/sparql-update")) {
		*ret_why = "this knowledge base is served for reading only";
		return o->read_only && !reading ? 403 : 0;
	}
	*ret_why = "there is /, /sparql, /graphs and /queries";
	return str_eq(q->path, STR("/sparql")) || str_eq(q->path, STR("/queries")) ? 0
										   : 404;
}

bool protocol_refuses(const struct protocol_options *options,
		      const struct protocol_request *q, struct protocol_response *ret)
{
	struct protocol_response r = { .body = BUF(BODY_LIMIT) };
	struct exchange e = { .options = options, .q = q, .r = &r };
	const char *why;
	unsigned status = refusal(options, q, &why);

	if (status == 0)
		return false;
	say(&e, status, why);
	r.head_only = has_method(&e, "HEAD");
	*ret = r;
	return true;
}

void protocol_answer(struct kb *k, const struct protocol_options *options,
		     const struct protocol_request *q, struct protocol_response *ret)
{
	struct exchange e = { .kb = k, .options = options, .q = q, .r = ret };

	if (protocol_refuses(options, q, ret))
		return;
	*ret = (struct protocol_response){ .status = 200,
					   .body = BUF(BODY_LIMIT),
					   .budget = options->answers };
	params_add(&e.params, q->query);
	if (str_eq(q->path, STR("/sparql"))) {
		answer_sparql(&e);
	} else if (str_eq(q->path, STR("/graphs"))) {
		answer_graphs(&e);
	} else if (str_eq(q->path, STR("/queries"))) {
		answer_running(&e);
	} else {
		ret->content_type = "text/html; charset=utf-8";
		buf_add(&ret->body, query_page);
	}
	ret->head_only = has_method(&e, "HEAD");
	free(e.dataset.from);
	free(e.dataset.named);
	params_release(&e.params);
}
