/* expr.h - expressions over a row; errors are values, as 17.2 wants. */
#ifndef EVAL_EXPR_H
#define EVAL_EXPR_H

#include "eval/value.h"

struct value expr_eval(struct exec *x, const struct expr *e, const uint64_t *row);
/* The filter holds: no error, and true. */
bool expr_holds(struct exec *x, const struct expr *e, const uint64_t *row);
/* The functions of 17.4 but those that look at their arguments unevaluated. */
struct value builtin_call(struct exec *x, const struct expr *e, const struct value *args);
/* xsd:integer(...) and so on. */
struct value cast_call(struct exec *x, struct str iri, const struct value *arg);
/* All that preparation cached in the expressions of a tree is freed with the query. */
void expr_release_prepared(const struct expr *e);
#endif
