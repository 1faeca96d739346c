#include "rdf/id.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rdf/datetime.h"

#define INTEGER_BIAS  ((int64_t)1 << 59)
#define DECIMAL_BITS  55
#define DOUBLE_BITS   45
#define EXPONENT_BIAS 256
#define ZONE_BITS     11
#define ZONE_CODE_Z   1
#define ZONE_CODE_MIN (2 + 840)                           /* the code of +00:00 */
#define SECONDS_1600  (-11676096000LL)                    /* 1600-01-01T00:00:00Z */
#define SECONDS_MAX   (((int64_t)1 << 35) + SECONDS_1600) /* in the year 2688 */
#define DAYS_YEAR_0   (-719468)

/* "0" or digits without a leading zero, fewer than `bits` bits. */
static bool take_digits(struct str *s, unsigned bits, uint64_t *ret)
{
	struct str digits = *s;

	if (!str_take_uint(s, ((uint64_t)1 << bits) - 1, ret))
		return false;
	return digits.p[0] != '0' || digits.n - s->n == 1;
}

static uint64_t from_integer(struct str s)
{
	bool negative = str_take_char(&s, '-');
	uint64_t v;

	if (!take_digits(&s, 59, &v) || s.n || (negative && v == 0))
		return ID_NONE;
	return id_from_integer(negative ? -(int64_t)v : (int64_t)v);
}

uint64_t id_from_integer(int64_t v)
{
	if (v < -INTEGER_BIAS || v >= INTEGER_BIAS)
		return ID_NONE;
	return id_make(TAG_INTEGER, (uint64_t)(v + INTEGER_BIAS));
}

/* Digits, a point, digits: the mantissa and how many stand after the point. */
static bool take_mantissa(struct str *s, unsigned bits, uint64_t *ret_m,
			  uint64_t *ret_scale)
{
	uint64_t m, scale = 0;

	if (!take_digits(s, bits, &m) || !str_take_char(s, '.'))
		return false;
	for (; s->n && ascii_is_digit(s->p[0]); *s = str_skip(*s, 1), scale++) {
		m = m * 10 + (uint64_t)(s->p[0] - '0');
		if (m >> bits)
			return false;
	}
	*ret_m = m;
	*ret_scale = scale;
	return scale >= 1 && scale <= 15;
}

static uint64_t from_decimal(struct str s)
{
	uint64_t negative = str_take_char(&s, '-'), m, scale;

	if (!take_mantissa(&s, DECIMAL_BITS, &m, &scale) || s.n)
		return ID_NONE;
	return id_make(TAG_DECIMAL, negative << 59 | m << 4 | scale);
}

static uint64_t from_double(struct str s)
{
	uint64_t negative = str_take_char(&s, '-'), m, scale, e, lower;

	if (!take_mantissa(&s, DOUBLE_BITS, &m, &scale) || s.n < 2)
		return ID_NONE;
	lower = s.p[0] == 'e';
	if (!lower && s.p[0] != 'E')
		return ID_NONE;
	s = str_skip(s, 1);
	bool minus = str_take_char(&s, '-');
	if (!take_digits(&s, 8, &e) || s.n || (minus && e == 0))
		return ID_NONE;
	e = minus ? EXPONENT_BIAS - e : EXPONENT_BIAS + e;
	return id_make(TAG_DOUBLE,
		       negative << 59 | m << 14 | scale << 10 | e << 1 | lower);
}

static uint64_t zone_code(const struct datetime *d)
{
	if (d->zone_min == ZONE_NONE)
		return 0;
	return d->zone_is_z ? ZONE_CODE_Z : (uint64_t)(ZONE_CODE_MIN + d->zone_min);
}

static void set_zone(struct datetime *d, uint64_t code)
{
	d->zone_is_z = code == ZONE_CODE_Z;
	d->zone_min = code == 0             ? (int16_t)ZONE_NONE
		      : code == ZONE_CODE_Z ? 0
					    : (int16_t)(code - ZONE_CODE_MIN);
}

static uint64_t from_datetime(struct str s)
{
	struct datetime d;

	/* 24:00:00 and -00:00 have another canonical form; the dictionary keeps them. */
	if (s.n < 19 || s.n > 29 || !ascii_is_digit(s.p[0]) || s.p[4] != '-' ||
	    (s.p[11] == '2' && s.p[12] == '4') || !datetime_parse(s, &d) ||
	    d.digits > 3 || str_ends(s, STR("-00:00")) || ascii_is_space(s.p[s.n - 1]))
		return ID_NONE;
	int64_t seconds = datetime_seconds(&d);
	if (seconds < SECONDS_1600 || seconds >= SECONDS_MAX)
		return ID_NONE;
	return id_make(TAG_DATETIME, (uint64_t)(seconds - SECONDS_1600) << 23 |
					     (uint64_t)(d.nanos / 1000000) << 13 |
					     (uint64_t)d.digits << 11 | zone_code(&d));
}

static uint64_t from_date(struct str s)
{
	struct datetime d;

	if (s.n < 10 || s.n > 16 || !ascii_is_digit(s.p[0]) || s.p[4] != '-' ||
	    !date_parse(s, &d) || str_ends(s, STR("-00:00")) || d.year < 1 ||
	    ascii_is_space(s.p[s.n - 1]))
		return ID_NONE;
	int64_t days = days_from_date(d.year, d.month, d.day) - DAYS_YEAR_0;
	return id_make(TAG_DATE, (uint64_t)days << ZONE_BITS | zone_code(&d));
}

static uint64_t from_string(struct str s)
{
	uint64_t bytes = 0;

	if (s.n > 7)
		return ID_NONE;
	for (size_t i = 0; i < 7; i++)
		bytes = bytes << 8 | (i < s.n ? (uint8_t)s.p[i] : 0);
	return id_make(TAG_STRING, bytes << 4 | s.n);
}

uint64_t id_from_literal(struct term t)
{
	struct str name = t.datatype;

	if (t.lang.n)
		return ID_NONE;
	if (name.n == 0)
		return from_string(t.text);
	if (!str_take_prefix(&name, STR(XSD)))
		return ID_NONE;
	if (str_eq(name, STR("integer")))
		return from_integer(t.text);
	if (str_eq(name, STR("decimal")))
		return from_decimal(t.text);
	if (str_eq(name, STR("double")))
		return from_double(t.text);
	if (str_eq(name, STR("dateTime")))
		return from_datetime(t.text);
	if (str_eq(name, STR("date")))
		return from_date(t.text);
	if (str_eq(name, STR("boolean"))) {
		bool yes = str_eq(t.text, STR("true"));

		return yes || str_eq(t.text, STR("false")) ? id_from_boolean(yes)
							   : ID_NONE;
	}
	return ID_NONE;
}

/* `m` with `scale` digits after the point. */
static int print_scaled(char *to, bool negative, uint64_t m, unsigned scale)
{
	uint64_t unit = 1;

	for (unsigned i = 0; i < scale; i++)
		unit *= 10;
	return snprintf(to, ID_TEXT_MAX, "%s%llu.%0*llu", negative ? "-" : "",
			(unsigned long long)(m / unit), (int)scale,
			(unsigned long long)(m % unit));
}

static int print_double(char *to, uint64_t v)
{
	int n = print_scaled(to, v >> 59, (v >> 14) & (((uint64_t)1 << DOUBLE_BITS) - 1),
			     (v >> 10) & 15);
	int e = (int)((v >> 1) & 511) - EXPONENT_BIAS;

	return n +
	       snprintf(to + n, ID_TEXT_MAX - (size_t)n, "%c%d", v & 1 ? 'e' : 'E', e);
}

static struct datetime unpack_datetime(uint64_t v)
{
	struct datetime d = { 0 };
	int64_t s = (int64_t)(v >> 23) + SECONDS_1600, days;

	set_zone(&d, v & 2047);
	if (d.zone_min != ZONE_NONE)
		s += d.zone_min * 60;
	days = (s >= 0 ? s : s - 86399) / 86400;
	s -= days * 86400;
	date_from_days(days, &d);
	d.hour = (uint8_t)(s / 3600);
	d.minute = (uint8_t)(s / 60 % 60);
	d.second = (uint8_t)(s % 60);
	d.nanos = (uint32_t)((v >> 13) & 1023) * 1000000;
	d.digits = (v >> 11) & 3;
	return d;
}

bool id_to_datetime(uint64_t id, struct datetime *ret)
{
	uint64_t v = id_payload(id);
	struct datetime d = { 0 };

	if (id_tag(id) == TAG_DATETIME) {
		*ret = unpack_datetime(v);
		return true;
	}
	if (id_tag(id) != TAG_DATE)
		return false;
	date_from_days((int64_t)(v >> ZONE_BITS) + DAYS_YEAR_0, &d);
	set_zone(&d, v & 2047);
	*ret = d;
	return true;
}

uint64_t id_datetime_near(uint64_t id, int64_t seconds)
{
	int64_t at = (int64_t)(id_payload(id) >> 23) + seconds,
		most = ((int64_t)1 << 35) - 1;

	return id_make(TAG_DATETIME, (uint64_t)MAX(0, MIN(at, most)) << 23);
}

static size_t print_date(char *to, uint64_t id)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct datetime d = { 0 };

	(void)!id_to_datetime(id, &d);
	if (id_tag(id) == TAG_DATETIME)
		datetime_format(&d, &b);
	else
		date_format(&d, &b);
	memcpy(to, b.p, MIN(b.n, (size_t)ID_TEXT_MAX));
	return b.n;
}

static struct term string_term(uint64_t v, char *text)
{
	size_t n = v & 15;

	for (size_t i = 0; i < 7; i++)
		text[i] = (char)(v >> (4 + 8 * (6 - i)));
	return term_string((struct str){ text, MIN(n, (size_t)7) });
}

struct term id_to_term(uint64_t id, char text[static ID_TEXT_MAX])
{
	uint64_t v = id_payload(id);
	struct term t = { .kind = TERM_LITERAL, .text = { text, 0 } };

	switch (id_tag(id)) {
	case TAG_STRING:
		return string_term(v, text);
	case TAG_INTEGER:
		t.text.n = (size_t)snprintf(text, ID_TEXT_MAX, "%lld",
					    (long long)id_to_integer(id));
		t.datatype = STR(XSD "integer");
		return t;
	case TAG_DECIMAL:
		t.text.n = (size_t)print_scaled(
			text, v >> 59, (v >> 4) & (((uint64_t)1 << DECIMAL_BITS) - 1),
			v & 15);
		t.datatype = STR(XSD "decimal");
		return t;
	case TAG_DOUBLE:
		t.text.n = (size_t)print_double(text, v);
		t.datatype = STR(XSD "double");
		return t;
	case TAG_BOOLEAN:
		t.text = v ? STR("true") : STR("false");
		t.datatype = STR(XSD "boolean");
		return t;
	case TAG_DATETIME:
	case TAG_DATE:
		t.text.n = print_date(text, id);
		t.datatype =
			id_tag(id) == TAG_DATE ? STR(XSD "date") : STR(XSD "dateTime");
		return t;
	case TAG_BLANK:
		t.kind = TERM_BLANK;
		t.text.n = (size_t)snprintf(text, ID_TEXT_MAX, "b%llu",
					    (unsigned long long)v);
		return t;
	case TAG_NONE:
	case TAG_IRI:
	case TAG_LITERAL:
	case TAG_LOCAL:
		break;
	}
	return (struct term){ 0 };
}

static double double_from_payload(uint64_t v)
{
	uint64_t m = (v >> 14) & (((uint64_t)1 << DOUBLE_BITS) - 1);
	int e = (int)((v >> 1) & 511) - EXPONENT_BIAS - (int)((v >> 10) & 15);
	static const double tens[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
				       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
				       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	double d;
	char text[ID_TEXT_MAX];

	/* Up to 10^22 both operands are exact, so the one operation rounds correctly. */
	if (e >= -22 && e <= 22) {
		d = e < 0 ? (double)m / tens[-e] : (double)m * tens[e];
		return v >> 59 ? -d : d;
	}
	print_double(text, v);
	return strtod(text, NULL);
}

bool id_to_number(uint64_t id, struct number *ret)
{
	uint64_t v = id_payload(id);

	switch (id_tag(id)) {
	case TAG_INTEGER:
		*ret = number_from_int(id_to_integer(id));
		return true;
	case TAG_DECIMAL:
		*ret = (struct number){
			.type = NUMBER_DECIMAL,
			.scale = (int)(v & 15),
			.m = (__int128)((v >> 4) & (((uint64_t)1 << DECIMAL_BITS) - 1))
		};
		if (v >> 59)
			ret->m = -ret->m;
		return true;
	case TAG_DOUBLE:
		*ret = number_from_double(double_from_payload(v));
		return true;
	default:
		return false;
	}
}
