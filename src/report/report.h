/*
 * report.h - a tally as a page that anybody can open and print.
 *
 * Self-contained: styles and plots (SVG) are inside, nothing is loaded from
 * anywhere.  Light and dark.  Everything from the web is escaped.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/buf.h"
#include "report/tally.h"

/* Colours, cards and tables; the dashboard has the same (look.css). */
extern const struct str look_css;

void report_add_html(const struct tally *t, struct str title, struct buf *to);
void report_add_json(const struct tally *t, struct buf *to);
/* Write DIR/report.html. */
must_use enum status report_write(const char *dir, struct diag *why);
#endif
