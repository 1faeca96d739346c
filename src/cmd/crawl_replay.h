/* crawl_replay.h - thresh crawl --replay DIR. */
#ifndef CMD_CRAWL_REPLAY_H
#define CMD_CRAWL_REPLAY_H

#include "simulate/replay.h"
#include "spec/start.h"

/* Decide the crawl in its folder again and say whether all is equal; the exit code. */
int crawl_replay_run(const struct crawl_start *s, const struct replay_options *options);
#endif
