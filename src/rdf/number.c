#include "rdf/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEXICAL_MAX 512 /* a longer number is not one we compute with */

/* The derived integer types with the range of each; 0, 0 means unbounded on that side. */
struct integer_type {
	const char *name;
	bool has_min, has_max;
	__int128 min, max;
};

static const struct integer_type integer_types[] = {
	{ "integer", false, false, 0, 0 },
	{ "int", true, true, INT32_MIN, INT32_MAX },
	{ "long", true, true, INT64_MIN, INT64_MAX },
	{ "short", true, true, INT16_MIN, INT16_MAX },
	{ "byte", true, true, INT8_MIN, INT8_MAX },
	{ "nonNegativeInteger", true, false, 0, 0 },
	{ "positiveInteger", true, false, 1, 0 },
	{ "nonPositiveInteger", false, true, 0, 0 },
	{ "negativeInteger", false, true, 0, -1 },
	{ "unsignedLong", true, true, 0, UINT64_MAX },
	{ "unsignedInt", true, true, 0, UINT32_MAX },
	{ "unsignedShort", true, true, 0, UINT16_MAX },
	{ "unsignedByte", true, true, 0, UINT8_MAX },
};

static const struct integer_type *find_integer_type(struct str name)
{
	for (size_t i = 0; i < COUNT(integer_types); i++)
		if (str_eq(name, str_from(integer_types[i].name)))
			return &integer_types[i];
	return NULL;
}

static bool is_real_name(struct str name)
{
	return str_eq(name, STR("double")) || str_eq(name, STR("float"));
}

bool datatype_is_numeric(struct str datatype)
{
	if (!str_take_prefix(&datatype, STR(XSD)))
		return false;
	return is_real_name(datatype) || str_eq(datatype, STR("decimal")) ||
	       find_integer_type(datatype);
}

static bool add_digit(__int128 *m, char c)
{
	return !__builtin_mul_overflow(*m, 10, m) &&
	       !__builtin_add_overflow(*m, c - '0', m);
}

/* Digits with at most one point.  Digits beyond NUMBER_SCALE_MAX after it are dropped. */
static bool parse_digits(struct str s, bool point_allowed, struct number *ret)
{
	struct number n = { .type = point_allowed ? NUMBER_DECIMAL : NUMBER_INTEGER };
	bool negative = false, any = false, point = false;

	if (str_take_char(&s, '-'))
		negative = true;
	else
		(void)str_take_char(&s, '+');
	for (; s.n; s = str_skip(s, 1)) {
		if (s.p[0] == '.' && point_allowed && !point) {
			point = true;
			continue;
		}
		if (!ascii_is_digit(s.p[0]))
			return false;
		any = true;
		if (point && n.scale == NUMBER_SCALE_MAX)
			continue;
		if (!add_digit(&n.m, s.p[0]))
			return false;
		n.scale += point;
	}
	if (negative)
		n.m = -n.m;
	*ret = n;
	return any;
}

bool number_parse_integer(struct str s, struct number *ret)
{
	return parse_digits(str_trim(s), false, ret);
}

bool number_parse_decimal(struct str s, struct number *ret)
{
	return parse_digits(str_trim(s), true, ret);
}

/* strtod() accepts more than XSD does: hexadecimal, "infinity", "nan(...)". */
static bool is_real_form(struct str s)
{
	bool digits = false;

	if (s.n && (s.p[0] == '+' || s.p[0] == '-'))
		s = str_skip(s, 1);
	for (; s.n && (ascii_is_digit(s.p[0]) || s.p[0] == '.'); s = str_skip(s, 1))
		digits |= s.p[0] != '.';
	if (!digits || s.n == 0)
		return digits;
	if ((s.p[0] | 0x20) != 'e')
		return false;
	s = str_skip(s, 1);
	if (s.n && (s.p[0] == '+' || s.p[0] == '-'))
		s = str_skip(s, 1);
	if (s.n == 0)
		return false;
	for (; s.n; s = str_skip(s, 1))
		if (!ascii_is_digit(s.p[0]))
			return false;
	return true;
}

bool number_parse_double(struct str s, enum number_type type, struct number *ret)
{
	char text[LEXICAL_MAX + 1], *end;

	s = str_trim(s);
	*ret = (struct number){ .type = type };
	if (str_eq(s, STR("INF")) || str_eq(s, STR("+INF")))
		ret->real = INFINITY;
	else if (str_eq(s, STR("-INF")))
		ret->real = -INFINITY;
	else if (str_eq(s, STR("NaN")))
		ret->real = NAN;
	else if (s.n > LEXICAL_MAX || !is_real_form(s))
		return false;
	else {
		memcpy(text, s.p, s.n);
		text[s.n] = '\0';
		ret->real = strtod(text, &end);
		if (*end)
			return false;
	}
	if (type == NUMBER_FLOAT)
		ret->real = (double)(float)ret->real;
	return true;
}

static bool in_range(const struct integer_type *type, __int128 v)
{
	return (!type->has_min || v >= type->min) && (!type->has_max || v <= type->max);
}

bool number_from_term(struct term t, struct number *ret)
{
	struct str name = t.datatype;
	const struct integer_type *type;

	if (t.kind != TERM_LITERAL || !str_take_prefix(&name, STR(XSD)))
		return false;
	if (str_eq(name, STR("decimal")))
		return number_parse_decimal(t.text, ret);
	if (is_real_name(name))
		return number_parse_double(
			t.text, name.p[0] == 'f' ? NUMBER_FLOAT : NUMBER_DOUBLE, ret);
	type = find_integer_type(name);
	return type && number_parse_integer(t.text, ret) && in_range(type, ret->m);
}

static const double powers_of_ten[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
					1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
					1e14, 1e15, 1e16, 1e17, 1e18 };

double number_to_double(struct number n)
{
	if (n.type >= NUMBER_FLOAT)
		return n.real;
	/* Exact below 2^53, where the division rounds once (as strtod would). */
	return (double)n.m / powers_of_ten[n.scale];
}

static __int128 power_of_ten(int n)
{
	__int128 p = 1;

	while (n-- > 0)
		p *= 10;
	return p;
}

struct number number_convert(struct number n, enum number_type type)
{
	struct number to = { .type = type };

	if (type >= NUMBER_FLOAT) {
		to.real = number_to_double(n);
		if (type == NUMBER_FLOAT)
			to.real = (double)(float)to.real;
		return to;
	}
	if (n.type >= NUMBER_FLOAT) {
		char text[400];

		if (type == NUMBER_INTEGER) {
			to.m = (__int128)n.real;
			return to;
		}
		snprintf(text, sizeof(text), "%.15f", n.real);
		if (!number_parse_decimal(str_from(text), &to))
			to.m = 0;
		to.type = type;
		while (to.scale > 0 && to.m % 10 == 0) {
			to.m /= 10;
			to.scale--;
		}
		return to;
	}
	to.m = n.m;
	to.scale = n.scale;
	if (type == NUMBER_INTEGER) {
		to.m /= power_of_ten(n.scale);
		to.scale = 0;
	}
	return to;
}

static void format_decimal(struct number n, struct buf *to)
{
	char digits[64];
	size_t at = sizeof(digits);
	unsigned __int128 m = n.m < 0 ? -(unsigned __int128)n.m : (unsigned __int128)n.m;
	int written = 0;

	while (n.scale > 0 && n.type == NUMBER_DECIMAL && m % 10 == 0 && n.scale > 1) {
		m /= 10; /* trailing zeros, but one digit stays after the point */
		n.scale--;
	}
	do {
		if (written && written == n.scale)
			digits[--at] = '.';
		digits[--at] = (char)('0' + (int)(m % 10));
		m /= 10;
		written++;
	} while (m || written <= n.scale);
	if (n.m < 0)
		digits[--at] = '-';
	buf_add(to, (struct str){ digits + at, sizeof(digits) - at });
	if (n.type == NUMBER_DECIMAL && n.scale == 0)
		buf_add(to, STR(".0"));
}

/* Shortest digits that read back equal, in the form d.dddE±n. */
static void format_real(struct number n, struct buf *to)
{
	char text[40];
	int digits = 1, most = n.type == NUMBER_FLOAT ? 9 : 17;

	for (; digits <= most; digits++) {
		snprintf(text, sizeof(text), "%.*E", digits - 1, n.real);
		double back = strtod(text, NULL);
		if (n.type == NUMBER_FLOAT ? (float)back == (float)n.real
					   : back == n.real)
			break;
	}
	char *e = strchr(text, 'E');
	*e = '\0';
	buf_add(to, str_from(text));
	if (!strchr(text, '.'))
		buf_add(to, STR(".0"));
	buf_addf(to, "E%d", atoi(e + 1));
}

void number_format(struct number n, struct buf *to)
{
	if (n.type <= NUMBER_DECIMAL)
		format_decimal(n, to);
	else if (isnan(n.real))
		buf_add(to, STR("NaN"));
	else if (isinf(n.real))
		buf_add(to, n.real > 0 ? STR("INF") : STR("-INF"));
	else
		format_real(n, to);
}

const char *number_datatype(enum number_type type)
{
	static const char *const names[] = { XSD "integer", XSD "decimal", XSD "float",
					     XSD "double" };

	return names[type];
}

/* Bring both to the wider type, and decimals to one scale. */
static bool align(struct number *a, struct number *b)
{
	enum number_type type = MAX(a->type, b->type);

	*a = number_convert(*a, type);
	*b = number_convert(*b, type);
	for (struct number *n = a; type == NUMBER_DECIMAL && n; n = n == a ? b : NULL) {
		int more = MAX(a->scale, b->scale) - n->scale;

		if (__builtin_mul_overflow(n->m, power_of_ten(more), &n->m))
			return false;
		n->scale += more;
	}
	return true;
}

static struct number real_result(enum number_type type, double v)
{
	return (struct number){ .type = type,
				.real = type == NUMBER_FLOAT ? (double)(float)v : v };
}

bool number_add(struct number a, struct number b, struct number *ret)
{
	if (!align(&a, &b))
		return false;
	if (a.type >= NUMBER_FLOAT) {
		*ret = real_result(a.type, a.real + b.real);
		return true;
	}
	*ret = a;
	return !__builtin_add_overflow(a.m, b.m, &ret->m);
}

struct number number_negate(struct number n)
{
	n.m = -n.m;
	n.real = -n.real;
	return n;
}

bool number_subtract(struct number a, struct number b, struct number *ret)
{
	return number_add(a, number_negate(b), ret);
}

bool number_multiply(struct number a, struct number b, struct number *ret)
{
	enum number_type type = MAX(a.type, b.type);

	if (type >= NUMBER_FLOAT) {
		*ret = real_result(type, number_to_double(a) * number_to_double(b));
		return true;
	}
	*ret = (struct number){ .type = type, .scale = a.scale + b.scale };
	if (__builtin_mul_overflow(a.m, b.m, &ret->m))
		return false;
	for (; ret->scale > NUMBER_SCALE_MAX; ret->scale--)
		ret->m /= 10;
	return true;
}

bool number_divide(struct number a, struct number b, struct number *ret)
{
	enum number_type type = MAX(MAX(a.type, b.type), NUMBER_DECIMAL);

	if (type >= NUMBER_FLOAT) {
		*ret = real_result(type, number_to_double(a) / number_to_double(b));
		return true;
	}
	if (b.m == 0)
		return false;
	/* a / b with as many digits after the point as fit; exact ones are trimmed. */
	*ret = (struct number){ .type = type, .scale = a.scale - b.scale, .m = a.m };
	while (ret->scale < NUMBER_SCALE_MAX) {
		__int128 more;

		if (ret->scale >= 0 && ret->m % b.m == 0)
			break;
		if (__builtin_mul_overflow(ret->m, (__int128)10, &more))
			break;
		ret->m = more;
		ret->scale++;
	}
	ret->m /= b.m;
	for (; ret->scale > 0 && ret->m % 10 == 0; ret->scale--)
		ret->m /= 10;
	return ret->scale >= 0;
}

struct number number_round(struct number n, enum number_rounding how)
{
	if (n.type >= NUMBER_FLOAT) {
		n.real = how == ROUND_FLOOR  ? floor(n.real)
			 : how == ROUND_CEIL ? ceil(n.real)
					     : floor(n.real + 0.5);
		return n;
	}
	__int128 unit = power_of_ten(n.scale), whole = n.m / unit, rest = n.m % unit;

	if (rest < 0) { /* towards minus infinity, with 0 <= rest < unit */
		whole--;
		rest += unit;
	}
	if ((how == ROUND_CEIL && rest > 0) || (how == ROUND_HALF_UP && 2 * rest >= unit))
		whole++;
	n.m = whole;
	n.scale = 0;
	return n;
}

int number_compare(struct number a, struct number b)
{
	if (a.type <= NUMBER_DECIMAL && b.type <= NUMBER_DECIMAL && align(&a, &b))
		return (a.m > b.m) - (a.m < b.m);

	double x = number_to_double(a), y = number_to_double(b);

	if (isnan(x) || isnan(y))
		return 2;
	return (x > y) - (x < y);
}

bool number_is_true(struct number n)
{
	return n.type >= NUMBER_FLOAT ? n.real != 0 && !isnan(n.real) : n.m != 0;
}
