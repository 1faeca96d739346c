/* robots_internal.h - between robots.c (reading) and robots_match.c (deciding). */
#ifndef WEB_ROBOTS_INTERNAL_H
#define WEB_ROBOTS_INTERNAL_H

#include "web/robots.h"

struct robots_rule {
	struct str pattern; /* canonical; '*' is any bytes; without a final '$' */
	uint32_t rank;      /* the octets of the rule: more are more specific */
	uint32_t line;
	bool allow;
	bool anchored;   /* had a '$' at its end */
	uint32_t parent; /* of a plain rule: see robots_match.c */
	uint32_t best;   /* likewise */
	uint64_t front;  /* likewise: the first eight bytes, as a number */
	uint64_t pairs;  /* of any other: the pairs of bytes a path must have */
};

/* Put the rules in the order of deciding and index them. */
void robots_compile(struct robots *r);
/*
 * The form in which patterns and paths are compared (RFC 9309 2.2.2): hex
 * digits in upper case, unreserved characters decoded, all others than printable
 * ASCII encoded.  In a path, '*' and '$' are encoded, too, as they are in a
 * pattern that means them literally.
 */
void robots_add_canonical(struct buf *b, struct str s, bool is_path);
#endif
