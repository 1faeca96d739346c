/*
 * wacz.h - a crawl in one file that a browser can replay (WACZ 1.1.1).
 *
 *   archive/NAME.warc.gz   indexes/index.cdx.gz   indexes/index.idx
 *   pages/pages.jsonl   datapackage.json   datapackage-digest.json
 *
 * All entries stored; the index in gzip members of 300 lines, which index.idx
 * finds; sha256 of every entry in datapackage.json, and of that in the digest.
 */
#ifndef ARCHIVE_WACZ_H
#define ARCHIVE_WACZ_H

#include "archive/zip.h"

struct wacz_options {
	const char *path;         /* of the result; replaced at once when it is whole */
	const char *const *warcs; /* paths */
	size_t warc_count;
	const char *index;             /* sorted CDXJ */
	const char *pages;             /* pages.jsonl; NULL: only the header line */
	const char *log;               /* crawl.log; NULL: none */
	struct str title, description; /* empty: none */
	struct str main_url;           /* where to begin; empty: none */
	int64_t now_ms;
};

must_use enum status wacz_write(const struct wacz_options *o, struct diag *why);
#endif
