/* charset_internal.h - the table behind charset.h. */
#ifndef WEB_CHARSET_INTERNAL_H
#define WEB_CHARSET_INTERNAL_H

#include "web/charset.h"

enum charset_kind {
	CHARSET_UTF8,
	CHARSET_SINGLE, /* one byte a character */
	CHARSET_MULTI,
	CHARSET_STATEFUL,    /* ISO-2022-JP, whose escapes switch between sets */
	CHARSET_WIDE,        /* UTF-16 */
	CHARSET_REPLACEMENT, /* unsafe ones, of which nothing is read */
	CHARSET_USER_DEFINED,
};

struct charset {
	const char *name;  /* as the standard has it */
	const char *iconv; /* NULL where we do it ourselves */
	enum charset_kind kind;
	const char *labels; /* between spaces, lower case */
};

/* UTF-8 is the first, windows-1252 the second. */
extern const struct charset charsets[];
extern const size_t charsets_n;
#endif
