/*
 * readings.h - how far the API of each server was read, and what it has cost and brought.
 *
 * Pure bookkeeping of a crawl: from the answers of a chain to the word whether it goes
 * on. One owner.
 */
#ifndef SITEAPI_READINGS_H
#define SITEAPI_READINGS_H

#include "base/map.h"
#include "siteapi/siteapi.h"

enum reading_state {
	API_READING, /* its chain goes on */
	API_READ,    /* to its end */
	API_OFF,     /* its pages are fetched */
};

struct site_reading {
	uint64_t server;  /* see site_server() */
	uint8_t state;    /* enum reading_state */
	uint32_t pending; /* requests of it that are queued; while a journal is read */
	uint64_t sent, pages;
	uint64_t list, list_sent, list_pages; /* hash of its name; since it began */
};

struct site_readings {
	struct site_reading *v;
	size_t n, cap;
	struct map by_server; /* index + 1 */
	bool is_restored;     /* an earlier process has read of them */
};

void site_readings_release(struct site_readings *s);
/* Of an origin; not 0, unless it is no URL. */
uint64_t site_server(struct str url);
/* NULL when nothing was read there. */
struct site_reading *site_reading_find(const struct site_readings *s, uint64_t server);
struct site_reading *site_reading_add(struct site_readings *s, uint64_t server);
/* An answer came, `a` NULL when it could not be read; before its pages are counted. */
void site_reading_answer(struct site_reading *r, const struct site_answer *a);
/* A page is left out for it. */
void site_reading_page(struct site_reading *r);
/* Whether the chain goes on with a->next, after the pages of an answer were counted; why
 * not is in `ret_why`, or NULL when it is read to its end. */
bool site_reading_goes_on(struct site_reading *r, const struct site_answer *a,
			  const char **ret_why);
/* From a journal: a request was queued; it was answered.  Its next request is in the
 * journal before it, so without one the chain is over. */
void site_reading_queued(struct site_readings *s, struct str url);
void site_reading_done(struct site_readings *s, struct str url);
/*
 * Pages of one shape are sampled together: segments of the path and whether there is a
 * query.  By its words each tag would be a kind of its own.
 */
unsigned site_page_shape(struct str url);
#endif
