/*
 * charset.h - bytes of a page to UTF-8: which encoding they are in (labels, byte
 * order mark, meta prescan, and guessing last), and the conversion, which never
 * fails: what cannot be read becomes U+FFFD.  By the Encoding and the HTML
 * standard.  Pure; any thread (libc's converters are opened a call).
 */
#ifndef WEB_CHARSET_H
#define WEB_CHARSET_H

#include "base/buf.h"

struct charset; /* one of a fixed table: compare pointers */

/* By any label of the standard ("latin1", " UTF8 "); NULL when it is none. */
const struct charset *charset_find(struct str label);
const char *charset_name(const struct charset *c);
const struct charset *charset_utf8(void);

/* How an encoding became known, from the most to the least reliable. */
enum charset_source {
	CHARSET_FROM_BOM,
	CHARSET_FROM_HTTP,
	CHARSET_FROM_META, /* or an XML declaration */
	CHARSET_FROM_UTF8, /* nobody said, but it is valid UTF-8 */
	CHARSET_FROM_GUESS,
	CHARSET_FROM_DEFAULT, /* windows-1252 */
};

/* By the byte order mark at the front, whose length is given; NULL without one. */
const struct charset *charset_from_bom(struct str body, size_t *ret_n);
/* HTML's "prescan a byte stream" over the first kilobyte; NULL when it finds none. */
const struct charset *charset_prescan(struct str body);
/* The encoding of an XML declaration; NULL without one. */
const struct charset *charset_from_xml(struct str body);
/*
 * All of it in its order.  `label` is the charset of the Content-Type field, or
 * empty.  `ret_source` may be NULL.
 */
const struct charset *charset_detect(struct str body, struct str label,
				     enum charset_source *ret_source);

/*
 * Append `body` as well-formed UTF-8, without its byte order mark.  Stops at the
 * limit of `to` (see buf_status()); then what was added is still well-formed.
 */
void charset_to_utf8(const struct charset *c, struct str body, struct buf *to);
/*
 * The other way, for the query of links in pages of other encodings: what the
 * encoding has not becomes "&#N;", as browsers send it.
 */
void charset_from_utf8(const struct charset *c, struct str text, struct buf *to);
/*
 * A link as browsers send it from a page in encoding `c`: what is not ASCII in
 * its query is percent-encoded in that encoding (the URL standard's "percent-
 * encode after encoding").  False, and nothing added, when the link is to be
 * used as it is.  For http and https links; `link` is UTF-8.
 */
bool charset_encode_query(const struct charset *c, struct str link, struct buf *to);
#endif
