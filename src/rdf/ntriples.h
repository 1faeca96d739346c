/*
 * ntriples.h - N-Triples and N-Quads, a line at a time and fast.
 *
 * The whole grammar of the two recommendations, strictly: absolute IRIs,
 * well-formed escapes, UTF-8.  A bad line costs itself only: nt_next() says
 * what is wrong with it and stands at the next line.  Terms borrow from the
 * input, or from the reader where escapes had to be undone.
 */
#ifndef RDF_NTRIPLES_H
#define RDF_NTRIPLES_H

#include "rdf/term.h"

struct nt_reader {
	struct str in;       /* what is left */
	uint64_t line;       /* number of the line last read, from 1 */
	bool quads;          /* a graph may stand before the dot */
	struct arena undone; /* unescaped text of the current statement */
	bool undone_used;
};

void nt_reader_release(struct nt_reader *r);
/*
 * ST_OK with a statement that lives until the next call; ST_NOT_FOUND at the
 * end; ST_SYNTAX for a bad line, with the reason and the column in `why`.
 */
must_use enum status nt_next(struct nt_reader *r, struct statement *ret,
			     struct diag *why);
#endif
