#include "base/date.h"

#define DAY_MS 86400000

static const char MONTHS[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
static const char DAYS[] = "ThuFriSatSunMonTueWed"; /* 1970-01-01 was a Thursday */

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Days since 1970-01-01; years begin in March, so that the leap day is last. */
static int64_t days_from_civil(int year, int month, int day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t era = floor_div(y, 400), yoe = y - era * 400;
	int64_t doy = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

struct civil civil_from_ms(int64_t ms)
{
	int64_t days = floor_div(ms, DAY_MS), rest = ms - days * DAY_MS;
	int64_t z = days + 719468, era = floor_div(z, 146097), doe = z - era * 146097;
	int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
	int month = (int)(mp < 10 ? mp + 3 : mp - 9);

	return (struct civil){
		.year = (int)(yoe + era * 400 + (month <= 2)),
		.month = month,
		.day = (int)(doy - (153 * mp + 2) / 5 + 1),
		.hour = (int)(rest / 3600000),
		.minute = (int)(rest / 60000 % 60),
		.second = (int)(rest / 1000 % 60),
		.ms = (int)(rest % 1000),
	};
}

int64_t civil_to_ms(struct civil c)
{
	return days_from_civil(c.year, c.month, c.day) * DAY_MS + c.hour * 3600000LL +
	       c.minute * 60000LL + c.second * 1000LL + c.ms;
}

bool civil_valid(struct civil c)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

	if (c.year < 1 || c.year > 9999 || c.month < 1 || c.month > 12 || c.day < 1)
		return false;
	bool leap = c.year % 4 == 0 && (c.year % 100 != 0 || c.year % 400 == 0);
	if (c.day > days[c.month - 1] + (leap && c.month == 2))
		return false;
	return c.hour >= 0 && c.hour < 24 && c.minute >= 0 && c.minute < 60 &&
	       c.second >= 0 && c.second < 60 && c.ms >= 0 && c.ms < 1000;
}

/* Number by number: every record of an archive has three dates, and printf() would take
 * as long for them as the digest of the record. */
static void add_number(struct buf *b, int v, unsigned width, struct str before)
{
	buf_add(b, before);
	if (v < 0)
		buf_addf(b, "%0*d", (int)width, v);
	else
		buf_add_padded(b, (uint64_t)v, width, '0');
}

static void add_date(struct buf *b, struct civil c, struct str dash, struct str t,
		     struct str colon)
{
	add_number(b, c.year, 4, STR(""));
	add_number(b, c.month, 2, dash);
	add_number(b, c.day, 2, dash);
	add_number(b, c.hour, 2, t);
	add_number(b, c.minute, 2, colon);
	add_number(b, c.second, 2, colon);
}

void buf_add_date_iso(struct buf *b, int64_t ms, bool with_ms)
{
	struct civil c = civil_from_ms(ms);

	add_date(b, c, STR("-"), STR("T"), STR(":"));
	if (with_ms)
		add_number(b, c.ms, 3, STR("."));
	buf_add_char(b, 'Z');
}

void buf_add_date_digits(struct buf *b, int64_t ms, bool with_ms)
{
	struct civil c = civil_from_ms(ms);

	add_date(b, c, STR(""), STR(""), STR(""));
	if (with_ms)
		add_number(b, c.ms, 3, STR(""));
}

void buf_add_date_http(struct buf *b, int64_t ms)
{
	struct civil c = civil_from_ms(ms);
	int64_t days = floor_div(ms, DAY_MS);

	buf_addf(b, "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT",
		 DAYS + 3 * (days - floor_div(days, 7) * 7), c.day,
		 MONTHS + 3 * (c.month - 1), c.year, c.hour, c.minute, c.second);
}

/* Exactly `width` digits. */
static bool take_fixed(struct str *s, size_t width, int *ret)
{
	struct str digits = str_slice(*s, 0, width);
	uint64_t v;

	if (digits.n < width || !str_to_uint(digits, 9999, &v))
		return false;
	*ret = (int)v;
	*s = str_skip(*s, width);
	return true;
}

static void take_fraction(struct str *s, int *ret_ms)
{
	int scale = 100;

	for (*ret_ms = 0; s->n && ascii_is_digit(s->p[0]); *s = str_skip(*s, 1)) {
		*ret_ms += (s->p[0] - '0') * scale;
		scale /= 10;
	}
}

static bool take_zone(struct str *s, int *ret_minutes)
{
	int hours, minutes, sign = s->n && s->p[0] == '-' ? -1 : 1;

	*ret_minutes = 0;
	if (str_take_char(s, 'Z') || str_take_char(s, 'z') || s->n == 0)
		return true;
	if (!str_take_char(s, '+') && !str_take_char(s, '-'))
		return false;
	if (!take_fixed(s, 2, &hours))
		return false;
	str_take_char(s, ':');
	if (!take_fixed(s, 2, &minutes) || hours > 23 || minutes > 59)
		return false;
	*ret_minutes = sign * (hours * 60 + minutes);
	return true;
}

bool date_parse_iso(struct str s, int64_t *ret_ms)
{
	struct civil c = { .month = 1, .day = 1 };
	int zone = 0;

	s = str_trim(s);
	if (!take_fixed(&s, 4, &c.year))
		return false;
	if (str_take_char(&s, '-')) {
		if (!take_fixed(&s, 2, &c.month))
			return false;
		if (str_take_char(&s, '-') && !take_fixed(&s, 2, &c.day))
			return false;
	}
	if (s.n) {
		if (!str_take_char(&s, 'T') && !str_take_char(&s, 't') &&
		    !str_take_char(&s, ' '))
			return false;
		if (!take_fixed(&s, 2, &c.hour) || !str_take_char(&s, ':') ||
		    !take_fixed(&s, 2, &c.minute))
			return false;
		if (str_take_char(&s, ':') && !take_fixed(&s, 2, &c.second))
			return false;
		if (str_take_char(&s, '.'))
			take_fraction(&s, &c.ms);
		if (!take_zone(&s, &zone))
			return false;
	}
	if (s.n || !civil_valid(c))
		return false;
	*ret_ms = civil_to_ms(c) - zone * 60000LL;
	return true;
}

bool date_parse_digits(struct str s, int64_t *ret_ms)
{
	struct civil c = { .month = 1, .day = 1 };
	int *const parts[] = { &c.month, &c.day, &c.hour, &c.minute, &c.second };

	if (!take_fixed(&s, 4, &c.year))
		return false;
	for (size_t i = 0; s.n && i < COUNT(parts); i++)
		if (!take_fixed(&s, 2, parts[i]))
			return false;
	if (s.n && !take_fixed(&s, 3, &c.ms))
		return false;
	if (s.n || !civil_valid(c))
		return false;
	*ret_ms = civil_to_ms(c);
	return true;
}

static bool take_month(struct str *s, int *ret)
{
	for (int m = 0; m < 12; m++)
		if (str_starts_nocase(*s, (struct str){ MONTHS + 3 * m, 3 })) {
			*ret = m + 1;
			*s = str_skip(*s, 3);
			while (s->n && ascii_is_alpha(s->p[0]))
				*s = str_skip(*s, 1);
			return true;
		}
	return false;
}

static void skip_separators(struct str *s)
{
	while (s->n && (s->p[0] == ' ' || s->p[0] == '-' || s->p[0] == ','))
		*s = str_skip(*s, 1);
}

static bool take_clock(struct str *s, struct civil *c)
{
	uint64_t h, m, sec = 0;

	if (!str_take_uint(s, 23, &h) || !str_take_char(s, ':') ||
	    !str_take_uint(s, 59, &m))
		return false;
	if (str_take_char(s, ':') && !str_take_uint(s, 60, &sec))
		return false;
	c->hour = (int)h;
	c->minute = (int)m;
	c->second = sec == 60 ? 59 : (int)sec;
	return true;
}

/* RFC 9110: a two-digit year more than 50 years ahead is in the past; 70 is the usual
 * pivot. */
static int full_year(uint64_t year)
{
	return (int)(year < 70 ? year + 2000 : year < 100 ? year + 1900 : year);
}

bool date_parse_http(struct str s, int64_t *ret_ms)
{
	struct civil c = { 0 };
	uint64_t day, year;
	int zone = 0;

	s = str_trim(s);
	while (s.n && ascii_is_alpha(s.p[0])) /* the day of the week says nothing new */
		s = str_skip(s, 1);
	skip_separators(&s);
	bool asctime = take_month(&s, &c.month);
	skip_separators(&s);
	if (!str_take_uint(&s, 31, &day))
		return false;
	skip_separators(&s);
	if (asctime) {
		if (!take_clock(&s, &c))
			return false;
		skip_separators(&s);
	} else if (!take_month(&s, &c.month)) {
		return false;
	}
	skip_separators(&s);
	if (!str_take_uint(&s, 9999, &year))
		return false;
	skip_separators(&s);
	if (!asctime && !take_clock(&s, &c))
		return false;
	s = str_trim(s);
	if (s.n && (s.p[0] == '+' || s.p[0] == '-') && !take_zone(&s, &zone))
		return false;
	c.day = (int)day;
	c.year = full_year(year);
	if (!civil_valid(c))
		return false;
	*ret_ms = civil_to_ms(c) - zone * 60000LL;
	return true;
}
