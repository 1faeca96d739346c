#include "base/option.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define DISTANCE_MAX 99

struct unit {
	const char *suffix;
	double factor;
};

static const struct unit count_units[] = { { "k", 1e3 }, { "K", 1e3 }, { "M", 1e6 },
					   { "G", 1e9 }, { "", 1 },    { NULL, 0 } };
static const struct unit byte_units[] = {
	{ "k", 1024.0 },
	{ "K", 1024.0 },
	{ "kB", 1024.0 },
	{ "KiB", 1024.0 },
	{ "M", 1048576.0 },
	{ "MB", 1048576.0 },
	{ "MiB", 1048576.0 },
	{ "G", 1073741824. },
	{ "GB", 1073741824. },
	{ "GiB", 1073741824. },
	{ "T", 1099511627776. },
	{ "TB", 1099511627776. },
	{ "B", 1 },
	{ "", 1 },
	{ NULL, 0 },
};
static const struct unit time_units[] = {
	{ "ms", 1 },     { "s", 1e3 },     { "m", 60e3 }, { "min", 60e3 },
	{ "h", 3600e3 }, { "d", 86400e3 }, { "", 1e3 },   { NULL, 0 },
};
static const struct unit real_units[] = { { "%", 0.01 }, { "", 1 }, { NULL, 0 } };

static const struct unit *units_of(enum option_type type)
{
	switch (type) {
	case OPTION_UINT:
		return count_units;
	case OPTION_BYTES:
		return byte_units;
	case OPTION_TIME:
		return time_units;
	default:
		return real_units;
	}
}

static bool parse_number(struct str text, const struct unit *units, double *ret)
{
	char number[64];
	char *end;

	if (text.n == 0 || text.n >= sizeof(number) || ascii_is_space(text.p[0]))
		return false;
	memcpy(number, text.p, text.n);
	number[text.n] = '\0';
	/* strtod() also reads hexadecimal, "inf" and "nan": not for people. */
	size_t digits = strspn(number, "0123456789.+-");
	if (digits == 0 || number[digits] == 'x' || number[digits] == 'X')
		return false;
	double v = strtod(number, &end);
	for (; units->suffix; units++)
		if (strcmp(end, units->suffix) == 0) {
			*ret = v * units->factor;
			return isfinite(*ret);
		}
	return false;
}

static const char *kind_of_number(enum option_type type)
{
	switch (type) {
	case OPTION_UINT:
		return "a whole number (k, M and G multiply by a thousand)";
	case OPTION_BYTES:
		return "a size, as 512k or 2G";
	case OPTION_TIME:
		return "a time, as 500ms, 30s, 10m, 2h or 1d";
	default:
		return "a number or a percentage";
	}
}

static enum status set_number(const struct option_row *row, void *field, struct str value,
			      struct diag *why)
{
	bool whole = row->type != OPTION_REAL;
	double v;

	if (!parse_number(value, units_of(row->type), &v) ||
	    (whole && (v < 0 || v > 9e15)) || (whole && v != floor(v)))
		return diag_fail(why, ST_SYNTAX, "--%s wants %s, not '" STR_FMT "'",
				 row->name, kind_of_number(row->type), STR_ARG(value));
	if ((row->min != 0 || row->max != 0) && (v < row->min || v > row->max))
		return diag_fail(why, ST_TOO_LARGE,
				 "--%s must be between %.15g and %.15g, not '" STR_FMT
				 "'",
				 row->name, row->min, row->max, STR_ARG(value));
	if (whole)
		*(uint64_t *)field = (uint64_t)v;
	else
		*(double *)field = v;
	return ST_OK;
}

static enum status set_flag(const struct option_row *row, bool *field, struct str value,
			    struct diag *why)
{
	if (str_eq(value, STR("true")) || str_eq(value, STR("yes")) ||
	    str_eq(value, STR("on")) || str_eq(value, STR("1")))
		*field = true;
	else if (str_eq(value, STR("false")) || str_eq(value, STR("no")) ||
		 str_eq(value, STR("off")) || str_eq(value, STR("0")))
		*field = false;
	else
		return diag_fail(why, ST_SYNTAX, "--%s is yes or no, not '" STR_FMT "'",
				 row->name, STR_ARG(value));
	return ST_OK;
}

static enum status set_choice(const struct option_row *row, int *field, struct str value,
			      struct diag *why)
{
	struct str words = str_from(row->words), word;

	for (int i = 0; str_take_until(&words, '|', &word); i++)
		if (str_eq(word, value)) {
			*field = i;
			return ST_OK;
		}
	return diag_fail(why, ST_SYNTAX, "--%s is one of %s, not '" STR_FMT "'",
			 row->name, row->words, STR_ARG(value));
}

static void add_to_list(struct str_list *list, struct str value, struct arena *a)
{
	struct str part;

	if (list->is_standard)
		list->n = 0;
	list->is_standard = false;
	while (str_take_until(&value, ',', &part))
		if (str_trim(part).n)
			VEC_ADD(list->v, list->n, list->cap,
				arena_copy(a, str_trim(part)));
}

void str_list_release(struct str_list *l)
{
	free(l->v);
	*l = (struct str_list){ 0 };
}

enum status option_set(const struct option_row *row, void *settings, struct str value,
		       struct arena *a, struct diag *why)
{
	void *field = (char *)settings + row->offset;

	switch (row->type) {
	case OPTION_FLAG:
		return set_flag(row, field, value, why);
	case OPTION_CHOICE:
		return set_choice(row, field, value, why);
	case OPTION_STR:
		*(struct str *)field = arena_copy(a, value);
		return ST_OK;
	case OPTION_LIST:
		add_to_list(field, value, a);
		return ST_OK;
	default:
		return set_number(row, field, value, why);
	}
}

void options_default(const struct option_row *rows, void *settings, struct arena *a)
{
	for (; rows->name; rows++) {
		struct diag why;

		if (!rows->standard)
			continue;
		enum status st =
			option_set(rows, settings, str_from(rows->standard), a, &why);
		assert(st == ST_OK && "the default of an option is not valid");
		(void)st;
		if (rows->type == OPTION_LIST)
			((struct str_list *)((char *)settings + rows->offset))
				->is_standard = true;
	}
}

const struct option_row *option_find(const struct option_row *rows, struct str name)
{
	for (; rows->name; rows++)
		if (str_eq(str_from(rows->name), name))
			return rows;
	return NULL;
}

const struct option_row *option_find_letter(const struct option_row *rows, char letter)
{
	for (; rows->name; rows++)
		if (rows->letter && rows->letter == letter)
			return rows;
	return NULL;
}

const struct option_row *option_nearest(const struct option_row *rows, struct str name)
{
	const struct option_row *best = NULL;
	/* Farther than a third of the word is a guess, not a suggestion. */
	unsigned least = (unsigned)name.n / 3 + 2;

	for (; rows->name; rows++) {
		unsigned d = edit_distance(str_from(rows->name), name);

		if (d < least) {
			least = d;
			best = rows;
		}
	}
	return best;
}

static void format_unit(double v, const struct unit *units, struct buf *to)
{
	const struct unit *best = NULL;

	for (; units->suffix; units++)
		if (v != 0 && fmod(v, units->factor) == 0 &&
		    (!best || units->factor > best->factor) && units->suffix[0])
			best = units;
	if (best && best->factor >= 1)
		buf_addf(to, "%.15g%s", v / best->factor, best->suffix);
	else
		buf_addf(to, "%.15g", v);
}

static void format_choice(const struct option_row *row, int index, struct buf *to)
{
	struct str words = str_from(row->words), word;

	for (int i = 0; str_take_until(&words, '|', &word); i++)
		if (i == index)
			buf_add(to, word);
}

void option_format(const struct option_row *row, const void *settings, struct buf *to)
{
	const void *field = (const char *)settings + row->offset;

	switch (row->type) {
	case OPTION_FLAG:
		buf_add(to, *(const bool *)field ? STR("yes") : STR("no"));
		break;
	case OPTION_CHOICE:
		format_choice(row, *(const int *)field, to);
		break;
	case OPTION_STR:
		buf_add(to, *(const struct str *)field);
		break;
	case OPTION_REAL:
		buf_addf(to, "%.15g", *(const double *)field);
		break;
	case OPTION_LIST:
		for (size_t i = 0; i < ((const struct str_list *)field)->n; i++) {
			if (i)
				buf_add_char(to, ',');
			buf_add(to, ((const struct str_list *)field)->v[i]);
		}
		break;
	default:
		format_unit((double)*(const uint64_t *)field, units_of(row->type), to);
	}
}

unsigned edit_distance(struct str a, struct str b)
{
	unsigned rows[3][64];

	if (a.n >= 64 || b.n >= 64)
		return DISTANCE_MAX;
	for (unsigned j = 0; j <= b.n; j++)
		rows[0][j] = j;
	for (unsigned i = 1; i <= a.n; i++) {
		unsigned *now = rows[i % 3], *last = rows[(i + 2) % 3],
			 *before = rows[(i + 1) % 3];

		now[0] = i;
		for (unsigned j = 1; j <= b.n; j++) {
			unsigned cost = a.p[i - 1] != b.p[j - 1];
			unsigned best = MIN(last[j] + 1, now[j - 1] + 1);

			best = MIN(best, last[j - 1] + cost);
			if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] &&
			    a.p[i - 2] == b.p[j - 1])
				best = MIN(best, before[j - 2] + 1);
			now[j] = best;
		}
	}
	return rows[a.n % 3][b.n];
}
