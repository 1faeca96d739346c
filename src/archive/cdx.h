/*
 * cdx.h - index lines: URL key, time, and where the record stands (CDXJ).
 *
 *   org,example)/page 20261115031530 {"url": "https://example.org/page", "mime":
 *   "text/html", "status": "200", "digest": "sha1:...", "length": "1234",
 *   "offset": "5678", "filename": "x.warc.gz"}
 *
 * Byte for byte what the field's indexer (cdxj-indexer) writes, so that its files
 * and ours can be merged.  The key is the one of the Wayback Machine, which is
 * coarser than a SURT: no "www.", no session ids, lower case, sorted query.
 */
#ifndef ARCHIVE_CDX_H
#define ARCHIVE_CDX_H

#include "base/buf.h"
#include "record/fetch.h"

/* The key of a URL. */
void cdx_add_key(struct buf *to, struct str url);

struct cdx_entry {
	struct str url;
	struct str date; /* as in WARC-Date */
	struct str mime; /* empty: left out, as the next two */
	struct str status;
	struct str digest; /* with "sha1:" */
};

/* The line up to the place of the record. */
void cdx_add_head(struct buf *to, const struct cdx_entry *entry);
/* The rest of it, with the end of the line. */
void cdx_add_place(struct buf *to, uint64_t length, uint64_t offset, struct str filename);
/* The head for an answer just received; `payload_sha1` may be NULL. */
void cdx_add_capture(struct buf *to, const struct fetch_result *r, bool revisit,
		     const uint8_t *payload_sha1);
/* "text/html" of "text/html; charset=x", as the index has it. */
struct str cdx_mime(struct str content_type);
#endif
