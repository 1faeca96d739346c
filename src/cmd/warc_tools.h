/* warc_tools.h - the children of 'thresh warc' that live in warc_tools.c. */
#ifndef CMD_WARC_TOOLS_H
#define CMD_WARC_TOOLS_H

#include "cmd/command.h"

extern const struct command cmd_warc_check, cmd_warc_index, cmd_warc_wacz;
#endif
