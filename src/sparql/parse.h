/*
 * parse.h - SPARQL 1.1 Query and Update: text in, tree out.
 *
 * The whole grammar and its notes (scope of BIND and AS, labels of blank
 * nodes, arity of VALUES, grouping).  An error names line and column, what
 * was expected and what was found.
 *
 * Nesting is bounded, and so is what follows each other where that costs stack when
 * it is run: every triple, OPTIONAL, BIND, ... of a group is a level, every operand of
 * a sum.  What is associative (UNION, ||, &&, FILTER after FILTER) is made a balanced
 * tree, so that there may be any number of them.  Parsing takes time and memory
 * in proportion to the text.
 */
#ifndef SPARQL_PARSE_H
#define SPARQL_PARSE_H

#include "sparql/ast.h"

#define SPARQL_DEPTH_MAX  200
#define SPARQL_LEVELS_MAX 1000

/* `ret` is set on success only; release it with request_release(). */
must_use enum status sparql_parse_query(struct str text, struct str base,
					struct request *ret, struct diag *why);
must_use enum status sparql_parse_update(struct str text, struct str base,
					 struct request *ret, struct diag *why);
void request_release(struct request *r);
#endif
