#include "cmd/completion.h"

#include <stdio.h>

/* "ls" of "warc ls". */
static const char *last_word(const char *name)
{
	const char *last = name;

	for (const char *c = name; *c; c++)
		if (*c == ' ')
			last = c + 1;
	return last;
}

static void put_words(const struct command *const *list)
{
	for (; list && *list; list++)
		printf("%s%s", last_word((*list)->name), list[1] ? " " : "");
}

static void put_options(const struct command *self)
{
	for (const struct option_row *r = self->options; r && r->name; r++)
		printf("--%s ", r->name);
	printf("--help");
}

/* The words of a choice, "a|b|c", with blanks between them. */
static void put_choice(const char *words)
{
	for (; *words; words++)
		putchar(*words == '|' ? ' ' : *words);
}

typedef void command_fn(const struct command *self);

static void for_each(const struct command *const *list, command_fn *visit)
{
	for (; list && *list; list++) {
		visit(*list);
		for_each((*list)->children, visit);
	}
}

/* --- bash and zsh: the same tables, other words around them --- */

static void put_child_key(const struct command *self)
{
	if (last_word(self->name) != self->name)
		printf("\t\t'%s') key='%s' ;;\n", self->name, self->name);
}

static void put_values(const struct command *self)
{
	for (const struct option_row *r = self->options; r && r->name; r++) {
		if (r->type != OPTION_CHOICE || !r->words)
			continue;
		printf("\t'%s --%s'", self->name, r->name);
		if (r->letter)
			printf("|'%s -%c'", self->name, r->letter);
		printf(") values='");
		put_choice(r->words);
		printf("' ;;\n");
	}
}

static void put_case(const struct command *self)
{
	printf("\t'%s') options='", self->name);
	put_options(self);
	printf("' children='");
	put_words(self->children);
	printf("' ;;\n");
}

static void put_tables(void)
{
	printf("\tcase $key\" \"$second in\n");
	for_each(commands, put_child_key);
	printf("\tesac\n\tcase $key\" \"$previous in\n");
	for_each(commands, put_values);
	printf("\tesac\n\tcase $key in\n");
	for_each(commands, put_case);
	printf("\tesac\n");
}

static void print_bash(void)
{
	printf("# bash completion for thresh: source it, or put it where bash looks.\n"
	       "_thresh() {\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} key=${COMP_WORDS[1]} second='' "
	       "previous='' words='' values='' options='' children=''\n"
	       "\tCOMPREPLY=()\n"
	       "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\twords='");
	put_words(commands);
	printf("'\n\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\")); return\n\tfi\n"
	       "\tprevious=${COMP_WORDS[COMP_CWORD-1]}\n"
	       "\t[ \"$COMP_CWORD\" -gt 2 ] && second=${COMP_WORDS[2]}\n");
	put_tables();
	printf("\tif [ -n \"$values\" ]; then words=$values\n"
	       "\telif [[ $cur == -* ]]; then words=$options\n"
	       "\telif [ \"$COMP_CWORD\" -eq 2 ]; then words=\"$children\"\n\tfi\n"
	       "\t[ -n \"$words\" ] && COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
	       "\t[ ${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- \"$cur\"))\n"
	       "\treturn 0\n}\ncomplete -o filenames -F _thresh thresh\n");
}

static void print_zsh(void)
{
	printf("#compdef thresh\n"
	       "# zsh completion for thresh: put it in a folder of $fpath as _thresh.\n"
	       "_thresh() {\n"
	       "\tlocal cur=$words[CURRENT] key=$words[2] second='' previous='' "
	       "values='' options='' children=''\n"
	       "\tif (( CURRENT == 2 )); then\n\t\tcompadd -- ");
	put_words(commands);
	printf("\n\t\treturn\n\tfi\n"
	       "\tprevious=$words[CURRENT-1]\n"
	       "\t(( CURRENT > 3 )) && second=$words[3]\n");
	put_tables();
	printf("\tif [[ -n $values ]]; then compadd -- ${=values}\n"
	       "\telif [[ $cur == -* ]]; then compadd -- ${=options}\n"
	       "\telif (( CURRENT == 3 )) && [[ -n $children ]]; then compadd -- "
	       "${=children}\n"
	       "\telse _files\n\tfi\n}\n"
	       "if [[ $funcstack[1] == _thresh ]]; then _thresh \"$@\"; else compdef "
	       "_thresh "
	       "thresh; fi\n");
}

/* --- fish: a line a word --- */

/* Within single quotes. */
static void put_quoted(const char *text)
{
	for (; *text; text++)
		printf(*text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
}

/* "-n" and the condition that all words of the command were typed. */
static void put_condition(const char *name)
{
	printf("complete -c thresh -n '__fish_seen_subcommand_from ");
	for (; *name; name++)
		if (*name == ' ')
			printf("; and __fish_seen_subcommand_from ");
		else
			putchar(*name);
	printf("'");
}

static void put_fish_option(const struct command *self, const struct option_row *r)
{
	put_condition(self->name);
	printf(" -l %s", r->name);
	if (r->letter)
		printf(" -s %c", r->letter);
	if (r->type == OPTION_CHOICE && r->words) {
		printf(" -x -a '");
		put_choice(r->words);
		printf("'");
	} else if (r->type != OPTION_FLAG) {
		printf(" -r");
	}
	printf(" -d '");
	put_quoted(r->help);
	printf("'\n");
}

static void put_fish_command(const struct command *self)
{
	for (const struct command *const *c = self->children; c && *c; c++) {
		put_condition(self->name);
		printf(" -a %s -d '", last_word((*c)->name));
		put_quoted((*c)->summary);
		printf("'\n");
	}
	for (const struct option_row *r = self->options; r && r->name; r++)
		put_fish_option(self, r);
}

static void print_fish(void)
{
	printf("# fish completion for thresh: put it in ~/.config/fish/completions.\n");
	for (const struct command *const *c = commands; *c; c++) {
		printf("complete -c thresh -f -n __fish_use_subcommand -a %s -d '",
		       (*c)->name);
		put_quoted((*c)->summary);
		printf("'\n");
	}
	for_each(commands, put_fish_command);
}

bool completion_print(struct str shell)
{
	if (shell.n == 0 || str_eq(shell, STR("bash")))
		print_bash();
	else if (str_eq(shell, STR("zsh")))
		print_zsh();
	else if (str_eq(shell, STR("fish")))
		print_fish();
	else
		return false;
	return true;
}
