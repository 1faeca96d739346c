/* display.h - what a running crawl shows to whoever started or watches it. */
#ifndef CRAWL_DISPLAY_H
#define CRAWL_DISPLAY_H

#include "base/buf.h"

struct crawl;

void crawl_show(struct crawl *c, bool last);
/* On demand: the lines of the display, or the status as JSON. */
void crawl_tell_status(struct crawl *c);
void crawl_format_status(struct crawl *c, struct buf *to);
/* Every second, for whoever watches. */
void crawl_publish(struct crawl *c);
#endif
