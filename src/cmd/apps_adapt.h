/* apps_adapt.h - pages of a later crawl with the objects that an earlier one had. */
#ifndef CMD_APPS_ADAPT_H
#define CMD_APPS_ADAPT_H

#include "applearn/adapt.h"
#include "cmd/apps.h"
#include "os/map_file.h"

#define PAGES_MAX 40 /* of a level; more make it no surer */
#define KINDS_MAX 200

struct adapt_settings {
	struct apps_settings apps;
	struct str out;
	uint64_t threshold;
};

/* An object of a level of an application, and pages that had such objects. */
struct kind {
	uint32_t app;
	const struct app_level *level;
	struct adapt_page *pages;
	size_t n, cap;
};

struct adapting {
	const struct adapt_settings *settings;
	struct app_library library;
	struct arena arena;
	struct map_file objects;
	struct map by_url; /* to the first line of its objects, + 1 */
	struct kind kinds[KINDS_MAX];
	size_t n;
	struct buf xml; /* of the description that is being repaired */
};

void adapting_release(struct adapting *a);
/* objects.jsonl of the earlier crawl. */
must_use enum status adapting_load(struct adapting *a, struct str dir, struct diag *why);
/* An apps_page_fn: a page of the later one. */
bool adapting_take(void *arg, const struct app_page *page, const struct page *parsed);
#endif
