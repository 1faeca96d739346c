#include "cmd/args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cmd/help.h"

static const struct option_row no_options[] = { OPTION_END };

struct parse {
	const struct command *self;
	const struct option_row *rows;
	void *settings;
	struct args *out;
	int argc, at;
	char **argv;
};

static int fail(const struct parse *p, const char *text)
{
	fprintf(stderr, "thresh %s: %s\nTry 'thresh %s --help'.\n", p->self->name, text,
		p->self->name);
	return EXIT_USAGE;
}

static int unknown(const struct parse *p, struct str name)
{
	const struct option_row *near = option_nearest(p->rows, name);
	char text[256];

	snprintf(text, sizeof(text), "there is no option --" STR_FMT "%s%s%s",
		 (int)MIN(name.n, 60), name.p, near ? "; did you mean --" : "",
		 near ? near->name : "", near ? "?" : "");
	return fail(p, text);
}

static int set(const struct parse *p, const struct option_row *row, struct str value)
{
	struct diag why;

	if (option_set(row, p->settings, value, &p->out->bytes, &why) != ST_OK)
		return fail(p, why.text);
	VEC_ADD(p->out->given, p->out->given_n, p->out->given_cap, row);
	return ARGS_GO;
}

/* The value of `row`: `given` after '=', or the next word. */
static int set_with_value(struct parse *p, const struct option_row *row,
			  const char *given)
{
	char text[160];

	if (row->type == OPTION_FLAG)
		return set(p, row, given ? str_from(given) : STR("yes"));
	if (!given && p->at < p->argc)
		given = p->argv[p->at++];
	if (!given) {
		snprintf(text, sizeof(text), "--%s wants a value: --%s %s", row->name,
			 row->name, row->value ? row->value : "VALUE");
		return fail(p, text);
	}
	return set(p, row, str_from(given));
}

static int parse_long(struct parse *p, const char *word)
{
	const char *equals = strchr(word, '=');
	struct str name = { word, equals ? (size_t)(equals - word) : strlen(word) };
	const struct option_row *row = option_find(p->rows, name);

	if (!row && str_take_prefix(&name, STR("no-"))) {
		row = option_find(p->rows, name);
		if (row && row->type == OPTION_FLAG && !equals)
			return set(p, row, STR("no"));
		return unknown(p, str_from(word));
	}
	if (!row)
		return unknown(p, name);
	return set_with_value(p, row, equals ? equals + 1 : NULL);
}

/* -x, -x VALUE, -xVALUE */
static int parse_letter(struct parse *p, const char *word)
{
	const struct option_row *row = option_find_letter(p->rows, word[0]);
	char text[64];

	if (!row) {
		snprintf(text, sizeof(text), "there is no option -%c", word[0]);
		return fail(p, text);
	}
	return set_with_value(p, row, word[1] ? word + 1 : NULL);
}

int args_parse(const struct command *self, int argc, char **argv, void *settings,
	       struct args *ret)
{
	struct parse p = {
		.self = self,
		.rows = self->options ? self->options : no_options,
		.settings = settings,
		.out = ret,
		.argc = argc,
		.at = 1,
		.argv = argv,
	};
	bool only_words = false;

	options_default(p.rows, settings, &ret->bytes);
	while (p.at < argc) {
		const char *word = argv[p.at++];
		int code = ARGS_GO;

		if (only_words || word[0] != '-' || word[1] == '\0')
			VEC_ADD(ret->words, ret->n, ret->cap, str_from(word));
		else if (strcmp(word, "--") == 0)
			only_words = true;
		else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
			return help_print(self), EXIT_FINE;
		else if (word[1] == '-')
			code = parse_long(&p, word + 2);
		else
			code = parse_letter(&p, word + 1);
		if (code != ARGS_GO)
			return code;
	}
	return ARGS_GO;
}

void args_release(struct args *a)
{
	free(a->words);
	free(a->given);
	arena_release(&a->bytes);
	*a = (struct args){ 0 };
}
