/*
 * app_files.h - objects.jsonl and apps.jsonl: what the descriptions of applications took
 * out of pages, and one line per page of a known application.
 *
 * Each line begins with the number of the page in the crawl and the WARC record that it
 * was read from: {"page":12,"record":"urn:uuid:...",...}.  Numbers ascend, so that a
 * crawl that is resumed can cut off what its last commit does not cover.  A file is made
 * when it has a first line.  The writer's thread.
 */
#ifndef WRITER_APP_FILES_H
#define WRITER_APP_FILES_H

#include "os/sync.h"
#include "pipeline/item.h"

enum app_file { APP_FILE_OBJECTS, APP_FILE_PAGES, APP_FILES };

struct app_files {
	struct file v[APP_FILES];
	struct buf pending[APP_FILES];
	bool is_open[APP_FILES];
	char *dir;
};

/* Lines of pages beyond `committed` are cut off. */
must_use enum status app_files_open(struct app_files *f, const char *dir,
				    uint64_t committed, struct diag *why);
/* The lines of an item that is number `page`; `record` is empty without an archive. */
must_use enum status app_files_add(struct app_files *f, const struct crawl_item *i,
				   uint64_t page, struct str record, struct diag *why);
/* Written, and in `later` what has to be waited for. */
must_use enum status app_files_commit(struct app_files *f, struct sync_set *later,
				      struct diag *why);
void app_files_release(struct app_files *f);
/* How many bytes of `text` are whole lines of pages up to `committed`. */
size_t app_lines_until(struct str text, uint64_t committed);
#endif
