/*
 * percent.h - percent-encoding, and the byte classes of the URL standard.
 */
#ifndef URL_PERCENT_H
#define URL_PERCENT_H

#include "base/buf.h"

/* What the classes say of a byte; several may hold. */
enum url_class {
	CLASS_CONTROL = 1 << 0, /* in the C0 control percent-encode set */
	CLASS_FRAGMENT = 1 << 1,
	CLASS_QUERY = 1 << 2,
	CLASS_SPECIAL_QUERY = 1 << 3,
	CLASS_PATH = 1 << 4,
	CLASS_USERINFO = 1 << 5,
	CLASS_BAD_HOST = 1 << 6,    /* forbidden host code points */
	CLASS_BAD_DOMAIN = 1 << 7,  /* forbidden domain code points */
	CLASS_UNRESERVED = 1 << 8,  /* RFC 3986 2.3: A-Z a-z 0-9 - . _ ~ */
	CLASS_HOST_PLAIN = 1 << 9,  /* a-z 0-9 - . _: a host of these alone is normal */
	CLASS_SCHEME = 1 << 10,     /* A-Z a-z 0-9 + - . */
	CLASS_SUB_DELIMS = 1 << 11, /* RFC 3986 2.2: ! $ & ' ( ) * + , ; = */
};

extern const uint16_t url_class[256];

static inline bool has_class(char c, unsigned classes)
{
	return (url_class[(uint8_t)c] & classes) != 0;
}

/* Copy `s`; bytes of `set` (a CLASS_ value) become %XX. */
void buf_add_encoded(struct buf *b, struct str s, unsigned set);
void buf_add_percent(struct buf *b, char c);
/* Copy `s`; %XX become bytes; a '%' without two hex digits stays. */
void buf_add_decoded(struct buf *b, struct str s);
/* The byte that %XX at the front of `s` stands for, or -1. */
int percent_value(struct str s);
#endif
