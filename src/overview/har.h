/*
 * har.h - the traffic of a crawl as one HAR 1.2 file, for tools that read no WARC.
 *
 * Made from DIR/archive after the crawl, so what a kill cost the one it cost the other.
 * A body that is not text is base64; one that was met before at its URL is left out (the
 * WARC has a revisit there), and so are bodies above HAR_BODY_MAX; `comment` says so.
 */
#ifndef OVERVIEW_HAR_H
#define OVERVIEW_HAR_H

#include "base/buf.h"

#define HAR_BODY_MAX ((size_t)4 << 20)

/* DIR/overview/traffic.har; without an archive it has no entries. */
must_use enum status har_write(const char *dir, struct diag *why);
/* The bytes of one WARC file, appended as entries, separated by commas; for tests. */
must_use enum status har_add_warc(struct str warc, struct buf *to, struct diag *why);
#endif
