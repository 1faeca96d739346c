/* completion.h - the commands and options as a script that the shell sources. */
#ifndef CMD_COMPLETION_H
#define CMD_COMPLETION_H

#include "cmd/command.h"

void completion_print_bash(void);
#endif
