/*
 * files.h - RDF files into the store and out of it.
 *
 * The syntax is told by the name: .nt, .nq, .ttl, .trig, also with .gz or .zst behind
 * it.  One bad line of
 * N-Triples costs that line; it is told with its number and reason.  Turtle
 * has no lines to go on with: an error ends the file there.
 */
#ifndef KB_FILES_H
#define KB_FILES_H

#include "store/store.h"

enum rdf_syntax { RDF_NTRIPLES, RDF_NQUADS, RDF_TURTLE, RDF_TRIG, RDF_UNKNOWN };

enum rdf_syntax rdf_syntax_of(struct str name);
enum rdf_syntax rdf_syntax_of_media_type(struct str type);

struct load_options {
	enum rdf_syntax syntax; /* RDF_UNKNOWN: by name */
	struct term graph; /* for statements that name none; TERM_NONE: the default */
	struct str base;   /* empty: the file's own IRI */
	uint64_t unpacked_bytes; /* of a packed file, at most; 0: see unpack.h */
	bool strict;             /* the first bad line ends it, and nothing is kept */
	bool replace; /* with strict: what `graph` held is gone in the same commit */
	/* Called for each bad line; may be NULL. */
	void (*bad)(void *context, uint64_t line, const char *why);
	/* Called now and then with bytes and statements so far; false cancels. */
	bool (*progress)(void *context, uint64_t bytes, uint64_t total,
			 uint64_t statements);
	void *context;
};

struct load_counts {
	uint64_t statements, bad;
};

struct load_text {
	struct str text;
	enum rdf_syntax syntax;
};

/* Several documents as one: with `strict`, in one commit.  Labels are those of each. */
must_use enum status kb_load_texts(struct store *s, const struct load_text *v, size_t n,
				   const struct load_options *options,
				   struct load_counts *ret, struct diag *why);
must_use enum status kb_load_text(struct store *s, struct str text,
				  const struct load_options *options,
				  struct load_counts *ret, struct diag *why);
must_use enum status kb_load_file(struct store *s, const char *path,
				  const struct load_options *options,
				  struct load_counts *ret, struct diag *why);

struct dump_options {
	enum rdf_syntax syntax;
	bool one_graph;    /* only `graph` */
	struct term graph; /* TERM_NONE: the default graph */
};

/*
 * Portion by portion: all graphs, or one.  N-Quads and TriG name the graphs;
 * N-Triples and Turtle have no names for them, so those of all become one.
 */
must_use enum status kb_dump(struct snapshot *s, const struct dump_options *options,
			     enum status (*flush)(void *context, struct str bytes),
			     void *context, struct diag *why);
#endif
