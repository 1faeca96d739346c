/* completion.h - commands, options and their values as a script that the shell sources.
 */
#ifndef CMD_COMPLETION_H
#define CMD_COMPLETION_H

#include "cmd/command.h"

/* For bash (also when `shell` is empty), zsh or fish; false for others. */
bool completion_print(struct str shell);
#endif
