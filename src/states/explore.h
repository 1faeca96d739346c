/*
 * explore.h - drive the browser through an application until nothing is new.
 *
 * One tab, one thread.  Which event is next is the model's decision and does not
 * depend on where the browser is; getting there is ours, by the cheapest way that
 * verifies.  A browser that dies or hangs is started again and the crawl goes on.
 */
#ifndef STATES_EXPLORE_H
#define STATES_EXPLORE_H

#include "observe/check.h"
#include "observe/guard.h"
#include "states/model.h"

struct explore_options {
	struct str url;
	struct guard_options guard;
	struct wall_options wall; /* its guard and start are set from these */
	struct browser_options browser;
	struct tab_options tab;
	struct str_list values; /* "name=value" for forms */
	struct str_list strip;  /* selectors of what is part of no fingerprint */
	uint64_t max_states, max_depth, max_events; /* 0: no limit */
	uint64_t max_ms;                            /* real time; 0: no limit */
	uint64_t max_visits; /* states of one template explored in a row without any of
				them leading to an element never seen; 0: no limit */
	struct worth_limits worth;
	double enough; /* end when an event is expected to bring less than this; 0: never
			*/
	uint64_t max_fired;   /* events tried in one state; 0: no limit */
	uint64_t settle_ms;   /* page time after each event */
	uint64_t max_traffic; /* bytes of WARC; 0: none */
	struct str
		cookies; /* parameters of Network.setCookies, see login.h; empty: none */
	struct str logged_in; /* selector of what shows only to who is logged in; empty */
	struct check_list checks; /* of every new state */
	bool no_screenshots;
	bool scroll;    /* offer scrolling of every long page */
	bool addresses; /* open those that a page names without showing a link */
};

/* How states were returned to; the cheapest first. */
enum way_back {
	WAY_STAYED,  /* we were there */
	WAY_HISTORY, /* back, through the page cache where it allows */
	WAY_EDGE,    /* a known event leads there */
	WAY_URL,
	WAY_SHORT,  /* from an address on the way */
	WAY_REPLAY, /* from the start */
	WAY_FRESH,  /* from the start, in a new context */
	WAYS
};

enum explore_end {
	END_EXHAUSTED, /* everything that may be fired was */
	END_MAX_STATES,
	END_MAX_TIME,
	END_STOPPED, /* somebody asked */
	END_MAX_EVENTS,
	END_ENOUGH, /* what is left is estimated to bring too little */
	END_ERROR,  /* neither the browser nor the disk would go on; `end_reason` */
};

struct explore_stats {
	uint64_t events, observations;
	uint64_t tabs_replaced, restarts; /* the page was stuck; the browser was */
	struct diag restart_reason;       /* of the last of both */
	uint64_t ways[WAYS];
	uint64_t fallbacks; /* settled by the real clock */
	uint32_t opaque_frames, cut_candidates;
	uint64_t writes_sent, writes_answered, held_back; /* see wall.h */
	uint64_t exchanges, exchanges_skipped; /* requests seen; past the cap */
	bool start_changed;                    /* since the crawl began that is resumed */
	enum explore_end end;
	struct diag end_reason;
};

/* Called after every event; false stops the crawl in good order. */
typedef bool explore_progress_fn(void *ctx, const struct model *m,
				 const struct explore_stats *s);

must_use enum status explore(struct model *m, const struct explore_options *options,
			     explore_progress_fn *progress, void *ctx,
			     struct explore_stats *ret, struct diag *why);
#endif
