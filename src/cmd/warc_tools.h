/* warc_tools.h - what the files of 'thresh warc' share. */
#ifndef CMD_WARC_TOOLS_H
#define CMD_WARC_TOOLS_H

#include "cmd/command.h"
#include "warc/warc_read.h"

#define TYPE_WORDS                                                            \
	"all|warcinfo|response|request|metadata|revisit|resource|conversion|" \
	"continuation"

extern const struct command cmd_warc_cat; /* warc_cat.c */
extern const struct command cmd_warc_check, cmd_warc_index, cmd_warc_wacz;

/* Say what went wrong, and return `code`. */
int warc_complain(const struct command *self, const struct diag *why, int code);
/* `type` as the option counts: 0 for all, else 1 + enum warc_type; no URL is any. */
bool warc_is_wanted(const struct warc_record *rec, int type, struct str url);
#endif
