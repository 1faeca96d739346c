/* help.h - a command as text for the terminal. */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "cmd/command.h"

/* Usage, what it does, options with defaults, examples; on stdout. */
void help_print(const struct command *self);
/* All commands, a line each. */
void help_print_all(void);
#endif
