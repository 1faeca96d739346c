/*
 * warc_files.h - the WARC files that a command line names.
 */
#ifndef CMD_WARC_FILES_H
#define CMD_WARC_FILES_H

#include "cmd/args.h"

/* Paths as C strings; live as long as the arena of the args. */
struct warc_files {
	const char **v;
	size_t n, cap;
};

/*
 * Files as they are; of a folder the files named *.warc, .warc.gz, .warc.zst, also
 * with ".open" behind; of a crawl's folder those in its archive/.  ST_NOT_FOUND when
 * a name is nothing, or a folder holds none.
 */
must_use enum status warc_files_find(struct warc_files *ret, struct args *args,
				     struct diag *why);
void warc_files_release(struct warc_files *f);
#endif
