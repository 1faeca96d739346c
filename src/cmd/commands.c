#include "cmd/command.h"

#include <stdio.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/help.h"

/* clang-format off */ /* a line each, so that two new commands do not collide */
const struct command *const commands[] = {
	&cmd_crawl,
	&cmd_report,
	&cmd_simulate,
	&cmd_status,
	&cmd_why,
	&cmd_serve,
	&cmd_warc,
	&cmd_mirror,
	&cmd_dedup,
	&cmd_compare,
	&cmd_calibrate,
	&cmd_rules,
	&cmd_apps,
	&cmd_states,
	&cmd_testweb,
	&cmd_kb,
	&cmd_api,
	&cmd_man,
	&cmd_completion,
	NULL,
};
/* clang-format on */

/* The last word of "warc ls". */
static const char *own_name(const struct command *c)
{
	const char *space = strrchr(c->name, ' ');

	return space ? space + 1 : c->name;
}

static const struct command *nearest(const struct command *const *among, const char *word)
{
	const struct command *best = NULL;
	unsigned least = 3;

	for (; *among; among++) {
		unsigned d = edit_distance(str_from(own_name(*among)), str_from(word));

		if (d < least) {
			least = d;
			best = *among;
		}
	}
	return best;
}

static bool is_one_of(const struct command *const *among, const char *word)
{
	for (; *among; among++)
		if (strcmp(word, own_name(*among)) == 0)
			return true;
	return false;
}

static int run(const struct command *self, int argc, char **argv)
{
	/* A command of its own that has children too: what is no child's name is its own.
	 */
	if (!self->children ||
	    (self->run && !(argc > 1 && is_one_of(self->children, argv[1]))))
		return self->run(self, argc, argv);
	if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		help_print(self);
		return argc < 2 ? EXIT_USAGE : EXIT_FINE;
	}
	return command_dispatch(self->children, self->name, argc - 1, argv + 1);
}

int command_dispatch(const struct command *const *among, const char *parent, int argc,
		     char **argv)
{
	for (const struct command *const *c = among; *c; c++)
		if (strcmp(argv[0], own_name(*c)) == 0)
			return run(*c, argc, argv);

	const struct command *near = nearest(among, argv[0]);
	fprintf(stderr, "thresh%s%s: there is no command '%s'", *parent ? " " : "",
		parent, argv[0]);
	if (near)
		fprintf(stderr, "; did you mean '%s'?", near->name);
	fprintf(stderr, "\nTry 'thresh%s%s --help'.\n", *parent ? " " : "", parent);
	return EXIT_USAGE;
}
