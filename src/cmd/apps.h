/* apps.h - what the commands of `thresh apps` share. */
#ifndef CMD_APPS_H
#define CMD_APPS_H

#include "apps/library_files.h"
#include "apps/scan.h"
#include "cmd/args.h"
#include "page/page.h"

struct apps_settings {
	struct str dir, url, header;
	bool only, json, links;
};

extern const struct command cmd_apps_adapt, cmd_apps_list, cmd_apps_detect,
	cmd_apps_extract, cmd_apps_report, cmd_apps_test, cmd_apps_lint, cmd_apps_import,
	cmd_apps_learn;

int apps_fail(const struct command *self, int code, const char *why);
/* Problems go to stderr, named by file, line and column. */
int apps_load(const struct command *self, const struct apps_settings *s,
	      struct app_library *ret);

/* Called for each HTML page; false: stop. */
typedef bool apps_page_fn(void *arg, const struct app_page *page,
			  const struct page *parsed);
/* The HTML pages of files, WARC files and the folders of crawls. */
int apps_each_page(const struct command *self, const struct apps_settings *s,
		   struct args *args, apps_page_fn *fn, void *arg);
#endif
