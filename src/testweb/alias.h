/*
 * alias.h - the same page under another URL: the families.
 *
 * A family is a bit in place.alias.  Some change the text of the URL only (the
 * body is equal byte for byte), some also change the page around the content.
 */
#ifndef TESTWEB_ALIAS_H
#define TESTWEB_ALIAS_H

#include "testweb/place.h"

enum alias {
	ALIAS_SESSION = 1 << 0,   /* sid=, PHPSESSID=, ;jsessionid= */
	ALIAS_TRACKING = 1 << 1,  /* utm_source=, fbclid=, gclid= ... */
	ALIAS_ORDER = 1 << 2,     /* parameters in another order (A.3) */
	ALIAS_OPTIONAL = 1 << 3,  /* a parameter with its default value */
	ALIAS_WWW = 1 << 4,       /* with or without www. */
	ALIAS_SCHEME = 1 << 5,    /* http or https */
	ALIAS_CASE = 1 << 6,      /* letters of the path in another case */
	ALIAS_SLASH = 1 << 7,     /* with or without the last slash */
	ALIAS_INDEX = 1 << 8,     /* index.html, index.php, default.aspx */
	ALIAS_PRINT = 1 << 9,     /* printer view */
	ALIAS_MOBILE = 1 << 10,   /* m. host */
	ALIAS_AMP = 1 << 11,      /* AMP view */
	ALIAS_DYNAMIC = 1 << 12,  /* friendly and dynamic form (A.1) */
	ALIAS_SLUG = 1 << 13,     /* words in the path that nobody reads (A.2) */
	ALIAS_FOLDER = 1 << 14,   /* folder of the domain and subdomain (A.4) */
	ALIAS_NEUTRAL = 1 << 15,  /* a parameter of any value (A.2) */
	ALIAS_POST = 1 << 16,     /* a post's own address for the topic that holds it */
	ALIAS_MARK = 1 << 17,     /* highlighted words, reply forms */
	ALIAS_ENCODED = 1 << 18,  /* needless percent-encoding, doubled slash */
	ALIAS_UNKNOWN = 1 << 19,  /* a parameter the server does not know */
	ALIAS_FRAGMENT = 1 << 20, /* #comments; never reaches the server */
	ALIAS_MIRROR = 1 << 21,   /* on the host of a mirror; never in place.alias */
};
#define ALIASES 22

/* Families that change the page around the content as well. */
#define ALIAS_VIEWS (ALIAS_PRINT | ALIAS_MOBILE | ALIAS_AMP | ALIAS_MARK)
/* Families that a server may answer by a redirect to the canonical URL. */
#define ALIAS_REDIRECTABLE                                                   \
	(ALIAS_WWW | ALIAS_SCHEME | ALIAS_CASE | ALIAS_SLASH | ALIAS_INDEX | \
	 ALIAS_FOLDER | ALIAS_DYNAMIC | ALIAS_SLUG)

extern const char *const alias_names[ALIASES]; /* by number of the bit */
#endif
