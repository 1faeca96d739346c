/*
 * discovery.h - a URL found on a page, on its way back to the frontier.
 *
 * Made from a `struct link` once it is absolute, normal and mapped to its key
 * by the rules; scored by focus/.  Plain data with bytes on disk: the bus
 * carries it between shards.
 */
#ifndef RECORD_DISCOVERY_H
#define RECORD_DISCOVERY_H

#include "base/buf.h"
#include "base/hash.h"
#include "record/advice.h"
#include "record/purpose.h"

struct discovery {
	struct str url;   /* absolute, as it will be requested */
	struct str key;   /* canonical form; equal to `url` when no rule applied */
	struct u128 hash; /* purpose_identity() of it */
	struct str via;   /* the page it was found on */
	struct str rule;  /* name of the rule that changed the key; empty for none */
	uint32_t depth;
	uint8_t hop;      /* enum hop, record/fetch.h */
	uint8_t priority; /* 0 lowest to 255 */
	uint8_t purpose;  /* enum purpose */
	bool nofollow;
	uint8_t penalty; /* of a URL that is not plain (policy/priority.h) */
	bool has_score;
	uint8_t veto;       /* enum veto: what forbids it, whatever its score */
	float score;        /* how much it is wanted, 0 to 1, if `has_score` */
	struct str scores;  /* how the score was made: focus/ wrote it and reads it */
	struct str veto_by; /* of a veto: the entry of the list, the kind of action ... */
};

void discovery_encode(const struct discovery *d, struct buf *to);
/* Strings point into `in`.  ST_CORRUPT when it is not exactly one discovery. */
must_use enum status discovery_decode(struct str in, struct discovery *ret);
#endif
