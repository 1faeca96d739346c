/*
 * date.h - points in time as text, without locale or time zone database.
 *
 * Time is int64_t milliseconds since 1970-01-01T00:00:00Z, named `_ms`.
 * The proleptic Gregorian calendar; years 0001 to 9999.
 */
#ifndef BASE_DATE_H
#define BASE_DATE_H

#include "base/buf.h"

struct civil {
	int year, month, day, hour, minute, second, ms; /* month and day from 1 */
};

struct civil civil_from_ms(int64_t ms);
int64_t civil_to_ms(struct civil c);
/* True for a day that exists and a time of day, 24:00 and leap seconds excluded. */
bool civil_valid(struct civil c);

/* 2026-11-15T02:43:18Z, with .123 when `with_ms`. */
void buf_add_date_iso(struct buf *b, int64_t ms, bool with_ms);
/* 20261115024318; 17 digits when `with_ms`. */
void buf_add_date_digits(struct buf *b, int64_t ms, bool with_ms);
/* Sun, 15 Nov 2026 02:43:18 GMT */
void buf_add_date_http(struct buf *b, int64_t ms);

/* RFC 3339 / W3C-DTF: a date, optionally time, fraction and Z or offset. */
bool date_parse_iso(struct str s, int64_t *ret_ms);
/* 4 to 17 digits, what is missing counts as the earliest. */
bool date_parse_digits(struct str s, int64_t *ret_ms);
/* RFC 9110 5.6.7: the three forms, and the common deviations (dashes, two-digit years,
 * zones). */
bool date_parse_http(struct str s, int64_t *ret_ms);
#endif
