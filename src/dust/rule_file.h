/*
 * rule_file.h - rules as text that a person can read, edit, disable or delete.
 *
 * A file is blocks, one a rule:
 *
 *   rule r1b2c3d4e
 *     context         ^*://(www.)?*.*$     or:  operation  drop sid
 *     transformation  $1://$2.$3
 *     sites           a.org b.org          or:  sites  *   and   except  c.org
 *     state           valid
 *     frequency       12
 *     support         34
 *     wrong           0
 *     note            anything
 *
 * Order in the file is order of application.  A line that starts with # is a
 * comment.  The word after "rule" is made from the rule's text and ignored when
 * read, like the line fpr; counters that are missing are 0.
 */
#ifndef DUST_RULE_FILE_H
#define DUST_RULE_FILE_H

#include "dust/rule.h"

#define RULE_FILE_BYTES_MAX ((size_t)1 << 30)

/* Add the rules of a file to `ret`.  The error names line and column; then rules
 * before it have been added. */
must_use enum status rules_parse(struct str text, struct rule_set *ret, struct diag *why);
void rule_format(const struct rule *r, struct buf *to);
void rules_format(const struct rule_set *s, struct buf *to);

/* From and to a file, or all *.rules of a folder in the order of their names. */
must_use enum status rules_load(const char *path, struct rule_set *ret, struct diag *why);
must_use enum status rules_save(const char *path, const struct rule_set *s,
				struct diag *why);
#endif
