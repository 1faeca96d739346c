/*
 * id.h - a term in 64 bits: four bits of tag, sixty of payload.
 *
 * Small values live in the payload, when their lexical form can be made again
 * from it to the byte; so within one store two ids are equal exactly when their
 * terms are.  Integers, date-times, dates and short strings compare as
 * their payloads do.  The values go to disk and never change.
 */
#ifndef RDF_ID_H
#define RDF_ID_H

#include "rdf/datetime.h"
#include "rdf/number.h"

#define ID_NONE         ((uint64_t)0) /* unbound; as a graph, the default graph */
#define ID_PAYLOAD_BITS 60
#define ID_PAYLOAD_MASK (((uint64_t)1 << ID_PAYLOAD_BITS) - 1)

enum id_tag {
	TAG_NONE,
	TAG_IRI,     /* number in the dictionary */
	TAG_BLANK,   /* its own number, in no dictionary */
	TAG_LITERAL, /* number in the dictionary */
	TAG_STRING,  /* seven bytes, length in the lowest four bits */
	TAG_INTEGER, /* value + 2^59 */
	TAG_DECIMAL, /* sign, 55 bits of digits, 4 bits of scale */
	TAG_DOUBLE,  /* sign, 45 bits of digits, scale, exponent, E or e */
	TAG_BOOLEAN,
	TAG_DATETIME, /* UTC seconds since 1600, milliseconds, digits, zone */
	TAG_DATE,     /* days since 0000-03-01, zone */
	TAG_LOCAL,    /* a term that only one query knows */
};

static inline enum id_tag id_tag(uint64_t id)
{
	return (enum id_tag)(id >> ID_PAYLOAD_BITS);
}
static inline uint64_t id_payload(uint64_t id)
{
	return id & ID_PAYLOAD_MASK;
}
static inline uint64_t id_make(enum id_tag tag, uint64_t payload)
{
	return (uint64_t)tag << ID_PAYLOAD_BITS | payload;
}
static inline bool id_is_inline(uint64_t id)
{
	return id_tag(id) >= TAG_STRING && id_tag(id) <= TAG_DATE;
}
static inline bool id_in_dictionary(uint64_t id)
{
	return id_tag(id) == TAG_IRI || id_tag(id) == TAG_LITERAL;
}

/* The inline id of a literal; ID_NONE when it needs the dictionary. */
uint64_t id_from_literal(struct term t);
/* An integer as xsd:integer, ID_NONE outside of ±2^59. */
uint64_t id_from_integer(int64_t v);
static inline uint64_t id_from_boolean(bool v)
{
	return id_make(TAG_BOOLEAN, v);
}

#define ID_TEXT_MAX 64
/* The term of an inline id or a blank node; its text is put into `text`. */
struct term id_to_term(uint64_t id, char text[static ID_TEXT_MAX]);
/* The number of an inline integer, decimal or double. */
bool id_to_number(uint64_t id, struct number *ret);
/* The parts of an inline date-time or date. */
bool id_to_datetime(uint64_t id, struct datetime *ret);
/* True for an inline date-time with a zone: two such compare as id_time_key() does. */
static inline bool id_has_zone(uint64_t id)
{
	return id_tag(id) == TAG_DATETIME && (id & 2047) != 0;
}
/* UTC milliseconds, biased. */
static inline uint64_t id_time_key(uint64_t id)
{
	return id_payload(id) >> 13;
}
/* The smallest inline date-time at `seconds` from the time of `id`, within the range. */
uint64_t id_datetime_near(uint64_t id, int64_t seconds);
static inline int64_t id_to_integer(uint64_t id)
{
	return (int64_t)id_payload(id) - ((int64_t)1 << 59);
}
#endif
