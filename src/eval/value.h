/*
 * value.h - what an expression gives: an error, or a term in its cheapest form.
 *
 * A comparison of inline numbers never makes a string; a computed string never
 * enters a dictionary unless it is bound.
 */
#ifndef EVAL_VALUE_H
#define EVAL_VALUE_H

#include "eval/exec.h"
#include "rdf/datetime.h"

enum value_kind {
	VALUE_ERROR, /* also an unbound variable */
	VALUE_ID,
	VALUE_TERM,
	VALUE_NUMBER,
	VALUE_BOOLEAN,
};

struct value {
	enum value_kind kind;
	bool boolean;
	uint64_t id;
	struct term term;
	struct number number;
};

#define VALUE_NONE ((struct value){ .kind = VALUE_ERROR })

static inline struct value value_from_id(uint64_t id)
{
	return (struct value){ .kind = id ? VALUE_ID : VALUE_ERROR, .id = id };
}
static inline struct value value_from_term(struct term t)
{
	return (struct value){ .kind = VALUE_TERM, .term = t };
}
static inline struct value value_from_number(struct number n)
{
	return (struct value){ .kind = VALUE_NUMBER, .number = n };
}
static inline struct value value_from_bool(bool b)
{
	return (struct value){ .kind = VALUE_BOOLEAN, .boolean = b };
}
static inline struct value value_from_string(struct str s)
{
	return value_from_term(term_string(s));
}

struct term value_term(struct exec *x, const struct value *v);
uint64_t value_id(struct exec *x, const struct value *v);
bool value_number(struct exec *x, const struct value *v, struct number *ret);
/* The effective boolean value (17.2.2); false when it has none. */
bool value_truth(struct exec *x, const struct value *v, bool *ret);

enum value_type {
	TYPE_BLANK,
	TYPE_IRI,
	TYPE_STRING,      /* xsd:string */
	TYPE_LANG_STRING, /* with a language */
	TYPE_NUMBER,
	TYPE_BOOLEAN,
	TYPE_DATETIME,
	TYPE_DATE,
	TYPE_TIME,
	TYPE_OTHER, /* a datatype we do not know, or a form that is not of its type */
};

/* A value with what is needed to compare it. */
struct compared {
	enum value_type type;
	struct term term; /* not set for numbers */
	struct number number;
	bool boolean;
	struct datetime time;
	bool known_datatype; /* the datatype is one of those above, the form is wrong */
};

struct compared value_compared(struct exec *x, const struct value *v);

/* = of SPARQL: 1, 0, or -1 for an error. */
int value_equal(struct exec *x, const struct value *a, const struct value *b);
/* < of SPARQL: *ret is -1, 0, 1; false for an error. */
bool value_order(struct exec *x, const struct value *a, const struct value *b, int *ret);
/* A total order of all terms, as ORDER BY wants it; unbound first. */
int compared_order(const struct compared *a, const struct compared *b);
#endif
