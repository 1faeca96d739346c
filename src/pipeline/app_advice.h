/*
 * app_advice.h - a page and its links as the descriptions of applications see them.
 *
 * In a worker, before advise(): recognises the application, rewrites links to their
 * canonical form, and says of each whether to follow it, how much it is wanted, or
 * which rule leaves it out.
 */
#ifndef PIPELINE_APP_ADVICE_H
#define PIPELINE_APP_ADVICE_H

#include "apps/scan.h"
#include "pipeline/item.h"

/*
 * `html` is the body without its coding.  Fills i->app; strings live in its arena.  With
 * NULL for `s` nothing is said.
 */
struct page_advice app_advise(struct app_scan *s, struct crawl_item *i, struct str html);
#endif
