/*
 * events.h - the events of the loop (journal/trace.h), written down while a crawl runs.
 * crawl/play.h makes them happen again from what was written.
 */
#ifndef ENGINE_EVENTS_H
#define ENGINE_EVENTS_H

#include "base/map.h"
#include "journal/trace.h"

struct crawl;
struct crawl_item;

/* What is to happen, made by whoever reads a trace. */
struct crawl_script {
	const struct trace_event *events;
	size_t n;
	/* Let this name be resolved, this request be answered or deferred. */
	void (*happen)(void *arg, const struct trace_event *e);
	/* The script has ended: requests without an answer get none any more. */
	void (*give_up)(void *arg);
	void *arg;
};

struct crawl_events {
	struct buf pending; /* recorded, and not yet in the journal */
	int64_t last_ms;
	uint64_t requests, names; /* numbers given so far */
	bool is_blind;
	/* playing */
	size_t at;          /* the next event of the script */
	struct map waiting; /* request -> item that waits to be judged */
	bool is_decided;
};

/* An event begins: the time it is decided by, and its line in the trace. */
void crawl_event(struct crawl *c, const struct trace_event *e);
void crawl_event_kind(struct crawl *c, enum trace_kind kind);
/* Something that no trace has. */
void crawl_blind(struct crawl *c, enum trace_blind why);
/* Pending events to the journal, when they are many or `all`. */
void crawl_flush_events(struct crawl *c, bool all);
void crawl_events_release(struct crawl_events *e);

/* The event of the script that happens now; NULL when nothing is played. */
const struct trace_event *crawl_played(const struct crawl *c);
/* A received answer on its way to the workers. */
void crawl_to_workers(struct crawl *c, struct crawl_item *i);
#endif
