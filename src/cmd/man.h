/* man.h - a command as a manual page. */
#ifndef CMD_MAN_H
#define CMD_MAN_H

#include "cmd/command.h"

/* The page thresh-NAME(1), in mdoc-free man(7) macros, on stdout. */
void man_print(const struct command *self);
/* The page thresh(1). */
void man_print_all(void);
#endif
