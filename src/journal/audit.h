/*
 * audit.h - what became of every URL that a crawl accepted, proved from the journal.
 *
 * Applies the life of a URL (policy/url_life.h) to every record, and then checks the two
 * invariants that hold at the end of a crawl: every URL is in a final state, and every
 * skip names a URL that was answered, or whose own end is reported.  An event that cannot
 * happen in the state of its URL is a violation.  Reads the journal of any crawl, running
 * or not; memory: about 50 bytes per URL.
 */
#ifndef JOURNAL_AUDIT_H
#define JOURNAL_AUDIT_H

#include "base/map.h"
#include "journal/journal.h"
#include "policy/url_life.h"

enum audit_end {
	AUDIT_FETCHED,
	AUDIT_MOVED,     /* redirected to another URL */
	AUDIT_GONE,      /* the server says that there is none, or not for us */
	AUDIT_FAILED,    /* no answer, or a 5xx */
	AUDIT_REFUSED,   /* not fetched when its turn came, for a reason with a name */
	AUDIT_SKIPPED,   /* for another URL, which was answered */
	AUDIT_UNFETCHED, /* skipped for another URL, which was refused */
	AUDIT_LOST,      /* skipped for another URL, which failed or was never queued */
	AUDIT_WAITING,   /* queued, and nothing came of it yet */
	AUDIT_ENDS,
};
extern const char *const audit_end_names[AUDIT_ENDS];

struct audit_url {
	uint64_t other;  /* of a skip and of a redirect: hash of the URL that it names */
	uint64_t key;    /* of a skip: hash of its key */
	uint16_t reason; /* of a refusal: enum reason */
	uint8_t state;   /* enum url_state */
	uint8_t end;     /* enum audit_end, once all is read */
	bool is_redirect;
};

struct audit {
	struct audit_url *v;
	size_t n, cap;
	struct map urls; /* hash of a URL -> index + 1 */
	struct map keys; /* hash of a rule's key -> hash of the URL queued under it */
	uint64_t refused[REASONS];
	uint64_t count[AUDIT_ENDS];
	uint64_t violations; /* events that cannot happen in the state of their URL */
	uint64_t violation[URL_STATES][URL_EVENTS];
	struct buf first_violation; /* in words */
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
