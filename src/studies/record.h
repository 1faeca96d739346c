/*
 * record.h - benchmark crawls of sites, from lists of sites and settings in files.
 *
 * A list has a site per line: its address, then settings of its own as name=value words.
 * A file of common settings has "name value", "name=value" or "name: value" per line.
 * Names are options of `thresh states`; what a site says wins over what is common, and
 * both over what makes a crawl a benchmark: every change of the DOM is a state, no limit
 * of depth or visits, whole DOMs and screenshots.  `#` begins a comment.
 *
 * Each site is crawled by a process of its own, so that a browser that dies costs one
 * site.
 */
#ifndef STUDIES_RECORD_H
#define STUDIES_RECORD_H

#include "base/arena.h"
#include "base/option.h"

#define SITE_SETTINGS_MAX 64

struct site_task {
	struct str url;
	struct str settings; /* name=value lines */
};

struct site_tasks {
	struct site_task *v;
	size_t n, cap;
	struct arena bytes;
};

void site_tasks_release(struct site_tasks *l);
/* The error names the line. */
must_use enum status site_tasks_parse(struct site_tasks *l, struct str text,
				      struct diag *why);
/* Common settings as name=value lines, added to `ret`. */
must_use enum status site_settings_parse(struct str text, struct buf *ret,
					 struct diag *why);

/*
 * Crawl into the folder `dir`, by this very program.  `common` and `own` are name=value
 * lines.  With `plain` the settings that make a benchmark are left out.  What the crawl
 * complained of is in `why`.
 */
struct record_options {
	struct str url, common, own;
	const char *dir;
	bool plain;
	const bool *stop; /* the crawl is ended when it becomes true; NULL: never */
};
must_use enum status record_site(const struct record_options *o, struct diag *why);
#endif
