/* said.h - what objects of an API have said, read again from the folder of a crawl. */
#ifndef SITEAPI_SAID_H
#define SITEAPI_SAID_H

#include "apps/seen_text.h"

/*
 * Adds the texts of objects.jsonl that came from an API, so that samples of pages can be
 * compared with them after a restart.  A file that is missing or past any size that is
 * read adds nothing: samples then count as new, and pages are fetched.
 */
void site_said_load(struct seen_text *to, const char *objects_path);
#endif
