/* warc_tools.h - what the files of 'thresh warc' share. */
#ifndef CMD_WARC_TOOLS_H
#define CMD_WARC_TOOLS_H

#include "cmd/command.h"
#include "cmd/warc_files.h"
#include "warc/warc_read.h"

#define TYPE_WORDS                                                            \
	"all|warcinfo|response|request|metadata|revisit|resource|conversion|" \
	"continuation"

extern const struct command cmd_warc_cat; /* warc_cat.c */
extern const struct command cmd_warc_check, cmd_warc_index;
extern const struct command cmd_warc_wacz;   /* warc_wacz.c */
extern const struct command cmd_warc_replay; /* warc_replay.c */

/* Say what went wrong, and return `code`. */
int warc_complain(const struct command *self, const struct diag *why, int code);
/* `type` as the option counts: 0 for all, else 1 + enum warc_type; no URL is any. */
bool warc_is_wanted(const struct warc_record *rec, int type, struct str url);
/* A folder for what is only needed while we run. */
must_use enum status warc_make_scratch(char *path, size_t n, struct diag *why);
struct str warc_base_name(const char *path);
/*
 * The index of all files, sorted, in the file `to`.  A damaged file is complained of and
 * does not keep the others out of it: *ret_partial.
 */
must_use enum status warc_index_all(const struct command *self,
				    const struct warc_files *files, const char *scratch,
				    const char *to, bool *ret_partial, struct diag *why);
#endif
