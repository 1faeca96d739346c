/*
 * watch.h - is it true that these links are only views of pages that were fetched?
 *
 * A description may be wrong on a site: a list that it leaves out may be the only way to
 * some pages.  So what is left out as a view is remembered per server and rule; when the
 * site has nothing else to fetch, a few of each are fetched, and if one brings new text
 * or new links the rule is retracted for the server, and all that it left out returns.
 *
 *   WATCH_HOLDS      links are left out and remembered
 *   WATCH_TESTED     samples were fetched, nothing was new; tested again when twice as
 * many WATCH_RETRACTED  final: links of the rule are followed on this server
 *
 * Bounded: past WATCH_URLS_MAX what is left out is counted, not remembered.  The loop
 * thread's; pure.
 */
#ifndef APPS_WATCH_H
#define APPS_WATCH_H

#include "base/arena.h"
#include "base/map.h"

#define WATCH_URLS_MAX  ((size_t)1 << 20)
#define WATCH_SAMPLES   3
#define WATCH_URL_BYTES 2000

enum watch_state { WATCH_HOLDS, WATCH_TESTED, WATCH_RETRACTED };

struct watch_url {
	struct str url, via;
	uint32_t depth;
	uint32_t group;
	bool is_taken;   /* as a sample, or returned */
	bool was_queued; /* it was taken out of the queue: the seen set knows it */
};

struct watch_group {
	uint64_t key;
	struct str rule;       /* its words */
	uint64_t api;          /* of which site's API; 0: views of pages */
	uint8_t state;         /* enum watch_state */
	uint32_t n, tested_at; /* URLs left out; how many when it was last tested */
	uint32_t taken;        /* samples of the present test */
	uint32_t pending;      /* of them, without an answer */
	uint32_t first, last;  /* of its URLs, linked by `next` */
};

struct app_watch {
	struct map by_key; /* of groups */
	struct map by_url; /* hash of a URL to its index + 1 */
	struct watch_group *groups;
	size_t n_groups, groups_cap;
	struct watch_url *urls;
	uint32_t *next; /* per URL: the next of its group */
	size_t n, cap, next_cap;
	uint64_t not_kept;
	struct arena bytes;
};

/* A link that `rule` calls a view.  True: it is left out. */
bool app_watch_note(struct app_watch *w, struct str server, struct str rule,
		    const struct watch_url *url);
/* The same for a page whose content an API gave: `api` says which site's, not 0. */
bool app_watch_note_api(struct app_watch *w, struct str kind, uint64_t api,
			const struct watch_url *url);
/* Is it a page that is left out for an API? */
bool app_watch_has_api(const struct app_watch *w, struct str url);
/* All pages that are left out for this API return. */
void app_watch_retract_api(struct app_watch *w, uint64_t api);
/* The next URL to fetch: of retracted rules, then samples.  False: there is none. */
bool app_watch_take(struct app_watch *w, bool *ret_is_sample, struct watch_url *ret,
		    struct str *ret_rule);
/* Of one that was taken: was it left out for an API? */
static inline bool app_watch_is_api(const struct app_watch *w, const struct watch_url *u)
{
	return w->groups[u->group].api != 0;
}
/* Only URLs of retracted rules. */
bool app_watch_take_returned(struct app_watch *w, struct watch_url *ret,
			     struct str *ret_rule);
/*
 * A sample was answered.  True when its rule is retracted by it; then app_watch_take()
 * gives the rest.
 */
bool app_watch_answer(struct app_watch *w, struct str url, bool is_new);
/* What is left out by now was tested earlier. */
void app_watch_settled(struct app_watch *w);
/* The URL returned in an earlier process: its rule is retracted. */
void app_watch_retract(struct app_watch *w, struct str url);
void app_watch_release(struct app_watch *w);
/* assert()s what must always hold; for tests. */
void assert_app_watch(const struct app_watch *w);
#endif
