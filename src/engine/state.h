/*
 * state.h - a running crawl, as its steps and its loop share it.
 *
 * Owned by the loop thread; what other threads have of it is handed to them item by item.
 * Only for engine/ and crawl/.
 */
#ifndef ENGINE_STATE_H
#define ENGINE_STATE_H

#include "apps/library.h"
#include "apps/watch.h"
#include "engine/crawl_clock.h"
#include "engine/events.h"
#include "engine/exchange.h"
#include "engine/failed.h"
#include "engine/render.h"
#include "engine/site_api.h"
#include "engine/steered.h"
#include "fetch/fetcher.h"
#include "hosts/cookies.h"
#include "hosts/copies.h"
#include "hosts/guesses.h"
#include "hosts/lease.h"
#include "hosts/probes.h"
#include "hosts/robots_cache.h"
#include "hosts/unreachable.h"
#include "journal/counts.h"
#include "journal/revisits.h"
#include "os/loop.h"
#include "os/progress.h"
#include "os/signals.h"
#include "pipeline/item.h"
#include "port/ports.h"
#include "spec/settings.h"
#include "watch/watch.h"
#include "writer/writer.h"

enum crawl_end {
	CRAWL_FINISHED, /* nothing left to fetch */
	CRAWL_LIMIT,    /* a limit of the settings: `why` names it */
	CRAWL_DISK_LOW,
	CRAWL_INTERRUPTED, /* by a signal */
	CRAWL_FAILED,      /* `why` says */
	CRAWL_BLOCKED,     /* the servers refused nearly everything */
};

struct crawl {
	struct crawl_settings *settings;
	struct str_list *seeds;
	const char *dir;
	const struct clock *clock, *upkeep;
	struct loop loop;
	struct signals signals;
	bool has_signals;
	const struct crawl_outside *outside;
	struct crawl_exchange *exchange; /* NULL: no other nodes */
	struct fetcher *fetcher;
	struct frontier frontier;
	bool frontier_open;
	struct dust_online *rules;             /* NULL when none are applied */
	struct focused *focused;               /* NULL when nothing is looked for */
	struct outside_module *outside_module; /* NULL: none */
	int64_t next_save_ms;
	uint64_t decided; /* pages whose links are decided: the next one's number */
	uint64_t learnt;  /* of them, told to url_rules_step() */
	int64_t learning_credit; /* see url_rules_step() */
	struct robots_cache robots;
	struct cookies cookies;
	struct probes probes;
	struct guesses guesses;
	struct copies copies;
	struct failed failed;
	struct crawl_render render;
	struct app_library apps; /* empty: no descriptions are used */
	struct app_watch views;
	struct seen_text said; /* by pages whose application is known */
	struct map app_of_server;
	struct map view_kinds; /* see app_views.c */
	struct site_apis site_apis;
	struct revisits revisits; /* empty unless something is asked again */
	uint64_t revisits_queued;
	bool revisiting;
	uint32_t round;        /* of asking for everything: 1 for the first */
	uint64_t scope_before; /* of the process before, see scope_hash() */
	int64_t review_ms;     /* when old decisions are looked at again; 0: never */
	char robots_line[160];
	struct str due_line; /* of robots.txt, on the URL that is due */
	struct crawl_ports ports;
	struct lease lease;
	uint64_t token_before;          /* of the lease of an earlier process */
	struct journal_link *unreached; /* see crawl_retry_unreached() */
	size_t n_unreached, unreached_cap;
	struct arena unreached_text;
	struct unreachable unreachable;
	enum reason limit; /* of CRAWL_LIMIT */
	struct writer writer;
	struct queue to_workers, to_loop;
	struct item_batch for_workers,
		for_writer; /* handed over before the loop sleeps */
	struct loop_wake wake;
	struct worker *workers;
	size_t n_workers;
	struct crawl_item *pool;
	struct item_room *rooms; /* lent to nobody */
	size_t n_rooms, rooms_cap;
	size_t items, items_max;  /* out of the pool, and at most */
	struct crawl_item *batch; /* collects lines of journal and ledger, or NULL */
	bool journal_is_whole;    /* a commit that was asked for is done */
	struct crawl_counts counts;
	struct progress progress;
	int64_t start_mono_ms, next_status_ms, next_disk_ms;
	struct crawl_clock time;
	struct crawl_events events;
	double rate; /* pages a second, lately */
	uint64_t rate_done;
	int64_t rate_ms;
	bool stopping, aborting;
	bool ended; /* all is written but the last words */
	enum crawl_end end;
	enum status st; /* of the first thing that failed */
	struct diag why;
	int64_t idle_until_ms; /* wall: nothing to dispatch before */
	struct steer steer;
	struct reorder *reorder; /* NULL: no scores are watched */
	struct watcher watch;
	uint64_t done_before; /* pages of earlier processes */
};

/* The world: its clock, its web.  `arg` is theirs. */
struct crawl_outside {
	const struct clock *clock;
	/* By which commits, the status, saves and the lease go; NULL: by `clock`.  Who
	 * lets hours pass in a second gives one that does not. */
	const struct clock *upkeep;
	fetcher_open_fn *open_fetcher;
	/* With one request at a time: let so much time pass instead of waiting for it.
	 * NULL: wait. */
	void (*pass_time)(void *arg, int64_t ms);
	void *arg;
	/* A recorded crawl that is to happen again; NULL: it happens now. */
	const struct crawl_script *script;
	/* The other nodes of the crawl; NULL: there are none. */
	struct crawl_exchange *exchange;
};
#endif
