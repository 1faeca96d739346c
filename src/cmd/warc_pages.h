/*
 * warc_pages.h - the list of pages that a WACZ file shows, from WARC files that
 * came without one.
 */
#ifndef CMD_WARC_PAGES_H
#define CMD_WARC_PAGES_H

#include "cmd/warc_files.h"

/*
 * pages.jsonl at `path`: every HTML page that was answered with 200, with its title,
 * in the order of the files.  Reading a file ends at its first damage.
 */
must_use enum status warc_pages_write(const struct warc_files *files, const char *path,
				      struct diag *why);
#endif
