/* loop.h - what the files of the loop share among themselves. */
#ifndef CRAWL_LOOP_H
#define CRAWL_LOOP_H

#include "engine/steps.h"

/* crawl.c: in the middle of something long, what every turn of the loop does.  Signals
 * are heard: the crawl may be stopping afterwards. */
void crawl_pump_events(struct crawl *c);

/* crawl.c: one step of the frontier; false when nothing more can be given out now */
bool crawl_dispatch_one(struct crawl *c);
/* crawl.c: an item comes back from the writer */
void crawl_take_back(struct crawl *c, struct crawl_item *i);
/* replay.c */
/* Once the writer runs: URLs of sites that an earlier process could not reach, and that
 * are still queued, are written down as such. */
void crawl_retry_unreached(struct crawl *c);
must_use enum status crawl_replay(struct crawl *c, struct writer_start *ret_start,
				  struct digests *digests, bool *ret_fresh,
				  struct diag *why);
#endif
