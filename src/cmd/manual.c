#include <stdio.h>

#include "cmd/args.h"
#include "cmd/commands.h"
#include "cmd/completion.h"
#include "cmd/man.h"

static const struct command *find(struct str name)
{
	for (const struct command *const *c = commands; *c; c++)
		if (str_eq(str_from((*c)->name), name))
			return *c;
	return NULL;
}

static int run_man(const struct command *self, int argc, char **argv)
{
	cleanup(args_release) struct args args = { 0 };
	int code = args_parse(self, argc, argv, NULL, &args);

	if (code != ARGS_GO)
		return code;
	if (args.n == 0) {
		man_print_all();
		return EXIT_FINE;
	}
	const struct command *asked = find(args.words[0]);
	if (!asked) {
		fprintf(stderr, "thresh man: there is no command '" STR_FMT "'\n",
			STR_ARG(args.words[0]));
		return EXIT_USAGE;
	}
	man_print(asked);
	return EXIT_FINE;
}

static int run_completion(const struct command *self, int argc, char **argv)
{
	cleanup(args_release) struct args args = { 0 };
	int code = args_parse(self, argc, argv, NULL, &args);

	if (code != ARGS_GO)
		return code;
	if (completion_print(args.n ? args.words[0] : STR("")))
		return EXIT_FINE;
	fprintf(stderr, "thresh completion: knows bash, zsh and fish\n");
	return EXIT_USAGE;
}

static const struct example man_examples[] = {
	{ "thresh man crawl | man -l -", "read the manual of 'thresh crawl'" },
	{ NULL, NULL },
};

const struct command cmd_man = {
	.name = "man",
	.summary = "print the manual page of a command",
	.operands = "[COMMAND]",
	.about = "The page is made from the same tables as --help.",
	.examples = man_examples,
	.run = run_man,
};

static const struct example completion_examples[] = {
	{ "source <(thresh completion)", "complete commands and options in this bash" },
	{ "thresh completion fish > ~/.config/fish/completions/thresh.fish",
	  "and in every fish" },
	{ NULL, NULL },
};

const struct command cmd_completion = {
	.name = "completion",
	.summary = "print the completion script for bash, zsh or fish",
	.operands = "[bash|zsh|fish]",
	.examples = completion_examples,
	.run = run_completion,
};
