/*
 * mime.h - what kind of thing a body is: the MIME Sniffing standard, and the
 * few kinds that a crawler treats differently.  Pure; any thread.
 */
#ifndef WEB_MIME_H
#define WEB_MIME_H

#include "base/str.h"

/* The standard looks at no more. */
#define MIME_SNIFF_BYTES 1445

/*
 * The computed type (essence only) of `body` whose Content-Type field was
 * `declared` (empty when there was none); `no_sniff` as X-Content-Type-Options
 * says.  A slice of `declared` or a static string.
 */
struct str mime_sniff(struct str declared, bool no_sniff, struct str body);

enum mime_kind {
	MIME_OTHER = 0,
	MIME_HTML, /* and XHTML */
	MIME_XML,  /* and what ends in +xml */
	MIME_FEED, /* RSS, Atom, JSON feeds */
	MIME_TEXT,
	MIME_JSON,
	MIME_SCRIPT,
	MIME_STYLE,
	MIME_IMAGE,
	MIME_AUDIO,
	MIME_VIDEO,
	MIME_FONT,
	MIME_PDF,
	MIME_ARCHIVE,
	MIME_DOCUMENT, /* office files, EPUB, PostScript */
};

/* By the essence, in any case. */
enum mime_kind mime_kind(struct str essence);
#endif
