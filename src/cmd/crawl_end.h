/*
 * The last words of a crawl: what was fetched and what was not, which sites could not be
 * reached, and the command that resumes it. Printed to standard error; quiet crawls and
 * those that print JSON say only what went wrong.
 */
#ifndef THRESH_CMD_CRAWL_END_H
#define THRESH_CMD_CRAWL_END_H

#include "crawl/crawl.h"
#include "spec/start.h"

void crawl_end_print(const struct crawl_start *s, const struct crawl_result *r,
		     const struct diag *why);

#endif
