/*
 * html_check.h - what is wrong with the HTML of a state, as problems of it.
 *
 * The DOM is judged (validate/), so what the browser's parser mended is not found;
 * `thresh states validate` looks for that in the archive.
 */
#ifndef STATES_HTML_CHECK_H
#define STATES_HTML_CHECK_H

#include "observe/observe.h"

#define HTML_CHECK_PER_KIND 5 /* lines: these tell enough */

/* Lines "html: KIND: way "detail"", appended. */
void html_check(const struct observation *o, struct buf *to);
#endif
