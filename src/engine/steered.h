/*
 * steered.h - what somebody outside has demanded, as the steps of the crawl see it.
 *
 * Demands are carried out by crawl/steer.h; here is what stays of them.
 */
#ifndef ENGINE_STEERED_H
#define ENGINE_STEERED_H

#include "base/map.h"
#include "control/inbox.h"
#include "journal/journal.h"
#include "policy/pattern_list.h"

struct crawl;

/* How far a demand by pattern has come: all that was ever queued is in the journal. */
struct pattern_walk {
	bool is_on;
	bool is_reading; /* the journal is whole up to where it began */
	struct demand demand;
	struct pattern_list pattern;
	struct segment_cursor journal;
	uint64_t end, matched;
};

struct steer {
	struct inbox_reader inbox;
	bool is_open;
	uint64_t position; /* of the journal's last STEER_READ */
	struct buf block;  /* being carried out */
	struct str rest;   /* of it */
	bool is_old;       /* it was there before this process */
	int64_t next_look_ms;
	struct map deadlines; /* key of a queued URL -> ms */
	struct map blacklist; /* hash of a URL */
	struct pattern_walk walk;
	bool is_paused;
	uint64_t injected, moved, ignored, dropped, held; /* since the process began */
	uint64_t malformed;
};

/* Its deadline has passed; it is due now, or not at all. */
bool steered_is_expired(struct crawl *c, struct u128 key);
bool steered_is_blacklisted(const struct crawl *c, struct u128 hash);
#endif
