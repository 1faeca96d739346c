/*
 * option.h - one table row per option: the command line, crawl.yaml, --help,
 * the man page and shell completion are all made from it.
 *
 * A row says where in a settings struct the value lives.  Setting an option is
 * a pure function of row and text; a value that is out of range is answered
 * with the range, never clipped.
 */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include "base/arena.h"
#include "base/buf.h"

enum option_type {
	OPTION_FLAG,   /* bool; --name, --no-name */
	OPTION_UINT,   /* uint64_t; k, M, G multiply by 1000 */
	OPTION_BYTES,  /* uint64_t; k, M, G multiply by 1024 */
	OPTION_TIME,   /* uint64_t milliseconds; ms, s, m, h, d; seconds without unit */
	OPTION_REAL,   /* double; a trailing % divides by 100 */
	OPTION_STR,    /* struct str */
	OPTION_CHOICE, /* int: the index of the word in `words` */
	OPTION_LIST,   /* struct str_list: repeatable, or words between commas */
};

struct str_list {
	struct str *v;
	size_t n, cap;
	bool is_standard; /* holds the default: the first value given replaces it */
};

struct option_row {
	const char *name; /* without dashes */
	char letter;      /* 0 when there is no short form */
	enum option_type type;
	size_t offset;        /* in the settings struct */
	double min, max;      /* for the numbers; both 0 means any */
	const char *standard; /* the default, as text; NULL for none */
	const char *value;    /* the name of the value in --help: "DIR", "N" */
	const char *words;    /* for OPTION_CHOICE: "a|b|c" */
	const char *help;     /* one sentence, no full stop */
};

/* A row: its type, name and place, then the other fields that it has, each by name:
 * OPTION(UINT, "retries", AT(retries), .max = 100, .standard = "3", .help = "...") */
#define OPTION(kind, text, at, ...)                                            \
	{                                                                      \
		.name = text, .type = OPTION_##kind, .offset = at, __VA_ARGS__ \
	}
#define OPTION_END \
	{          \
		0  \
	} /* the last row of a table */

/* Put the defaults of all rows into `settings`; they must be valid. */
void options_default(const struct option_row *rows, void *settings, struct arena *a);
/* Copies what it keeps into `a`.  The error names the option and what is allowed. */
must_use enum status option_set(const struct option_row *row, void *settings,
				struct str value, struct arena *a, struct diag *why);
const struct option_row *option_find(const struct option_row *rows, struct str name);
const struct option_row *option_find_letter(const struct option_row *rows, char letter);
/* The row whose name is nearest to a mistyped `name`, or NULL. */
const struct option_row *option_nearest(const struct option_row *rows, struct str name);
/* The current value as text that option_set() would accept. */
void option_format(const struct option_row *row, const void *settings, struct buf *to);
void str_list_release(struct str_list *l);

/* Edits to turn one word into the other (insert, delete, replace, swap of neighbours); 99
 * at most. */
unsigned edit_distance(struct str a, struct str b);
#endif
