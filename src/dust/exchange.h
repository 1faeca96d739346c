/*
 * exchange.h - rules for other tools, and other people's lists as rules.
 *
 * Out, every rule becomes a regular expression and its replacement; what a
 * tool cannot say (case, order of parameters) is left out and counted.  In,
 * lists of parameters become operations; entries that are not names, or that
 * speak of hosts by pattern, are left out and counted.
 */
#ifndef DUST_EXCHANGE_H
#define DUST_EXCHANGE_H

#include "dust/rule.h"

enum export_format {
	EXPORT_REGEX,       /* sites TAB regex TAB replacement */
	EXPORT_CLEARURLS,   /* its JSON: parameters only */
	EXPORT_BROWSERTRIX, /* YAML: exclude URLs that carry a dropped parameter */
	EXPORT_HERITRIX,    /* Spring beans for its canonicalization policy */
	EXPORT_NUTCH,       /* regex-normalize.xml */
};

/* Returns how many active rules could not be said. */
size_t rules_export(const struct rule_set *s, enum export_format format, struct buf *to);

/* ClearURLs' {"providers": ...} or Zyte's [{"processor": ...}]; told apart by form. */
must_use enum status rules_import(struct str json, struct rule_set *ret,
				  size_t *ret_left_out, struct diag *why);
#endif
