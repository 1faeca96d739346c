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
#include "policy/reason.h"
#include "record/discovery.h"

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
	struct map scores;    /* hash of a URL -> 1 + priority: those of --scores */
	struct pattern_walk walk;
	bool is_paused;
	uint64_t injected, moved, ignored, dropped, held; /* since the process began */
	uint64_t malformed;
};

/* Its deadline has passed; it is due now, or not at all. */
bool steered_is_expired(struct crawl *c, struct u128 key);
/* A line of the journal. */
void steered_write(struct crawl *c, enum steering what, struct str url, struct u128 key,
		   uint64_t number);
/* Under which key it may be queued already: its own, or that of the URL rules. */
bool steered_find_queued(struct crawl *c, struct str url, struct u128 *ret);
/* A queued URL gets another priority: counted and written down. */
must_use enum status steered_move(struct crawl *c, struct str url, struct u128 key,
				  uint8_t priority, struct diag *why);
/* Links that are found get the scores that were given to them before. */
void steered_score(const struct crawl *c, struct discovery *links, size_t n);
/* It leaves the queue on demand: counted and written down. */
must_use enum status steered_drop(struct crawl *c, const struct discovery *d,
				  enum reason reason, struct str detail,
				  struct diag *why);
bool steered_is_blacklisted(const struct crawl *c, struct u128 hash);
#endif
