/*
 * apps_section.h - the part of the report on known applications: what there is of each,
 * and which threads and lists have holes.
 */
#ifndef REPORT_APPS_SECTION_H
#define REPORT_APPS_SECTION_H

#include "appreport/app_summary.h"

/* One section per application and server; nothing where there is none. */
void apps_section_add(const struct app_summary *s, struct buf *to);
#endif
