/*
 * args.h - the command line against an option table.
 */
#ifndef CMD_ARGS_H
#define CMD_ARGS_H

#include "cmd/command.h"

/* What is left of the command line once the options are taken; owns all strings in the
 * settings. */
struct args {
	struct str *words;
	size_t n, cap;
	const struct option_row *
		*given; /* the options that were there, as often as they were */
	size_t given_n, given_cap;
	struct arena bytes;
};

#define ARGS_GO (-1) /* parsed: go on with the command */

/*
 * Put defaults and then argv[1..] into `settings`.  Returns ARGS_GO, or the
 * exit code when there is nothing more to do: --help was asked for and
 * printed, or the line is wrong and stderr says why and what was meant.
 */
int args_parse(const struct command *self, int argc, char **argv, void *settings,
	       struct args *ret);
void args_release(struct args *a);
#endif
