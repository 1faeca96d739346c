/* The constructor functions of 17.5: xsd:boolean, double, float, decimal, ... */
#include <math.h>

#include "eval/expr.h"

static bool as_number(struct exec *x, const struct value *v, struct term t,
		      struct number *ret)
{
	bool truth;

	if (value_number(x, v, ret))
		return true;
	if (str_eq(t.datatype, STR(XSD "boolean")) && value_truth(x, v, &truth)) {
		*ret = number_from_int(truth);
		return true;
	}
	return false;
}

static struct value to_boolean(struct exec *x, const struct value *v, struct term t,
			       bool is_string)
{
	struct str s = str_trim(t.text);
	struct number n;

	if (value_number(x, v, &n))
		return value_from_bool(number_is_true(n));
	if (!is_string && !str_eq(t.datatype, STR(XSD "boolean")))
		return VALUE_NONE;
	if (str_eq(s, STR("true")) || str_eq(s, STR("1")))
		return value_from_bool(true);
	if (str_eq(s, STR("false")) || str_eq(s, STR("0")))
		return value_from_bool(false);
	return VALUE_NONE;
}

static struct value to_number(struct exec *x, const struct value *v, struct term t,
			      bool is_string, enum number_type type)
{
	struct number n;

	if (as_number(x, v, t, &n)) {
		if (type <= NUMBER_DECIMAL && n.type >= NUMBER_FLOAT &&
		    (!isfinite(n.real) || fabs(n.real) > 1e30))
			return VALUE_NONE;
		return value_from_number(number_convert(n, type));
	}
	if (!is_string)
		return VALUE_NONE;
	bool ok = type == NUMBER_INTEGER   ? number_parse_integer(t.text, &n)
		  : type == NUMBER_DECIMAL ? number_parse_decimal(t.text, &n)
					   : number_parse_double(t.text, type, &n);
	return ok ? value_from_number(n) : VALUE_NONE;
}

static struct value to_time(struct exec *x, struct term t, bool is_string, bool date_only)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct datetime d;
	bool from_date = str_eq(t.datatype, STR(XSD "date"));
	bool from_datetime = str_eq(t.datatype, STR(XSD "dateTime"));

	if (!is_string && !from_date && !from_datetime)
		return VALUE_NONE;
	if (from_date || (is_string && date_only)) {
		if (!date_parse(t.text, &d))
			return VALUE_NONE;
	} else if (!datetime_parse(t.text, &d)) {
		return VALUE_NONE;
	}
	if (date_only)
		date_format(&d, &b);
	else
		datetime_format(&d, &b);
	return value_from_term(
		term_typed(arena_copy(&x->scratch, buf_str(&b)),
			   date_only ? STR(XSD "date") : STR(XSD "dateTime")));
}

/* The decimal without a point where it is whole. */
static void format_plain(struct number n, struct buf *to)
{
	while (n.scale > 0 && n.m % 10 == 0) {
		n.m /= 10;
		n.scale--;
	}
	n.type = n.scale == 0 ? NUMBER_INTEGER : NUMBER_DECIMAL;
	number_format(n, to);
}

/* The canonical form of XPath: whole numbers without a point, few with an exponent. */
static struct value to_string(struct exec *x, const struct value *v, struct term t)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct number n;
	bool truth;

	if (t.kind == TERM_BLANK)
		return VALUE_NONE;
	if (str_eq(t.datatype, STR(XSD "boolean")) && value_truth(x, v, &truth))
		return value_from_string(truth ? STR("true") : STR("false"));
	if (!value_number(x, v, &n))
		return value_from_string(t.text);
	double magnitude = fabs(number_to_double(n));
	if (n.type < NUMBER_FLOAT)
		format_plain(n, &b);
	else if (magnitude != 0 && !(magnitude >= 1e-6 && magnitude < 1e6))
		number_format(n, &b);
	else
		format_plain(number_convert(n, NUMBER_DECIMAL), &b);
	return value_from_string(arena_copy(&x->scratch, buf_str(&b)));
}

struct value cast_call(struct exec *x, struct str iri, const struct value *arg)
{
	struct term t = value_term(x, arg);
	bool is_string = t.kind == TERM_LITERAL && t.datatype.n == 0 && t.lang.n == 0;

	if (!str_take_prefix(&iri, STR(XSD)))
		return VALUE_NONE;
	if (str_eq(iri, STR("string")))
		return to_string(x, arg, t);
	if (t.kind != TERM_LITERAL)
		return VALUE_NONE;
	if (str_eq(iri, STR("boolean")))
		return to_boolean(x, arg, t, is_string);
	if (str_eq(iri, STR("integer")))
		return to_number(x, arg, t, is_string, NUMBER_INTEGER);
	if (str_eq(iri, STR("decimal")))
		return to_number(x, arg, t, is_string, NUMBER_DECIMAL);
	if (str_eq(iri, STR("float")))
		return to_number(x, arg, t, is_string, NUMBER_FLOAT);
	if (str_eq(iri, STR("double")))
		return to_number(x, arg, t, is_string, NUMBER_DOUBLE);
	if (str_eq(iri, STR("dateTime")))
		return to_time(x, t, is_string, false);
	if (str_eq(iri, STR("date")))
		return to_time(x, t, is_string, true);
	return VALUE_NONE;
}
