/*
 * form.h - the form of a URL, as a person would name a trap.
 *
 * http://a.org/cal/2026/11?day=3&view=w has the form a.org/cal/#/#?day&view: host,
 * path with a sign for each segment that holds a digit or is very long, names of
 * parameters.  For counting and showing only; the crawl decides by its own templates.
 */
#ifndef REPORT_FORM_H
#define REPORT_FORM_H

#include "base/buf.h"

/* Host and port of an absolute URL; everything before the path of what is none. */
struct str url_host(struct str url);
void buf_add_url_form(struct buf *to, struct str url);
#endif
