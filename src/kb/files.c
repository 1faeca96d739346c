#include "kb/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "kb/unpack.h"
#include "rdf/ntriples.h"
#include "rdf/turtle.h"
#include "store/bulk.h"

#define BATCH_ROWS     ((size_t)1 << 17)
#define PROGRESS_EVERY 16384
#define FLUSH_BYTES    ((size_t)256 << 10)
#define BULK_BYTES     ((size_t)4 << 20) /* a smaller file is committed through the log */

static const struct {
	const char *suffix, *media_type;
	enum rdf_syntax syntax;
} syntaxes[] = {
	{ ".nt", "application/n-triples", RDF_NTRIPLES },
	{ ".nq", "application/n-quads", RDF_NQUADS },
	{ ".ttl", "text/turtle", RDF_TURTLE },
	{ ".trig", "application/trig", RDF_TRIG },
	{ ".n3", "text/n3", RDF_TURTLE },
	{ ".ntriples", "text/plain", RDF_NTRIPLES },
	{ ".nquads", "text/x-nquads", RDF_NQUADS },
	{ ".turtle", "application/x-turtle", RDF_TURTLE },
};

enum rdf_syntax rdf_syntax_of(struct str name)
{
	for (size_t i = 0; i < COUNT(syntaxes); i++)
		if (str_ends(name, str_from(syntaxes[i].suffix)))
			return syntaxes[i].syntax;
	return RDF_UNKNOWN;
}

enum rdf_syntax rdf_syntax_of_media_type(struct str type)
{
	struct str bare = str_slice(type, 0, str_find_char(type, ';'));

	for (size_t i = 0; i < COUNT(syntaxes); i++)
		if (str_eq_nocase(str_trim(bare), str_from(syntaxes[i].media_type)))
			return syntaxes[i].syntax;
	return RDF_UNKNOWN;
}

struct loading {
	struct store *store;
	const struct load_options *options;
	uint64_t graph;
	struct map labels; /* 64-bit hash of a label -> blank node */
	struct row *rows;
	size_t n, cap;
	uint64_t statements, bad;
	struct diag *why;
};

static uint64_t id_of(struct loading *l, struct term t)
{
	uint64_t *id;

	if (t.kind != TERM_BLANK)
		return store_intern(l->store, t);
	id = map_add(&l->labels, hash64(t.text), NULL);
	if (*id == 0)
		*id = store_new_blank(l->store);
	return *id;
}

/* The new rows in the place of all that the graph holds, at once. */
static enum status commit_instead(struct loading *l)
{
	struct row key = { { l->graph } }, *gone = NULL;
	size_t n = 0, cap = 0, portion;
	struct snapshot *before;
	const struct row *rows;
	struct scan scan;

	store_begin(l->store);
	before = store_step_snapshot(l->store);
	scan_open(&scan, before, ORDER_SPO);
	scan_start(&scan, &key, 1);
	while (scan_next(&scan, &rows, &portion))
		for (size_t i = 0; i < portion; i++) {
			VEC_ADD(gone, n, cap, rows[i]);
			gone[n - 1].v[0] |= ROW_GONE;
		}
	bool whole = !scan_is_damaged(&scan);
	scan_close(&scan);
	snapshot_release(before);
	store_step(l->store, gone, n);
	store_step(l->store, l->rows, l->n);
	free(gone);
	TRY(store_end(l->store, whole, l->why));
	return whole ? ST_OK
		     : diag_fail(l->why, ST_CORRUPT,
				 "a block of the index fails its checksum");
}

static enum status commit(struct loading *l)
{
	enum status st = ST_OK;

	if (l->options->replace)
		st = commit_instead(l);
	else if (l->n)
		st = store_commit(l->store, l->rows, l->n, l->why);
	l->n = 0;
	return st;
}

static enum status add_statement(void *context, const struct statement *s)
{
	struct loading *l = context;
	struct row r = { { s->graph.kind == TERM_NONE ? l->graph : id_of(l, s->graph),
			   id_of(l, s->subject), id_of(l, s->predicate),
			   id_of(l, s->object) } };

	VEC_ADD(l->rows, l->n, l->cap, r);
	l->statements++;
	/* Strict is all or nothing, so it is one commit. */
	return l->n >= BATCH_ROWS && !l->options->strict ? commit(l) : ST_OK;
}

static enum status load_lines(struct loading *l, struct str text, bool quads)
{
	struct nt_reader r = { .in = text, .quads = quads };
	struct statement s;
	struct diag bad;
	enum status st = ST_OK;

	while (st == ST_OK) {
		enum status line = nt_next(&r, &s, &bad);

		if (line == ST_NOT_FOUND)
			break;
		if (line == ST_OK) {
			st = add_statement(l, &s);
		} else if (l->options->strict) {
			st = diag_fail(l->why, ST_SYNTAX, "line %llu: %s",
				       (unsigned long long)r.line, bad.text);
		} else {
			l->bad++;
			if (l->options->bad)
				l->options->bad(l->options->context, r.line, bad.text);
		}
		if (l->options->progress && r.line % PROGRESS_EVERY == 0 &&
		    !l->options->progress(l->options->context, text.n - r.in.n, text.n,
					  l->statements))
			st = diag_fail(l->why, ST_CANCELLED, "interrupted");
	}
	nt_reader_release(&r);
	return st;
}

static enum status load_turtle(struct loading *l, struct str text, enum rdf_syntax syntax)
{
	struct turtle_sink sink = { add_statement, l };

	return turtle_parse(text, syntax == RDF_TRIG ? SYNTAX_TRIG : SYNTAX_TURTLE,
			    l->options->base, sink, l->why);
}

enum status kb_load_texts(struct store *s, const struct load_text *v, size_t n,
			  const struct load_options *options, struct load_counts *ret,
			  struct diag *why)
{
	struct loading l = { .store = s, .options = options, .why = why };
	enum status st = ST_OK, end = ST_OK;

	if (options->graph.kind == TERM_IRI)
		l.graph = store_intern(s, options->graph);
	for (size_t i = 0; st == ST_OK && i < n; i++) {
		map_reset(&l.labels);
		if (v[i].syntax == RDF_NTRIPLES || v[i].syntax == RDF_NQUADS)
			st = load_lines(&l, v[i].text, v[i].syntax == RDF_NQUADS);
		else
			st = load_turtle(&l, v[i].text, v[i].syntax);
	}
	/* What stood before the error of a Turtle file is kept, unless strict. */
	if (st == ST_OK || !options->strict)
		end = commit(&l);
	*ret = (struct load_counts){ l.statements, l.bad };
	if (st != ST_OK && options->strict)
		ret->statements = 0;
	map_release(&l.labels);
	free(l.rows);
	return st != ST_OK ? st : end;
}

enum status kb_load_text(struct store *s, struct str text,
			 const struct load_options *options, struct load_counts *ret,
			 struct diag *why)
{
	return kb_load_texts(s, &(struct load_text){ text, options->syntax }, 1, options,
			     ret, why);
}

static enum status load_bulk(struct store *s, struct str text,
			     const struct load_options *o, struct load_counts *ret,
			     struct diag *why)
{
	struct bulk_text t = { .text = text,
			       .quads = o->syntax == RDF_NQUADS,
			       .strict = o->strict,
			       .mapped = true,
			       .graph = o->graph,
			       .progress = o->progress,
			       .bad = o->bad,
			       .context = o->context };
	struct bulk *b;
	enum status st;

	TRY(bulk_start(&b, s, why));
	*ret = (struct load_counts){ 0 };
	st = bulk_add(b, &t, &ret->statements, &ret->bad, why);
	if (st == ST_OK)
		return bulk_end(b, why);
	bulk_abort(b);
	return st;
}

static bool is_for_bulk(const struct store *s, enum rdf_syntax syntax, size_t bytes)
{
	return store_dir(s) && bytes >= BULK_BYTES &&
	       (syntax == RDF_NTRIPLES || syntax == RDF_NQUADS);
}

enum status kb_load_file(struct store *s, const char *path,
			 const struct load_options *options, struct load_counts *ret,
			 struct diag *why)
{
	struct load_options o = *options;
	cleanup(buf_release) struct buf base = { 0 };
	struct map_file map;
	struct diag detail = { "" };
	enum packing packing;
	struct str name;
	enum status st;

	packing = packing_of(str_from(path), &name);
	if (o.syntax == RDF_UNKNOWN)
		o.syntax = rdf_syntax_of(name);
	if (o.syntax == RDF_UNKNOWN)
		return diag_fail(why, ST_UNSUPPORTED,
				 "%s: want a name that ends in .nt, .nq, .ttl or .trig",
				 path);
	if (o.base.n == 0) {
		char *full = realpath(path, NULL);

		buf_addf(&base, "file://%s", full ? full : path);
		free(full);
		o.base = buf_str(&base);
	}
	TRY(unpack_open(&map, path, packing, store_dir(s) ? store_dir(s) : P_tmpdir,
			o.unpacked_bytes, why));
	if (is_for_bulk(s, o.syntax, map.bytes.n))
		st = load_bulk(s, map.bytes, &o, ret, &detail);
	else
		st = kb_load_text(s, map.bytes, &o, ret, &detail);
	map_file_release(&map);
	return st == ST_OK ? ST_OK : diag_fail(why, st, "%s: %s", path, detail.text);
}

/* --- out --- */

struct dumping {
	struct snapshot *s;
	const struct dump_options *options;
	struct buf out;
	struct turtle_writer turtle;
	struct arena terms;
};

static bool is_turtle(const struct dump_options *o)
{
	return o->syntax == RDF_TURTLE || o->syntax == RDF_TRIG;
}

static enum status dump_row(struct dumping *d, const struct row *r, struct diag *why)
{
	struct statement s = { 0 };

	arena_reset(&d->terms);
	if (!snapshot_term(d->s, r->v[1], &d->terms, &s.subject) ||
	    !snapshot_term(d->s, r->v[2], &d->terms, &s.predicate) ||
	    !snapshot_term(d->s, r->v[3], &d->terms, &s.object) ||
	    (r->v[0] && !snapshot_term(d->s, r->v[0], &d->terms, &s.graph)))
		return diag_fail(why, ST_CORRUPT,
				 "a term of the dictionary cannot be read");
	if (d->options->one_graph || d->options->syntax == RDF_NTRIPLES ||
	    d->options->syntax == RDF_TURTLE)
		s.graph = (struct term){ 0 };
	if (is_turtle(d->options))
		turtle_add(&d->turtle, &s);
	else
		statement_format(&s, &d->out);
	return ST_OK;
}

static enum status dump_rows(struct dumping *d, struct scan *scan,
			     enum status (*flush)(void *context, struct str bytes),
			     void *context, struct diag *why)
{
	const struct row *rows;
	size_t n;

	while (scan_next(scan, &rows, &n))
		for (size_t i = 0; i < n; i++) {
			TRY(dump_row(d, &rows[i], why));
			if (d->out.n < FLUSH_BYTES)
				continue;
			TRY(flush(context, buf_str(&d->out)));
			buf_reset(&d->out);
		}
	if (scan_is_damaged(scan))
		return diag_fail(why, ST_CORRUPT,
				 "a block of the index fails its checksum");
	return ST_OK;
}

enum status kb_dump(struct snapshot *s, const struct dump_options *options,
		    enum status (*flush)(void *context, struct str bytes), void *context,
		    struct diag *why)
{
	struct dumping d = { .s = s, .options = options };
	struct scan scan;
	struct row key = { { 0 } };
	enum status st;

	if (options->one_graph && options->graph.kind == TERM_IRI) {
		key.v[0] = snapshot_find(s, options->graph);
		if (key.v[0] == ID_NONE)
			return diag_fail(why, ST_NOT_FOUND, "there is no such graph");
	}
	if (is_turtle(options))
		turtle_start(&d.turtle, &d.out);
	scan_open(&scan, s, ORDER_SPO);
	scan_start(&scan, &key, options->one_graph ? 1 : 0);
	st = dump_rows(&d, &scan, flush, context, why);
	scan_close(&scan);
	if (is_turtle(options))
		turtle_stop(&d.turtle);
	if (st == ST_OK && d.out.n)
		st = flush(context, buf_str(&d.out));
	buf_release(&d.out);
	arena_release(&d.terms);
	return st;
}
