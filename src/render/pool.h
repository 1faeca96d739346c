/*
 * pool.h - pages rendered by a few browsers, each on a thread of its own.
 *
 * The owner adds jobs and gets messages: a browser asks for something, or a job has
 * ended.  A browser reaches nobody: whatever its page requests is asked of the owner, who
 * answers from memory, fetches it as he fetches anything, or refuses.  Only GET and HEAD
 * are asked for.  A page that crashes or hangs costs its job one more attempt, with a
 * fresh browser; browsers are started with the first job and again by age.
 *
 * Every job comes back as a message, whatever happens.  All calls are the owner's.
 */
#ifndef RENDER_POOL_H
#define RENDER_POOL_H

#include "base/buf.h"
#include "os/queue.h"
#include "os/thread.h"
#include "record/rendering.h"

struct render_options {
	const char *program;  /* of the browser; NULL: the first that is installed */
	const char *profiles; /* a folder of ours for their profiles */
	const char *user_agent;
	unsigned browsers;
	uint32_t page_ms; /* real time for one page, waits for servers not counted */
	bool pictures;
};

/* One page.  The owner's until it is added, and again when it has ended. */
struct render_job {
	struct buf url;
	int code;
	struct buf header, body; /* the document, as received */
	bool presses;            /* what listens on it is pressed */
	struct rendering *result;
	void *cookie;
	uint64_t number; /* the pool's */
};

void render_job_free(struct render_job *j);

enum render_message_kind {
	RENDER_ASKS,  /* for `url`: render_pool_answer() or render_pool_refuse() */
	RENDER_ENDED, /* `job` is the owner's again */
};

struct render_message {
	uint8_t kind;           /* enum render_message_kind */
	unsigned browser;       /* which one asks */
	uint64_t number, token; /* of the job; of the request */
	struct buf url, fields; /* fields: "Name: value" lines that the page set */
	struct render_job *job; /* of RENDER_ENDED; of RENDER_ASKS the one that asks: its
				   cookie alone may be looked at */
};

void render_message_free(struct render_message *m);

struct render_browser; /* one thread */

struct render_pool {
	struct render_options options;
	struct queue *out; /* messages to the owner */
	struct render_browser *v;
	size_t n;
	uint64_t next_number;
	bool open;
};

/* Whether there is a browser, and otherwise how to get one. */
must_use enum status render_find_browser(const char *program, struct diag *why);
must_use enum status render_pool_start(struct render_pool *p,
				       const struct render_options *options,
				       struct queue *out, struct diag *why);
/*
 * Takes the job over; the first browser that is idle gets it, so that the others are not
 * started for one page.  Only while one is idle.
 */
void render_pool_add(struct render_pool *p, struct render_job *j);
/* `m`, of a job that has ended, was taken: its browser is idle. */
void render_pool_taken(struct render_pool *p, const struct render_message *m);
/* To a request: what the server answered, as received. */
void render_pool_answer(struct render_pool *p, const struct render_message *to, int code,
			struct str header, struct str body);
void render_pool_refuse(struct render_pool *p, const struct render_message *to,
			struct str why);
/* Jobs end as soon as they can, as cancelled. */
void render_pool_cancel(struct render_pool *p);
/* Ends the browsers.  Messages that are still in the queue are the owner's. */
void render_pool_stop(struct render_pool *p);
#endif
