/*
 * link_rules.h - what the description of a page's application says of its links.
 *
 * The first rule in the order of the description decides, the child's before the
 * parent's.  Only links to the page's own server are judged.  Pure but for the scan.
 */
#ifndef APPS_LINK_RULES_H
#define APPS_LINK_RULES_H

#include "apps/scan.h"

struct app_advice {
	uint8_t action; /* enum app_action; ACTION_NONE: nothing is known */
	uint8_t score;
	const struct app_link_rule *rule;
};

/* One empty set per application, and the end of them. */
struct app_link_set *link_sets_new(size_t n);
void link_sets_release(struct app_link_set *sets, size_t n);

/* Note the links that paths of rules select; after the verdict on the page. */
void link_rules_mark(struct app_scan *s, const struct app_verdict *v);
/*
 * `written` is the link as it stands on the page, decoded and trimmed; `target` is where
 * it leads.
 */
struct app_advice link_rules_find(struct app_scan *s, const struct app_verdict *v,
				  const struct url *target, struct str written,
				  bool is_embed);
/* The URL under which the application has the same page; false: it is `u` itself. */
bool link_rules_canonical(struct app_scan *s, const struct app_verdict *v,
			  const struct url *u, struct buf *to);
/* "phpbb: /posting.php (reply form)": for people, in the ledger. */
void link_rule_format(const struct app_library *l, const struct app_link_rule *r,
		      struct buf *to);
#endif
