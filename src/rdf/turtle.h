/*
 * turtle.h - Turtle and TriG, read through libserd and written by ourselves.
 *
 * The reader calls back once a statement; blank node labels are those of the
 * file, or made up by the reader, and mean something within it only.
 */
#ifndef RDF_TURTLE_H
#define RDF_TURTLE_H

#include "rdf/term.h"

#define TURTLE_DEPTH_MAX 1000 /* brackets within each other */

enum turtle_syntax { SYNTAX_TURTLE, SYNTAX_TRIG };

struct turtle_sink {
	/* Any status but ST_OK ends the reading and is what turtle_parse() answers. */
	enum status (*add)(void *context, const struct statement *s);
	void *context;
};

/* The error names the line; ST_TOO_LARGE past TURTLE_DEPTH_MAX.  What stood before it has
 * been given to the sink. */
must_use enum status turtle_parse(struct str text, enum turtle_syntax syntax,
				  struct str base, struct turtle_sink sink,
				  struct diag *why);

/*
 * Writing: prefixes for the vocabularies that are met often, subjects and
 * predicates not repeated.  Statements of one subject should come together.
 * Statements with a graph make it TriG; those of one graph should come together.
 */
struct turtle_writer {
	struct buf *to;
	struct buf graph, subject, predicate; /* the last ones written */
	bool open;                            /* a statement waits for its '.' */
};

void turtle_start(struct turtle_writer *w, struct buf *to);
void turtle_add(struct turtle_writer *w, const struct statement *s);
/* Ends the last statement and gives the memory back. */
void turtle_stop(struct turtle_writer *w);
#endif
