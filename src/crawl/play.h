/*
 * play.h - a recorded crawl happens again, event by event (engine/events.h).
 *
 * A played crawl has no loop of its own: each event of the script is one call.  Answers
 * wait until the script says that they are judged, so that they are judged in the order
 * in which they were.
 */
#ifndef CRAWL_PLAY_H
#define CRAWL_PLAY_H

#include "engine/state.h"

/* Nothing is on its way any more, but the step that asks; of a played crawl: and was so
 * when it was recorded. */
bool crawl_is_quiet(struct crawl *c);
/* All events of the script. */
must_use enum status crawl_play(struct crawl *c);
#endif
