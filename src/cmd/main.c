#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/help.h"
#include "os/limits.h"
#include "os/terminal_stream.h"

int main(int argc, char **argv)
{
	const char *first = argc > 1 ? argv[1] : "";

	limits_raise_files();
	terminal_filter_streams();
	if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0 ||
	    strcmp(first, "version") == 0) {
		printf("thresh %s\n", THRESH_VERSION);
		return EXIT_FINE;
	}
	if (argc < 2 || strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 ||
	    strcmp(first, "help") == 0) {
		if (argc == 3)
			return command_dispatch(
				commands, "", 2,
				(char *[]){ argv[2], (char[]){ "--help" }, NULL });
		help_print_all();
		return argc < 2 ? EXIT_USAGE : EXIT_FINE;
	}
	return command_dispatch(commands, "", argc - 1, argv + 1);
}
