#include "rdf/turtle.h"

#include <serd/serd.h>
#include <stdio.h>
#include <string.h>

#include "rdf/iri.h"

struct parse {
	struct turtle_sink sink;
	SerdEnv *env;
	struct arena terms; /* of the current statement */
	enum status st;
	struct diag *why;
	char error[200];
};

static struct str node_str(const SerdNode *n)
{
	return (struct str){ (const char *)n->buf, n->n_bytes };
}

/* A URI or CURIE made absolute; false for an unknown prefix. */
static bool expand(struct parse *p, const SerdNode *n, struct str *ret)
{
	SerdNode full = serd_env_expand_node(p->env, n);

	if (!full.buf)
		return false;
	*ret = arena_copy(&p->terms, node_str(&full));
	serd_node_free(&full);
	return true;
}

static bool convert(struct parse *p, const SerdNode *n, const SerdNode *datatype,
		    const SerdNode *lang, struct term *ret)
{
	struct str iri;

	*ret = (struct term){ 0 };
	switch (n ? n->type : SERD_NOTHING) {
	case SERD_NOTHING:
		return true;
	case SERD_URI:
	case SERD_CURIE:
		ret->kind = TERM_IRI;
		return expand(p, n, &ret->text);
	case SERD_BLANK:
		*ret = term_blank(node_str(n));
		return true;
	case SERD_LITERAL:
		*ret = term_string(node_str(n));
		if (lang && lang->buf)
			ret->lang = node_str(lang);
		else if (datatype && datatype->buf) {
			if (!expand(p, datatype, &iri))
				return false;
			*ret = term_typed(ret->text, iri);
		}
		return true;
	}
	return false;
}

static SerdStatus on_statement(void *handle, SerdStatementFlags flags,
			       const SerdNode *graph, const SerdNode *subject,
			       const SerdNode *predicate, const SerdNode *object,
			       const SerdNode *datatype, const SerdNode *lang)
{
	struct parse *p = handle;
	struct statement s;

	(void)flags;
	arena_reset(&p->terms);
	if (!convert(p, graph, NULL, NULL, &s.graph) ||
	    !convert(p, subject, NULL, NULL, &s.subject) ||
	    !convert(p, predicate, NULL, NULL, &s.predicate) ||
	    !convert(p, object, datatype, lang, &s.object))
		return SERD_ERR_BAD_CURIE;
	p->st = p->sink.add(p->sink.context, &s);
	return p->st == ST_OK ? SERD_SUCCESS : SERD_ERR_INTERNAL;
}

static SerdStatus on_base(void *handle, const SerdNode *uri)
{
	return serd_env_set_base_uri(((struct parse *)handle)->env, uri);
}

static SerdStatus on_prefix(void *handle, const SerdNode *name, const SerdNode *uri)
{
	return serd_env_set_prefix(((struct parse *)handle)->env, name, uri);
}

/* The first complaint is the cause; later ones follow from it. */
static SerdStatus on_error(void *handle, const SerdError *e)
{
	struct parse *p = handle;
	va_list args;

	if (p->error[0])
		return SERD_SUCCESS;
	int n = snprintf(p->error, sizeof(p->error), "line %u column %u: ", e->line,
			 e->col);
	memcpy(&args, e->args, sizeof(args));
	/* The format is serd's own, never the document's. */
	_Pragma("GCC diagnostic push");
	_Pragma("GCC diagnostic ignored \"-Wformat-nonliteral\"");
	vsnprintf(p->error + n, sizeof(p->error) - (size_t)n, e->fmt, *e->args);
	_Pragma("GCC diagnostic pop");
	p->error[strcspn(p->error, "\n")] = '\0';
	return SERD_SUCCESS;
}

/* --- nesting --- */

/* Behind a string whose opening quote is at `at`; a short one ends with its line. */
static size_t skip_string(struct str s, size_t at)
{
	char quote = s.p[at];
	bool is_long = at + 2 < s.n && s.p[at + 1] == quote && s.p[at + 2] == quote;

	for (at += is_long ? 3 : 1; at < s.n; at++) {
		if (s.p[at] == '\\')
			at++;
		else if (!is_long && (s.p[at] == quote || s.p[at] == '\n'))
			return at + 1;
		else if (s.p[at] == quote && at + 2 < s.n && s.p[at + 1] == quote &&
			 s.p[at + 2] == quote)
			return at + 3;
	}
	return s.n;
}

/* Behind an IRI; what no IRI may hold ends it too, since the reader stops there. */
static size_t skip_iri(struct str s, size_t at)
{
	for (at++; at < s.n; at++) {
		unsigned char c = (unsigned char)s.p[at];

		if (c == '>')
			return at + 1;
		if (c <= ' ' || strchr("<\"{}|^`", c))
			return at;
	}
	return s.n;
}

/*
 * serd reads brackets within brackets by recursion and has no bound of its own, so
 * they are counted before it sees them.
 */
static bool is_too_deep(struct str s)
{
	size_t depth = 0, at = 0;

	while (at < s.n && depth <= TURTLE_DEPTH_MAX) {
		switch (s.p[at]) {
		case '"':
		case '\'':
			at = skip_string(s, at);
			continue;
		case '<':
			at = skip_iri(s, at);
			continue;
		case '#':
			at += str_find_char(str_skip(s, at), '\n') == STR_NONE
				      ? s.n - at
				      : str_find_char(str_skip(s, at), '\n');
			continue;
		case '\\':
			at++;
			break;
		case '[':
		case '(':
			depth++;
			break;
		case ']':
		case ')':
			depth -= depth > 0;
			break;
		}
		at++;
	}
	return depth > TURTLE_DEPTH_MAX;
}

struct source {
	struct str rest;
};

static size_t read_source(void *to, size_t size, size_t count, void *stream)
{
	struct source *s = stream;
	size_t n = MIN(size * count, s->rest.n);

	memcpy(to, s->rest.p, n);
	s->rest = str_skip(s->rest, n);
	return n;
}

static int source_error(void *stream)
{
	(void)stream;
	return 0;
}

enum status turtle_parse(struct str text, enum turtle_syntax syntax, struct str base,
			 struct turtle_sink sink, struct diag *why)
{
	struct parse p = { .sink = sink, .why = why };
	cleanup(buf_release) struct buf base_text = { 0 };
	struct source source = { text };
	SerdNode base_node = SERD_NODE_NULL;

	if (is_too_deep(text))
		return diag_fail(why, ST_TOO_LARGE, "brackets nested more than %d deep",
				 TURTLE_DEPTH_MAX);
	buf_add(&base_text, base);
	if (base.n)
		base_node = serd_node_from_string(SERD_URI,
						  (const uint8_t *)buf_cstr(&base_text));
	p.env = serd_env_new(base.n ? &base_node : NULL);
	SerdReader *reader =
		serd_reader_new(syntax == SYNTAX_TRIG ? SERD_TRIG : SERD_TURTLE, &p, NULL,
				on_base, on_prefix, on_statement, NULL);
	serd_reader_set_strict(reader, true);
	serd_reader_set_error_sink(reader, on_error, &p);
	SerdStatus st = serd_reader_read_source(reader, read_source, source_error,
						&source, (const uint8_t *)"input", 4096);
	serd_reader_free(reader);
	serd_env_free(p.env);
	arena_release(&p.terms);
	if (p.st != ST_OK)
		return p.st;
	if (st > SERD_FAILURE || p.error[0])
		return diag_fail(why, ST_SYNTAX, "%s",
				 p.error[0] ? p.error : "not well-formed");
	return ST_OK;
}

static const struct {
	const char *name, *iri;
} prefixes[] = {
	{ "rdf", RDF },
	{ "rdfs", "http://www.w3.org/2000/01/rdf-schema#" },
	{ "xsd", XSD },
	{ "schema", "https://schema.org/" },
	{ "sioc", "http://rdfs.org/sioc/ns#" },
	{ "prov", "http://www.w3.org/ns/prov#" },
	{ "dct", "http://purl.org/dc/terms/" },
	{ "foaf", "http://xmlns.com/foaf/0.1/" },
};

void turtle_start(struct turtle_writer *w, struct buf *to)
{
	*w = (struct turtle_writer){ .to = to };
	for (size_t i = 0; i < COUNT(prefixes); i++)
		buf_addf(to, "@prefix %s: <%s> .\n", prefixes[i].name, prefixes[i].iri);
}

static bool is_plain_local(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_alpha(s.p[i]) && (i == 0 || !ascii_is_digit(s.p[i])))
			return false;
	return s.n > 0;
}

static void add_short(struct term t, struct buf *to)
{
	for (size_t i = 0; t.kind == TERM_IRI && i < COUNT(prefixes); i++) {
		struct str local = t.text;

		if (str_take_prefix(&local, str_from(prefixes[i].iri)) &&
		    is_plain_local(local)) {
			buf_addf(to, "%s:" STR_FMT, prefixes[i].name, STR_ARG(local));
			return;
		}
	}
	term_format(t, to);
}

/* True when `t` is what `last` holds; `last` becomes `t` otherwise. */
static bool same_as_last(struct buf *last, struct term t)
{
	cleanup(buf_release) struct buf text = { 0 };

	add_short(t, &text);
	if (last->n && str_eq(buf_str(last), buf_str(&text)))
		return true;
	buf_reset(last);
	buf_add(last, buf_str(&text));
	return false;
}

static void end_statement(struct turtle_writer *w)
{
	buf_add(w->to, w->open ? STR(" .\n") : STR(""));
	w->open = false;
	buf_reset(&w->subject);
}

/* Close the block of the last graph, open that of the next. */
static void enter_graph(struct turtle_writer *w, struct term graph)
{
	cleanup(buf_release) struct buf text = { 0 };

	if (graph.kind != TERM_NONE)
		add_short(graph, &text);
	if (str_eq(buf_str(&text), buf_str(&w->graph)))
		return;
	end_statement(w);
	if (w->graph.n)
		buf_add(w->to, STR("}\n"));
	buf_reset(&w->graph);
	buf_add(&w->graph, buf_str(&text));
	if (text.n)
		buf_addf(w->to, "GRAPH " STR_FMT " {\n", STR_ARG(buf_str(&text)));
}

void turtle_add(struct turtle_writer *w, const struct statement *s)
{
	enter_graph(w, s->graph);
	if (!same_as_last(&w->subject, s->subject)) {
		buf_add(w->to, w->open ? STR(" .\n") : STR(""));
		buf_add(w->to, buf_str(&w->subject));
		buf_add_char(w->to, ' ');
		(void)same_as_last(&w->predicate, s->predicate);
		buf_add(w->to, buf_str(&w->predicate));
	} else if (same_as_last(&w->predicate, s->predicate)) {
		buf_add_char(w->to, ',');
	} else {
		buf_add(w->to, STR(" ;\n\t"));
		buf_add(w->to, buf_str(&w->predicate));
	}
	buf_add_char(w->to, ' ');
	add_short(s->object, w->to);
	w->open = true;
}

void turtle_stop(struct turtle_writer *w)
{
	enter_graph(w, (struct term){ 0 });
	end_statement(w);
	buf_release(&w->graph);
	buf_release(&w->subject);
	buf_release(&w->predicate);
	*w = (struct turtle_writer){ 0 };
}
