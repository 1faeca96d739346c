/*
 * number.h - the numbers of XML Schema as SPARQL computes with them.
 *
 * Integers and decimals are a 128-bit mantissa and a decimal scale, floats and
 * doubles a double.  An operation takes the wider type of its operands
 * (integer, decimal, float, double).  What does not fit is an error of the
 * expression, never a wrong number.
 */
#ifndef RDF_NUMBER_H
#define RDF_NUMBER_H

#include "rdf/term.h"

#define NUMBER_SCALE_MAX 18

enum number_type {
	NUMBER_INTEGER,
	NUMBER_DECIMAL,
	NUMBER_FLOAT,
	NUMBER_DOUBLE,
};

struct number {
	enum number_type type;
	int scale;   /* digits after the point; 0 for an integer */
	__int128 m;  /* the value without its point */
	double real; /* of float and double */
};

/* A literal of a numeric datatype, derived integer types included; its range is checked.
 */
bool number_from_term(struct term t, struct number *ret);
/* True for xsd:integer, xsd:byte, xsd:double, ...: the datatypes with numeric values. */
bool datatype_is_numeric(struct str datatype);

/* The forms of the four types; white space around is allowed (XSD collapse). */
bool number_parse_integer(struct str s, struct number *ret);
bool number_parse_decimal(struct str s, struct number *ret);
bool number_parse_double(struct str s, enum number_type type, struct number *ret);

static inline struct number number_from_int(int64_t v)
{
	return (struct number){ .type = NUMBER_INTEGER, .m = v };
}
static inline struct number number_from_double(double v)
{
	return (struct number){ .type = NUMBER_DOUBLE, .real = v };
}
double number_to_double(struct number n);
struct number number_convert(struct number n, enum number_type type);
/* The canonical lexical form: 12, 1.5, 1.0E6. */
void number_format(struct number n, struct buf *to);
const char *number_datatype(enum number_type type);

/* False on overflow and on an exact division by zero. */
bool number_add(struct number a, struct number b, struct number *ret);
bool number_subtract(struct number a, struct number b, struct number *ret);
bool number_multiply(struct number a, struct number b, struct number *ret);
bool number_divide(struct number a, struct number b, struct number *ret);
struct number number_negate(struct number n);

enum number_rounding { ROUND_FLOOR, ROUND_CEIL, ROUND_HALF_UP };
struct number number_round(struct number n, enum number_rounding how);

/* -1, 0 or 1; 2 where either is NaN. */
int number_compare(struct number a, struct number b);
bool number_is_true(struct number n);
#endif
