#include "rdf/datetime.h"
#include "rdf/id.h"
#include "test.h"

static bool round_trips(const char *text, const char *datatype, bool is_inline)
{
	char bytes[ID_TEXT_MAX];
	struct term t = term_typed(str_from(text), str_from(datatype));
	uint64_t id = id_from_literal(t);

	if (!is_inline)
		return id == ID_NONE;
	return id != ID_NONE && term_eq(id_to_term(id, bytes), t);
}

static void values_come_back_to_the_byte(void)
{
	static const struct {
		const char *text, *type;
		bool is_inline;
	} rows[] = {
		{ "0", XSD "integer", true },
		{ "-17", XSD "integer", true },
		{ "576460752303423487", XSD "integer", true },
		{ "576460752303423488", XSD "integer", false },
		{ "01", XSD "integer", false },
		{ "+1", XSD "integer", false },
		{ "-0", XSD "integer", false },
		{ "1.50", XSD "decimal", true },
		{ "-0.0", XSD "decimal", true },
		{ "1.", XSD "decimal", false },
		{ ".5", XSD "decimal", false },
		{ "00.5", XSD "decimal", false },
		{ "1.0E6", XSD "double", true },
		{ "1.5e-300", XSD "double", false },
		{ "2.25e-20", XSD "double", true },
		{ "1E6", XSD "double", false },
		{ "1.0E+6", XSD "double", false },
		{ "INF", XSD "double", false },
		{ "true", XSD "boolean", true },
		{ "1", XSD "boolean", false },
		{ "2026-11-15T02:43:18Z", XSD "dateTime", true },
		{ "2026-11-15T02:43:18.120+05:30", XSD "dateTime", true },
		{ "1999-12-31T23:59:59", XSD "dateTime", true },
		{ "1601-01-01T00:00:00-14:00", XSD "dateTime", true },
		{ "2026-11-15T24:00:00Z", XSD "dateTime", false },
		{ "2026-11-15T02:43:18-00:00", XSD "dateTime", false },
		{ "2026-02-30T02:43:18Z", XSD "dateTime", false },
		{ "2026-11-15", XSD "date", true },
		{ "0999-01-01+02:00", XSD "date", true },
		{ "", XSD "string", true },
		{ "seven b", XSD "string", true },
		{ "eight by", XSD "string", false },
		{ "1", XSD "int", false },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		bool ok = round_trips(rows[i].text, rows[i].type, rows[i].is_inline);

		if (!ok)
			printf("# %s %s\n", rows[i].text, rows[i].type);
		CHECK(ok);
	}
}

static void ids_of_a_type_order_as_their_values(void)
{
	uint64_t a = id_from_integer(-5), b = id_from_integer(3);
	uint64_t c = id_from_literal(
		term_typed(STR("2026-01-01T00:00:00+02:00"), STR(XSD "dateTime")));
	uint64_t d = id_from_literal(
		term_typed(STR("2025-12-31T23:00:00Z"), STR(XSD "dateTime")));

	CHECK(a < b && c < d);
	CHECK(id_from_literal(term_string(STR("abc"))) <
	      id_from_literal(term_string(STR("abd"))));
}

static void numbers_are_read_from_ids(void)
{
	struct number n;

	CHECK(id_to_number(id_from_literal(term_typed(STR("-2.50"), STR(XSD "decimal"))),
			   &n));
	CHECK(number_to_double(n) == -2.5 && n.type == NUMBER_DECIMAL);
	CHECK(id_to_number(id_from_literal(term_typed(STR("1.1E0"), STR(XSD "double"))),
			   &n));
	CHECK(n.real == 1.1);
	CHECK(id_to_number(id_from_literal(term_typed(STR("1.5e200"), STR(XSD "double"))),
			   &n));
	CHECK(n.real == 1.5e200);
}

static void keys_come_back_as_terms(void)
{
	struct term terms[] = {
		term_iri(STR("http://a/")),
		term_string(STR("a long enough string")),
		term_lang(STR("chat"), STR("fr")),
		term_typed(STR("x"), STR("http://a/type")),
	};

	for (size_t i = 0; i < COUNT(terms); i++) {
		cleanup(buf_release) struct buf key = { 0 };
		struct term back;

		term_to_key(terms[i], &key);
		CHECK(term_from_key(buf_str(&key), &back) && term_eq(back, terms[i]));
	}
	struct term none;
	CHECK(!term_from_key(STR(""), &none) && !term_from_key(STR("Lfr"), &none));
}

static void a_zone_on_one_side_leaves_the_order_open(void)
{
	struct datetime a, b, c;

	CHECK(datetime_parse(STR("2026-01-01T12:00:00Z"), &a));
	CHECK(datetime_parse(STR("2026-01-01T13:00:00"), &b));
	CHECK(datetime_parse(STR("2026-01-03T13:00:00"), &c));
	CHECK(datetime_compare(&a, &b) == 2 && datetime_compare(&a, &c) == -1);
}

int main(void)
{
	RUN(values_come_back_to_the_byte);
	RUN(ids_of_a_type_order_as_their_values);
	RUN(numbers_are_read_from_ids);
	RUN(keys_come_back_as_terms);
	RUN(a_zone_on_one_side_leaves_the_order_open);
	DONE();
}
