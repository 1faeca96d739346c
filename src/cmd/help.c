#include "cmd/help.h"

#include <stdio.h>
#include <string.h>

#define NAME_WIDTH 27
#define TEXT_WIDTH 78

/* `text` from column NAME_WIDTH on, broken at spaces. */
static void print_wrapped(const char *text, int indent)
{
	int column = indent;

	while (*text) {
		int n = (int)strcspn(text, " ");

		if (column > indent && column + 1 + n > TEXT_WIDTH) {
			printf("\n%*s", indent, "");
			column = indent;
		}
		column += printf("%s%.*s", column > indent ? " " : "", n, text);
		text += n;
		text += strspn(text, " ");
	}
	printf("\n");
}

static void print_option(const struct option_row *row)
{
	char name[96], text[512];
	const char *value = row->type == OPTION_FLAG     ? ""
			    : row->type == OPTION_CHOICE ? row->words
			    : row->value                 ? row->value
							 : "VALUE";
	/* A flag that is on can be turned off: both names in one. */
	bool on = row->type == OPTION_FLAG && row->standard &&
		  strcmp(row->standard, "yes") == 0;

	snprintf(name, sizeof(name), "  %c%c%s --%s%s%s%s", row->letter ? '-' : ' ',
		 row->letter ? row->letter : ' ', row->letter ? "," : " ",
		 on ? "[no-]" : "", row->name, *value ? " " : "", value);
	bool say_default = row->standard && (row->type != OPTION_FLAG || on);
	snprintf(text, sizeof(text), "%s%s%s%s", row->help, say_default ? " [" : "",
		 say_default ? row->standard : "", say_default ? "]" : "");
	if ((int)strlen(name) >= NAME_WIDTH)
		printf("%s\n%*s", name, NAME_WIDTH, "");
	else
		printf("%-*s", NAME_WIDTH, name);
	print_wrapped(text, NAME_WIDTH);
}

static void print_children(const struct command *const *list)
{
	for (; *list; list++)
		printf("  %-16s %s\n", (*list)->name, (*list)->summary);
}

static void print_about(const char *about)
{
	if (!about)
		return;
	while (*about) {
		int n = (int)strcspn(about, "\n");
		char line[2048];

		snprintf(line, sizeof(line), "%.*s", n, about);
		print_wrapped(line, 0);
		about += n;
		about += *about == '\n';
	}
	printf("\n");
}

void help_print(const struct command *self)
{
	printf("thresh %s - %s\n\n", self->name, self->summary);
	if (self->children && !self->run) {
		printf("Usage: thresh %s COMMAND ...\n\n", self->name);
		print_about(self->about);
		printf("Commands:\n");
		print_children(self->children);
		printf("\n'thresh %s COMMAND --help' shows its options.\n", self->name);
		return;
	}
	printf("Usage: thresh %s%s%s%s\n\n", self->name,
	       self->options ? " [OPTIONS]" : "", *self->operands ? " " : "",
	       self->operands);
	print_about(self->about);
	if (self->options) {
		printf("Options:\n");
		for (const struct option_row *row = self->options; row->name; row++)
			print_option(row);
	}
	if (self->children) {
		printf("\nCommands:\n");
		print_children(self->children);
	}
	if (self->examples)
		printf("%sExamples:\n", self->options ? "\n" : "");
	for (const struct example *e = self->examples; e && e->line; e++)
		printf("  %s\n      %s\n", e->line, e->says);
}

void help_print_all(void)
{
	printf("thresh %s - a web crawler that fetches only what is new\n\n"
	       "Usage: thresh COMMAND ...\n\nCommands:\n",
	       THRESH_VERSION);
	print_children(commands);
	printf("\n'thresh COMMAND --help' shows its options; 'thresh --version' the "
	       "version.\n");
}
