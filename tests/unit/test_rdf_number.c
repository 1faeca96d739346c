#include "rdf/iri.h"
#include "rdf/number.h"
#include "test.h"

static struct number num(const char *text)
{
	struct number n = { 0 };
	struct str s = str_from(text);

	if (str_find_char(s, 'e') != STR_NONE)
		(void)!number_parse_double(s, NUMBER_DOUBLE, &n);
	else if (str_find_char(s, '.') != STR_NONE)
		(void)!number_parse_decimal(s, &n);
	else
		(void)!number_parse_integer(s, &n);
	return n;
}

static bool is(struct number n, const char *text)
{
	cleanup(buf_release) struct buf b = { 0 };

	number_format(n, &b);
	if (!str_eq(buf_str(&b), str_from(text)))
		printf("# %s, not %s\n", buf_cstr(&b), text);
	return str_eq(buf_str(&b), str_from(text));
}

static void canonical_forms(void)
{
	CHECK(is(num("007"), "7") && is(num("-0.50"), "-0.5") && is(num("3.0"), "3.0"));
	CHECK(is(num("1e6"), "1.0E6") && is(num("1.25e-3"), "1.25E-3"));
	CHECK(is(num("0.1e0"), "1.0E-1"));
	CHECK(is(num(".05"), "0.05"));
}

static void the_wider_type_wins(void)
{
	struct number r;

	CHECK(number_add(num("1"), num("2"), &r) && is(r, "3"));
	CHECK(number_add(num("1"), num("0.5"), &r) && is(r, "1.5"));
	CHECK(number_multiply(num("2"), num("1.5e0"), &r) && is(r, "3.0E0"));
	CHECK(number_divide(num("1"), num("4"), &r) && is(r, "0.25"));
	CHECK(number_divide(num("6"), num("3"), &r) && is(r, "2.0"));
	CHECK(number_divide(num("1"), num("3"), &r) && is(r, "0.333333333333333333"));
	CHECK(!number_divide(num("1"), num("0"), &r));
	CHECK(number_divide(num("1e0"), num("0"), &r) && is(r, "INF"));
	CHECK(number_subtract(num("0.3"), num("0.1"), &r) && is(r, "0.2"));
}

static void rounding_goes_up_at_the_half(void)
{
	CHECK(is(number_round(num("-2.5"), ROUND_HALF_UP), "-2.0"));
	CHECK(is(number_round(num("2.5"), ROUND_HALF_UP), "3.0"));
	CHECK(is(number_round(num("-1.1"), ROUND_FLOOR), "-2.0"));
	CHECK(is(number_round(num("-1.6e0"), ROUND_CEIL), "-1.0E0"));
}

static void overflow_is_an_error(void)
{
	struct number big = num("170141183460469231731687303715884105727"), r;

	CHECK(!number_add(big, num("1"), &r));
	CHECK(!number_multiply(big, num("2"), &r));
}

static void values_out_of_the_types_range_are_none(void)
{
	struct number n;

	CHECK(number_from_term(term_typed(STR("127"), STR(XSD "byte")), &n));
	CHECK(!number_from_term(term_typed(STR("128"), STR(XSD "byte")), &n));
	CHECK(!number_from_term(term_typed(STR("x"), STR(XSD "integer")), &n));
	CHECK(!number_from_term(term_typed(STR("0x10"), STR(XSD "double")), &n));
	CHECK(number_from_term(term_typed(STR("-INF"), STR(XSD "float")), &n));
}

static void references_resolve_as_rfc_3986_says(void)
{
	static const char *const rows[][2] = {
		{ "g", "http://a/b/c/g" },      { "./g", "http://a/b/c/g" },
		{ "/g", "http://a/g" },         { "//g", "http://g" },
		{ "?y", "http://a/b/c/d;p?y" }, { "g?y#s", "http://a/b/c/g?y#s" },
		{ "", "http://a/b/c/d;p?q" },   { "../../../g", "http://a/g" },
		{ "..", "http://a/b/" },        { "g;x=1/../y", "http://a/b/c/y" },
		{ "mailto:x@y", "mailto:x@y" }, { "#s", "http://a/b/c/d;p?q#s" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		cleanup(buf_release) struct buf b = { 0 };

		iri_resolve(STR("http://a/b/c/d;p?q"), str_from(rows[i][0]), &b);
		CHECK(str_eq(buf_str(&b), str_from(rows[i][1])));
	}
}

int main(void)
{
	RUN(canonical_forms);
	RUN(the_wider_type_wins);
	RUN(rounding_goes_up_at_the_half);
	RUN(overflow_is_an_error);
	RUN(values_out_of_the_types_range_are_none);
	RUN(references_resolve_as_rfc_3986_says);
	DONE();
}
