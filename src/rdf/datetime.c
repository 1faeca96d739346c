#include "rdf/datetime.h"

#include <stdio.h>

#define DAY_S 86400

/* The era algorithm: 400 years have 146097 days, and a year begins in March. */
int64_t days_from_date(int64_t year, unsigned month, unsigned day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t era = (y >= 0 ? y : y - 399) / 400;
	int64_t of_era = y - era * 400;
	int64_t of_year = (153 * (int64_t)(month > 2 ? month - 3 : month + 9) + 2) / 5 +
			  (int64_t)day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

void date_from_days(int64_t days, struct datetime *ret)
{
	int64_t z = days + 719468;
	int64_t era = (z >= 0 ? z : z - 146096) / 146097;
	int64_t doe = z - era * 146097;
	int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	int64_t mp = (5 * doy + 2) / 153;

	ret->day = (uint8_t)(doy - (153 * mp + 2) / 5 + 1);
	ret->month = (uint8_t)(mp < 10 ? mp + 3 : mp - 9);
	ret->year = (int)(yoe + era * 400 + (ret->month <= 2));
}

static bool take_fixed(struct str *s, unsigned n, unsigned max, uint8_t *ret)
{
	unsigned v = 0;

	if (s->n < n)
		return false;
	for (unsigned i = 0; i < n; i++) {
		if (!ascii_is_digit(s->p[i]))
			return false;
		v = v * 10 + (unsigned)(s->p[i] - '0');
	}
	*s = str_skip(*s, n);
	*ret = (uint8_t)v;
	return v <= max;
}

static unsigned days_of_month(int year, unsigned month)
{
	static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return month == 2 && leap ? 29 : days[month - 1];
}

static bool take_date(struct str *s, struct datetime *d)
{
	bool negative = str_take_char(s, '-');
	size_t before = s->n;
	uint64_t year;

	if (!str_take_uint(s, 999999999, &year) || before - s->n < 4 ||
	    !str_take_char(s, '-') || !take_fixed(s, 2, 12, &d->month) ||
	    !str_take_char(s, '-') || !take_fixed(s, 2, 31, &d->day))
		return false;
	d->year = negative ? -(int)year : (int)year;
	return d->month >= 1 && d->day >= 1 && d->day <= days_of_month(d->year, d->month);
}

static bool take_fraction(struct str *s, struct datetime *d)
{
	uint32_t unit = 100000000;

	if (!str_take_char(s, '.'))
		return true;
	if (s->n == 0 || !ascii_is_digit(s->p[0]))
		return false;
	for (; s->n && ascii_is_digit(s->p[0]); *s = str_skip(*s, 1)) {
		d->nanos += (uint32_t)(s->p[0] - '0') * unit;
		unit /= 10;
		d->digits = (uint8_t)MIN(d->digits + 1, 9);
	}
	return true;
}

static bool take_time(struct str *s, struct datetime *d)
{
	return take_fixed(s, 2, 24, &d->hour) && str_take_char(s, ':') &&
	       take_fixed(s, 2, 59, &d->minute) && str_take_char(s, ':') &&
	       take_fixed(s, 2, 59, &d->second) && take_fraction(s, d) &&
	       (d->hour < 24 || (d->minute == 0 && d->second == 0 && d->nanos == 0));
}

static bool take_zone(struct str *s, struct datetime *d)
{
	uint8_t hours, minutes;
	bool west;

	d->zone_min = ZONE_NONE;
	if (s->n == 0)
		return true;
	if (str_take_char(s, 'Z')) {
		d->zone_min = 0;
		d->zone_is_z = true;
		return true;
	}
	west = s->p[0] == '-';
	if (!west && s->p[0] != '+')
		return false;
	*s = str_skip(*s, 1);
	if (!take_fixed(s, 2, 14, &hours) || !str_take_char(s, ':') ||
	    !take_fixed(s, 2, 59, &minutes) || (hours == 14 && minutes > 0))
		return false;
	d->zone_min = (int16_t)(hours * 60 + minutes);
	if (west)
		d->zone_min = (int16_t)-d->zone_min;
	return true;
}

bool datetime_parse(struct str s, struct datetime *ret)
{
	struct datetime d = { 0 };

	s = str_trim(s);
	if (!take_date(&s, &d) || !str_take_char(&s, 'T') || !take_time(&s, &d) ||
	    !take_zone(&s, &d) || s.n)
		return false;
	if (d.hour == 24) {
		d.hour = 0;
		date_from_days(days_from_date(d.year, d.month, d.day) + 1, &d);
	}
	*ret = d;
	return true;
}

bool date_parse(struct str s, struct datetime *ret)
{
	struct datetime d = { 0 };

	s = str_trim(s);
	if (!take_date(&s, &d) || !take_zone(&s, &d) || s.n)
		return false;
	*ret = d;
	return true;
}

bool time_parse(struct str s, struct datetime *ret)
{
	struct datetime d = { .year = 1970, .month = 1, .day = 1 };

	s = str_trim(s);
	if (!take_time(&s, &d) || !take_zone(&s, &d) || s.n)
		return false;
	*ret = d;
	return true;
}

void zone_format(const struct datetime *d, struct buf *to)
{
	int m = d->zone_min < 0 ? -d->zone_min : d->zone_min;

	if (d->zone_min == ZONE_NONE)
		return;
	if (d->zone_is_z)
		buf_add_char(to, 'Z');
	else
		buf_addf(to, "%c%02d:%02d", d->zone_min < 0 ? '-' : '+', m / 60, m % 60);
}

static void format_day(const struct datetime *d, struct buf *to)
{
	buf_addf(to, "%s%04d-%02u-%02u", d->year < 0 ? "-" : "",
		 d->year < 0 ? -d->year : d->year, d->month, d->day);
}

void datetime_format(const struct datetime *d, struct buf *to)
{
	char fraction[16];

	format_day(d, to);
	buf_addf(to, "T%02u:%02u:%02u", d->hour, d->minute, d->second);
	if (d->digits) {
		snprintf(fraction, sizeof(fraction), "%09u", d->nanos);
		buf_addf(to, ".%.*s", d->digits, fraction);
	}
	zone_format(d, to);
}

void date_format(const struct datetime *d, struct buf *to)
{
	format_day(d, to);
	zone_format(d, to);
}

int64_t datetime_seconds(const struct datetime *d)
{
	int64_t s = days_from_date(d->year, d->month, d->day) * DAY_S + d->hour * 3600 +
		    d->minute * 60 + d->second;

	return d->zone_min == ZONE_NONE ? s : s - d->zone_min * 60;
}

int datetime_compare(const struct datetime *a, const struct datetime *b)
{
	int64_t x = datetime_seconds(a), y = datetime_seconds(b);
	bool mixed = (a->zone_min == ZONE_NONE) != (b->zone_min == ZONE_NONE);

	/* XSD 1.0 3.2.7.4: the missing zone may be any within 14 hours of UTC. */
	if (mixed && x - y <= 14 * 3600 && y - x <= 14 * 3600)
		return 2;
	if (x != y)
		return x < y ? -1 : 1;
	return (a->nanos > b->nanos) - (a->nanos < b->nanos);
}
