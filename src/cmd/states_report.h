/* states_report.h - what a crawl of states came to, for people and for scripts. */
#ifndef CMD_STATES_REPORT_H
#define CMD_STATES_REPORT_H

#include "overview/overview.h"
#include "states/problems.h"

struct crawl_summary {
	const struct model *model;
	const struct explore_stats *stats;
	struct str dir;
	const struct problems *problems;
};

void states_print_words(const struct crawl_summary *s);
void states_print_json(const struct crawl_summary *s);
/* How complete it is, see enum exit_code. */
int states_exit_code(const struct crawl_summary *s);
#endif
