/*
 * start.h - from the words of a command line to a crawl: a folder, settings, seeds.
 *
 * A word is the folder of a crawl to go on with, a settings file, a list of seeds or a
 * seed.  Reads files, writes nothing.  Owns its strings.
 */
#ifndef SPEC_START_H
#define SPEC_START_H

#include "spec/settings.h"

struct crawl_start {
	struct crawl_settings settings;
	struct str_list seeds;
	struct arena bytes;
	char *dir;
	bool resumes;       /* there is a crawl in the folder */
	size_t seeds_added; /* of a resume: the last ones of `seeds`, new to it */
	struct str_list passed_over; /* lines of seed lists that are no seeds, in words */
};

/*
 * `given` are the settings of the command line, of which the `n_rows` options of `rows`
 * were there.  ST_SYNTAX or ST_NOT_FOUND with what is wrong.
 */
must_use enum status crawl_start_read(struct crawl_start *s, const struct str *words,
				      size_t n, const struct crawl_settings *given,
				      const struct option_row *const *rows, size_t n_rows,
				      struct diag *why);
void crawl_start_release(struct crawl_start *s);
#endif
