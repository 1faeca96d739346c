/*
 * audit.h - what became of every URL that a crawl accepted.
 *
 * The journal has a line when a URL is taken and a line when it ends.  Whoever has only
 * the first was forgotten, unless the crawl still runs; whoever was skipped for another
 * URL, which failed, is lost.  Reads the journal of any crawl, running
 * or not; memory: about 50 bytes a URL.
 */
#ifndef CRAWL_AUDIT_H
#define CRAWL_AUDIT_H

#include "base/intern.h"
#include "base/map.h"
#include "crawl/journal.h"

enum audit_end {
	AUDIT_FETCHED,
	AUDIT_MOVED,   /* to another URL */
	AUDIT_ABSENT,  /* the server says that there is none, or not for us */
	AUDIT_FAILED,  /* for reasons that may pass */
	AUDIT_DROPPED, /* not asked when its turn came; by a rule with a name */
	AUDIT_SKIPPED, /* for another URL, which was answered */
	AUDIT_UNASKED, /* skipped for another URL, which was dropped */
	AUDIT_LOST,    /* skipped for another URL, which failed or nothing is known of */
	AUDIT_WAITING, /* queued, and nothing came of it yet */
	AUDIT_ENDS,
};
extern const char *const audit_end_names[AUDIT_ENDS];

struct audit_url {
	uint64_t other;  /* of a skip and of a move: hash of the URL that stands for it */
	uint64_t key;    /* of a skip: hash of its key */
	uint32_t rule;   /* of a dropped one */
	uint16_t queued; /* how often; its end may stand before that in the journal */
	uint16_t ended;
	uint8_t end; /* enum audit_end */
};

struct audit {
	struct audit_url *v;
	size_t n, cap;
	struct map urls; /* hash of a URL -> index + 1 */
	struct map keys; /* hash of a rule's key -> hash of the URL asked under it */
	struct intern rules;
	uint64_t *dropped; /* by id of rule */
	uint64_t count[AUDIT_ENDS];
};

void audit_release(struct audit *a);
/* All of the crawl in `dir`. */
must_use enum status audit_crawl(struct audit *a, const char *dir, struct diag *why);
/* AUDIT_ENDS when the URL is not known. */
enum audit_end audit_find(const struct audit *a, struct str url);
/* The URLs that ended so, until `tell` wants no more. */
must_use enum status audit_list(const struct audit *a, const char *dir,
				enum audit_end end,
				bool (*tell)(void *arg, struct str url), void *arg,
				struct diag *why);
#endif
