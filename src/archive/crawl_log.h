/*
 * crawl_log.h - a line of crawl.log in Heritrix's twelve columns.
 *
 * Space-separated; a dash where there is nothing.  Existing tools read it, so the
 * columns and the negative codes are theirs (record/fetch.h).
 */
#ifndef ARCHIVE_CRAWL_LOG_H
#define ARCHIVE_CRAWL_LOG_H

#include "base/buf.h"
#include "record/fetch.h"

struct crawl_log_entry {
	const struct fetch_result *result;
	int64_t now_ms;              /* when the line is written */
	struct str mime;             /* empty: unknown */
	unsigned thread;             /* the worker that had it */
	const uint8_t *payload_sha1; /* NULL: none */
	struct str annotations;      /* joined by commas: "duplicate:digest,lenTrunc" */
};

void crawl_log_add(struct buf *to, const struct crawl_log_entry *entry);
#endif
