#include <time.h>

#include "base/date.h"
#include "base/rng.h"
#include "test.h"

static void agrees_with_the_c_library_for_ten_thousand_years(void)
{
	struct rng r = { 1 };

	for (int i = 0; i < 20000; i++) {
		int64_t ms = (int64_t)rng_below(&r, 9990ull * 31556952000) -
			     62135596800000 + 86400000ll * 366;
		time_t t = (time_t)(ms / 1000 - (ms % 1000 < 0));
		struct tm tm;
		struct civil c = civil_from_ms(ms);

		gmtime_r(&t, &tm);
		CHECK(c.year == tm.tm_year + 1900 && c.month == tm.tm_mon + 1);
		CHECK(c.day == tm.tm_mday && c.hour == tm.tm_hour);
		CHECK(c.second == tm.tm_sec && civil_to_ms(c) == ms);
	}
}

static void the_three_forms_are_written_and_read(void)
{
	int64_t ms = 1794710598123, back;
	cleanup(buf_release) struct buf b = { 0 };

	buf_add_date_iso(&b, ms, true);
	CHECK(str_eq(buf_str(&b), STR("2026-11-15T02:43:18.123Z")));
	CHECK(date_parse_iso(buf_str(&b), &back) && back == ms);
	buf_reset(&b);
	buf_add_date_digits(&b, ms, true);
	CHECK(str_eq(buf_str(&b), STR("20261115024318123")));
	CHECK(date_parse_digits(buf_str(&b), &back) && back == ms);
	buf_reset(&b);
	buf_add_date_http(&b, ms);
	CHECK(str_eq(buf_str(&b), STR("Sun, 15 Nov 2026 02:43:18 GMT")));
	CHECK(date_parse_http(buf_str(&b), &back) && back == ms - 123);
}

static void http_dates_are_read_as_servers_write_them(void)
{
	static const char *const same[] = {
		"Sun, 06 Nov 1994 08:49:37 GMT",   "Sunday, 06-Nov-94 08:49:37 GMT",
		"Sun Nov  6 08:49:37 1994",        "Sun, 6 Nov 1994 08:49:37 GMT",
		"Sun, 06-Nov-1994 08:49:37 GMT",   "06 Nov 1994 08:49:37",
		"Sun, 06 Nov 1994 09:49:37 +0100",
	};
	int64_t ms;

	for (size_t i = 0; i < COUNT(same); i++)
		CHECK(date_parse_http(str_from(same[i]), &ms) && ms == 784111777000);
	CHECK(!date_parse_http(STR("soon"), &ms) && !date_parse_http(STR("0"), &ms));
	CHECK(!date_parse_http(STR("Sun, 31 Feb 1994 08:49:37 GMT"), &ms));
}

static void offsets_and_short_forms_of_w3c_dates(void)
{
	int64_t ms;

	CHECK(date_parse_iso(STR("1970-01-01"), &ms) && ms == 0);
	CHECK(date_parse_iso(STR("1970"), &ms) && ms == 0);
	CHECK(date_parse_iso(STR("1970-01-01T01:30+01:30"), &ms) && ms == 0);
	CHECK(date_parse_iso(STR("1969-12-31T23:00:00-0100"), &ms) && ms == 0);
	CHECK(!date_parse_iso(STR("2023-02-29"), &ms));
	CHECK(!date_parse_iso(STR("2024-02-29T25:00"), &ms));
	CHECK(!date_parse_iso(STR("1970-01-01x"), &ms));
	CHECK(date_parse_digits(STR("2024"), &ms) &&
	      !date_parse_digits(STR("20241"), &ms));
}

int main(void)
{
	RUN(agrees_with_the_c_library_for_ten_thousand_years);
	RUN(the_three_forms_are_written_and_read);
	RUN(http_dates_are_read_as_servers_write_them);
	RUN(offsets_and_short_forms_of_w3c_dates);
	DONE();
}
