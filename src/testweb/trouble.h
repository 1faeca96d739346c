/*
 * trouble.h - the ways in which servers fail.
 *
 * A trouble strikes three ways.  Passing: the first tries of a page fail, a
 * later one works, so a page that must be kept stays obtainable.  Lasting but
 * harmless: the page comes, in a strange form.  For good: under /trouble/NAME/,
 * pages that never work and that nobody must keep.
 */
#ifndef TESTWEB_TROUBLE_H
#define TESTWEB_TROUBLE_H

#include "testweb/world.h"

enum trouble {
	TROUBLE_LATENCY,   /* hosts with log-normal delays; some with a long tail */
	TROUBLE_429,       /* too many requests, with every form of Retry-After */
	TROUBLE_5XX,       /* bursts of 500, 502, 503 */
	TROUBLE_RESET,     /* connection reset before or within the answer */
	TROUBLE_TRUNCATED, /* closed before Content-Length bytes came */
	TROUBLE_OVERLONG,  /* more bytes than Content-Length, then closed */
	TROUBLE_LENGTH,    /* Content-Length that is no number, or twice */
	TROUBLE_CHUNKS,    /* broken chunked coding */
	TROUBLE_HEADERS,   /* headers without end */
	TROUBLE_BODY,      /* a body without end */
	TROUBLE_DRIP,      /* a few bytes at a time */
	TROUBLE_BOMB,      /* small gzip, br or zstd, huge page */
	TROUBLE_CHARSET,   /* bytes in another charset than the one declared */
	TROUBLE_HTML,      /* markup that no validator likes */
	TROUBLE_ROBOTS,    /* robots.txt that fails */
	TROUBLE_401,       /* asks for a password */
	TROUBLE_COOKIES,   /* nothing without the cookie it sets */
	TROUBLES
};
extern const char *const trouble_names[TROUBLES];

/* What a page suffers; TROUBLES for nothing. */
struct affliction {
	uint8_t trouble; /* enum trouble */
	uint8_t tries;   /* how many tries fail; 255: it lasts, but the page comes */
	uint32_t form;   /* which of its forms */
};
struct affliction trouble_of(const struct world *w, const struct place *p);

/* The forms of Retry-After and what each asks for. */
struct retry_form {
	const char *name;
	int64_t wait_ms; /* what a client has to wait; 0 when nothing can be understood */
};
#define RETRY_FORMS 10
extern const struct retry_form retry_forms[RETRY_FORMS];
/* The value of the field, or false when this form has no such field. */
bool retry_after_write(unsigned form, int64_t now_ms, struct buf *to);
#endif
