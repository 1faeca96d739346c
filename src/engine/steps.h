/* steps.h - the steps of a running crawl, as its loop takes them and as they call each
 * other. */
#ifndef ENGINE_STEPS_H
#define ENGINE_STEPS_H

#include "engine/state.h"
#include "pipeline/harvest.h"

struct worker {
	struct crawl *crawl;
	unsigned nr;
	struct thread thread;
	struct harvest harvest;
	struct focus_worker focus;
	struct buf text; /* being made */
	struct encoder encoder;
	struct crawl_item *unpaired; /* its digest waits for that of another page */
};

/* ends.c: begin a request: it gets its number */
void crawl_start_request(struct crawl *c, struct crawl_item *i);

/* workers.c */
must_use enum status workers_start(struct crawl *c, struct diag *why);
void workers_stop(struct crawl *c);

/* A batch is handed over when it has so much, or at the end of a turn of the loop. */
#define BATCH_FULL ((size_t)256 * 1024)

/* pool.c: items, and the batch that collects lines which belong to no page */
struct crawl_item *crawl_take_item(struct crawl *c);
void crawl_give_item(struct crawl *c, struct crawl_item *i);
/* Its page has come: memory to work on it, until it is given back. */
void crawl_attach_buffers(struct crawl *c, struct crawl_item *i);
void crawl_release_pool(struct crawl *c);
/* The open batch, made when there is none. */
struct crawl_item *journal_batch(struct crawl *c);
void journal_batch_add(struct crawl *c, const struct journal_record *r);
/* Hand the batch to the writer. */
void journal_batch_send(struct crawl *c);
void item_add_record(struct crawl_item *i, const struct journal_record *r);

/* types.c: bodies that nobody wants */
bool crawl_wants_body(void *ctx, void *cookie, int status, struct str header);
void crawl_note_refused(struct crawl *c, struct crawl_item *i);

/* robots_answer.c */
void crawl_robots_fetched(struct crawl *c, struct crawl_item *i);

/* answered.c: the end of a transfer */
void crawl_fetched(void *ctx, void *cookie, struct fetch_result *r);
/* Now that there is a connection: may it still be sent? */
bool crawl_may_send(void *ctx, void *cookie);

/* judged.c: what becomes of a judged page and its links */
void crawl_decide(struct crawl *c, struct crawl_item *i);

/* due.c: the turn of a URL has come; true when it is to be fetched now */
bool crawl_due(struct crawl *c, struct frontier_step *s);
/* It is not fetched: count it and write it down. */
void crawl_drop(struct crawl *c, const struct frontier_step *s,
		const struct due_decision *d, struct str detail);

/* The time by which the frontier decides. */
static inline int64_t crawl_time_ms(const struct crawl *c)
{
	return crawl_clock_ms(&c->time);
}

static inline size_t crawl_in_flight(const struct crawl *c)
{
	return c->fetcher->ops->in_flight(c->fetcher);
}

/* ends.c: the first failure, or the first reason to stop, is the crawl's */
void crawl_fail(struct crawl *c, enum status st, const struct diag *why);
void crawl_stop(struct crawl *c, enum crawl_end end, const char *why);
#endif
