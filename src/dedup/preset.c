#include "dedup/preset.h"

#include <stdlib.h>

#include "os/file.h"

#define PRESET_BYTES_MAX ((size_t)1 << 16)

/* The place of a word in "a|b|c", from 1; 0 when it is none of them. */
static int find_word(const char *list, struct str word)
{
	struct str words = str_from(list), one;

	for (int i = 1; str_take_until(&words, '|', &one); i++)
		if (str_eq(one, word))
			return i;
	return 0;
}

struct str preset_nth_word(const char *list, int n)
{
	struct str words = str_from(list), one = { "", 0 };

	for (int i = 0; i <= n && str_take_until(&words, '|', &one); i++)
		;
	return one;
}

void preset_format(const struct method *m, const struct feature_options *f,
		   double threshold, struct str comment, struct buf *to)
{
	buf_addf(to, "# " STR_FMT "\nmethod %s\n", STR_ARG(comment), m->name);
	if (m->any_features)
		buf_addf(to, "features " STR_FMT "\n",
			 STR_ARG(preset_nth_word(FEATURE_WORDS, (int)f->kind)));
	/* Crawlhash takes any pieces though it takes no other features. */
	if (f->kind == FEATURE_SHINGLES && f->piece <= PIECE_SENTENCES &&
	    (m->any_features || m->features.piece == PIECE_SPACED))
		buf_addf(to, "pieces " STR_FMT "\n",
			 STR_ARG(preset_nth_word(PIECE_NAMES, (int)f->piece)));
	buf_addf(to, "size %u\nthreshold %.17g\n", f->size, threshold);
}

/* False for a line that means nothing. */
static bool read_line(struct str line, struct dedup_preset *ret)
{
	cleanup(buf_release) struct buf number = { 0 };

	line = str_trim(line);
	if (line.n == 0 || line.p[0] == '#')
		return true;
	if (str_take_prefix(&line, STR("method "))) {
		buf_reset(&ret->method);
		buf_add(&ret->method, str_trim(line));
		return true;
	}
	if (str_take_prefix(&line, STR("features ")))
		return (ret->features = find_word(FEATURE_WORDS, str_trim(line))) != 0;
	if (str_take_prefix(&line, STR("pieces ")))
		return (ret->pieces = find_word(PIECE_NAMES, str_trim(line))) != 0;
	if (str_take_prefix(&line, STR("size ")))
		return str_to_uint(str_trim(line), 63, &ret->size);
	if (!str_take_prefix(&line, STR("threshold ")))
		return false;
	buf_add(&number, line);
	ret->threshold = strtod(buf_cstr(&number), NULL);
	return true;
}

enum status preset_read(struct str path, struct dedup_preset *ret, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 }, name = { 0 };
	struct str in, line;

	buf_add(&name, path);
	TRY(file_load(buf_cstr(&name), PRESET_BYTES_MAX, &text, why));
	in = buf_str(&text);
	for (unsigned nr = 1; str_take_line(&in, &line); nr++)
		if (!read_line(line, ret))
			return diag_fail(why, ST_SYNTAX,
					 "%s:%u: no line of a preset of --tune",
					 buf_cstr(&name), nr);
	return ST_OK;
}
