#include "cmd/man.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Text in roff: backslashes and leading dots mean something there, dashes are minus
 * signs. */
static void put(const char *text)
{
	for (bool line_start = true; *text; line_start = *text++ == '\n') {
		if (line_start && (*text == '.' || *text == '\''))
			fputs("\\&", stdout);
		if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '-')
			fputs("\\-", stdout);
		else
			putchar(*text);
	}
}

static void title(const char *name)
{
	printf(".TH \"THRESH");
	for (; name && *name; name++)
		putchar(*name == ' ' ? '-' : toupper((unsigned char)*name));
	printf("\" 1 \"\" \"thresh %s\" \"User Commands\"\n", THRESH_VERSION);
}

static void put_option(const struct option_row *row)
{
	printf(".TP\n.B ");
	if (row->letter)
		printf("\\-%c, ", row->letter);
	fputs("\\-\\-", stdout);
	put(row->name);
	if (row->type == OPTION_CHOICE)
		printf(" %s", row->words);
	else if (row->type != OPTION_FLAG)
		printf(" \\fI%s\\fR", row->value ? row->value : "VALUE");
	printf("\n");
	put(row->help);
	if (row->standard && row->type == OPTION_FLAG &&
	    strcmp(row->standard, "yes") == 0) {
		printf(" (on; \\-\\-no\\-");
		put(row->name);
		printf(" turns it off)");
	} else if (row->standard && row->type != OPTION_FLAG) {
		printf(" (default: ");
		put(row->standard);
		printf(")");
	}
	printf(".\n");
}

static void put_exit_codes(void)
{
	printf(".SH EXIT STATUS\n"
	       ".TP\n.B 0\nAll done.\n"
	       ".TP\n.B 1\nCould not do what was asked; standard error says why.\n"
	       ".TP\n.B 2\nCommand line or settings are wrong; nothing was done.\n"
	       ".TP\n.B 3\nDone, but something failed or was skipped; it says what.\n"
	       ".TP\n.B 4\nStopped at a limit that was asked for.\n"
	       ".TP\n.B 5\nStopped because the disk is nearly full; resume later.\n"
	       ".TP\n.B 6\nThe servers refused or rate\\-limited nearly everything.\n"
	       ".TP\n.B 7\nA comparison or a check found a difference.\n"
	       ".TP\n.B 130\nStopped by a signal; run again to resume.\n");
}

static void put_examples(const struct example *e)
{
	if (!e)
		return;
	printf(".SH EXAMPLES\n");
	for (; e->line; e++) {
		printf(".TP\n.B ");
		put(e->line);
		printf("\n");
		put(e->says);
		printf("\n");
	}
}

static void put_children(const struct command *const *list)
{
	printf(".SH COMMANDS\n");
	for (; *list; list++) {
		printf(".TP\n.B ");
		put((*list)->name);
		printf("\n");
		put((*list)->summary);
		printf("\n");
	}
}

static void put_body(const struct command *self)
{
	put(self->about ? self->about : self->summary);
	printf("\n");
	if (self->options)
		printf(".SH OPTIONS\n");
	for (const struct option_row *r = self->options; r && r->name; r++)
		put_option(r);
	if (self->children)
		put_children(self->children);
	for (const struct command *const *c = self->children; c && *c; c++) {
		printf(".SH THRESH %s\n.B thresh ", (*c)->name);
		put((*c)->name);
		printf(" \\fR%s\n", (*c)->operands);
		if ((*c)->about) {
			printf(".PP\n");
			put((*c)->about);
			printf("\n");
		}
		for (const struct option_row *r = (*c)->options; r && r->name; r++)
			put_option(r);
	}
	put_examples(self->examples);
}

void man_print(const struct command *self)
{
	char dashed[64];

	snprintf(dashed, sizeof(dashed), "-%s", self->name);
	title(dashed);
	printf(".SH NAME\nthresh\\-%s \\- ", self->name);
	put(self->summary);
	printf("\n.SH SYNOPSIS\n.B thresh %s\n%s%s\n.SH DESCRIPTION\n", self->name,
	       self->options ? "[OPTIONS] " : "",
	       self->children && !self->run ? "COMMAND ..." : self->operands);
	put_body(self);
	put_exit_codes();
	printf(".SH SEE ALSO\n.BR thresh (1)\n");
}

void man_print_all(void)
{
	title(NULL);
	printf(".SH NAME\nthresh \\- web crawler and near\\-duplicate toolkit\n"
	       ".SH SYNOPSIS\n.B thresh\nCOMMAND ...\n.SH DESCRIPTION\n"
	       "Thresh spends requests, bytes and disk only on what is new, and can "
	       "show why for every URL.\n");
	put_children(commands);
	put_exit_codes();
}
