/*
 * parse.h - SPARQL 1.1 Query and Update: text in, tree out.
 *
 * The whole grammar and its notes (scope of BIND and AS, labels of blank
 * nodes, arity of VALUES, grouping).  An error names line and column, what
 * was expected and what was found.  Nesting is bounded.
 */
#ifndef SPARQL_PARSE_H
#define SPARQL_PARSE_H

#include "sparql/ast.h"

#define SPARQL_DEPTH_MAX 200

/* `ret` is set on success only; release it with request_release(). */
must_use enum status sparql_parse_query(struct str text, struct str base,
					struct request *ret, struct diag *why);
must_use enum status sparql_parse_update(struct str text, struct str base,
					 struct request *ret, struct diag *why);
void request_release(struct request *r);
#endif
