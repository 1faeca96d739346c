/*
 * app_output.h - what the description of its application makes of a page, as it is kept.
 *
 * Three things, all JSON: the objects of the page (objects.jsonl), one line on the page
 * itself (apps.jsonl, for reports of completeness), and the augmented document, which
 * goes beside the answer into the archive: application, level, evidence, what was taken
 * out, and for each link what was said of it.  In a worker; asks nobody.
 */
#ifndef PIPELINE_APP_OUTPUT_H
#define PIPELINE_APP_OUTPUT_H

#include "apps/link_rules.h"
#include "pipeline/item.h"

struct app_output {
	struct app_scan *scan;
	const struct app_verdict *verdict;
	const struct app_page *page;
	const struct app_advice *advice; /* one per link of the item */
};

/* Fills `objects`, `app_page` and `augmented` of the item, in its arena. */
void app_output_keep(const struct app_output *o, struct crawl_item *i);
#endif
