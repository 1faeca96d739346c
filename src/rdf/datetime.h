/*
 * datetime.h - xsd:dateTime and xsd:date as parts and as points on the time line.
 */
#ifndef RDF_DATETIME_H
#define RDF_DATETIME_H

#include "rdf/term.h"

#define ZONE_NONE INT16_MIN /* no time zone was written */

struct datetime {
	int year;
	uint8_t month, day, hour, minute, second;
	uint8_t digits;   /* how many digits of `nanos` were written, 0 to 9 */
	uint32_t nanos;   /* fraction of the second */
	int16_t zone_min; /* minutes east of UTC, or ZONE_NONE */
	bool zone_is_z;   /* written as Z, not as an offset */
};

/* The lexical forms; years of up to nine digits; 24:00:00 is the next day. */
bool datetime_parse(struct str s, struct datetime *ret);
bool date_parse(struct str s, struct datetime *ret);
/* Only the time of day is set. */
bool time_parse(struct str s, struct datetime *ret);
void datetime_format(const struct datetime *d, struct buf *to);
void date_format(const struct datetime *d, struct buf *to);
void zone_format(const struct datetime *d, struct buf *to);

/* Days since 1970-01-01 in the proleptic Gregorian calendar. */
int64_t days_from_date(int64_t year, unsigned month, unsigned day);
void date_from_days(int64_t days, struct datetime *ret);
/* Seconds since 1970-01-01T00:00:00Z; a missing zone counts as UTC. */
int64_t datetime_seconds(const struct datetime *d);

/*
 * -1, 0, 1 as XSD orders them; 2 where the order is not determined (a zone on
 * one side only, less than 14 hours apart).
 */
int datetime_compare(const struct datetime *a, const struct datetime *b);
#endif
