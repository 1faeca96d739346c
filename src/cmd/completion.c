#include "cmd/completion.h"

#include <stdio.h>

static void put_words(const struct command *const *list)
{
	for (; *list; list++) {
		const char *last = (*list)->name;

		for (const char *c = last; *c; c++)
			if (*c == ' ')
				last = c + 1;
		printf("%s%s", last, list[1] ? " " : "");
	}
}

static void put_options(const struct command *self)
{
	for (const struct option_row *r = self->options; r && r->name; r++)
		printf("--%s ", r->name);
	printf("--help");
}

static void put_case(const struct command *self)
{
	printf("\t'%s') words='", self->name);
	put_options(self);
	if (self->children) {
		printf(" ");
		put_words(self->children);
	}
	printf("' ;;\n");
	for (const struct command *const *c = self->children; c && *c; c++)
		put_case(*c);
}

void completion_print_bash(void)
{
	printf("# bash completion for thresh: source it, or put it where bash looks.\n"
	       "_thresh() {\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} key=${COMP_WORDS[1]} words=''\n"
	       "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\twords='");
	put_words(commands);
	printf("'\n\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\")); return\n\tfi\n"
	       "\tif [ \"$COMP_CWORD\" -gt 2 ]; then\n"
	       "\t\tcase \"$key ${COMP_WORDS[2]}\" in\n");
	for (const struct command *const *c = commands; *c; c++)
		for (const struct command *const *k = (*c)->children; k && *k; k++)
			printf("\t\t'%s') key='%s' ;;\n", (*k)->name, (*k)->name);
	printf("\t\tesac\n\tfi\n\tcase $key in\n");
	for (const struct command *const *c = commands; *c; c++)
		put_case(*c);
	printf("\tesac\n"
	       "\tif [[ $cur == -* || -n $words && $COMP_CWORD -eq 2 ]]; then\n"
	       "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n\tfi\n"
	       "\t[ ${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- \"$cur\"))\n"
	       "}\ncomplete -o filenames -F _thresh thresh\n");
}
