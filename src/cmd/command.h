/*
 * command.h - what a command is: a name, its words for people, its options,
 * and the function that runs it.
 *
 * Everything a person can read about a command (--help, the man page, shell
 * completion) is made from this struct, so it cannot disagree with the code.
 */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include "base/option.h"

/* What thresh answers to the shell; documented in every man page. */
enum exit_code {
	EXIT_FINE = 0,
	EXIT_FAILED = 1,  /* could not do what was asked */
	EXIT_USAGE = 2,   /* command line or settings are wrong; nothing was done */
	EXIT_PARTIAL = 3, /* done, but something failed or was skipped: it says what */
	EXIT_LIMIT = 4,   /* stopped at a limit that was asked for */
	EXIT_DISK_LOW =
		5, /* stopped before the disk was full; resume when there is room */
	EXIT_BLOCKED = 6,   /* the servers refused or rate-limited nearly everything */
	EXIT_DIFFERENT = 7, /* a comparison or check found a difference */
	EXIT_INTERRUPTED = 130, /* stopped by a signal; the state is intact, resume */
};

struct example {
	const char *line; /* without a prompt */
	const char *says;
};

struct command {
	const char *name;                      /* "crawl"; a child's is "warc ls" */
	const char *summary;                   /* one line, lower case, no full stop */
	const char *operands;                  /* "URL|FILE|DIR..." or "" */
	const char *about;                     /* a paragraph or more; NULL for none */
	const struct option_row *options;      /* NULL for none */
	const struct example *examples;        /* ended by a NULL line; NULL for none */
	const struct command *const *children; /* NULL-ended: this one only dispatches */
	int (*run)(const struct command *self, int argc, char **argv);
};

/* All commands in the order of --help; NULL-ended. */
extern const struct command *const commands[];

/* Run argv[0] as one of `among`; prints help or a suggestion where that fails. */
int command_dispatch(const struct command *const *among, const char *parent, int argc,
		     char **argv);
#endif
