/*
 * spec_column.h - the ways to crawl an archive that are put side by side: where each has
 * its settings and seeds from.
 */
#ifndef SIMULATE_SPEC_COLUMN_H
#define SIMULATE_SPEC_COLUMN_H

#include "simulate/simulate.h"

struct spec_column {
	struct str name;
	struct crawl_settings settings;
	struct str_list seeds;
	struct arena bytes;
};

/* Settings as by default, or of the crawl.yaml `path`, which may have seeds. */
must_use enum status spec_column_read(struct spec_column *ret, const char *path,
				      struct diag *why);
/* These instead of its own; copied. */
void spec_column_take_seeds(struct spec_column *c, const struct str_list *seeds);
/* "name=value", or a flag: "no-rules", of the options of a crawl. */
must_use enum status spec_column_set(struct spec_column *c, struct str option,
				     struct diag *why);
/* The settings of `c`, but everything in the order of finding: no priorities, no URL
 * rules, no budgets of templates.  Borrows the strings of `c`. */
void spec_column_breadth_first(const struct spec_column *c, struct spec_column *ret);
void spec_column_release(struct spec_column *c);
#endif
