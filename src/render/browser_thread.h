/* browser_thread.h - one browser of the pool; for the files of render/ only. */
#ifndef RENDER_BROWSER_THREAD_H
#define RENDER_BROWSER_THREAD_H

#include "browser/tab.h"
#include "render/pool.h"

#define REQUESTS_PER_PAGE 400 /* more are refused */

/* What the owner said to a request. */
struct render_reply {
	uint64_t number, token;
	int code; /* 0: refused, `header` has the words */
	struct buf header, body;
};

/* An answer as DevTools wants it. */
struct answer_bytes {
	struct buf fields, body;
};

struct render_browser {
	struct render_pool *pool;
	unsigned nr;
	struct thread thread;
	struct queue jobs; /* one at most */
	bool busy;         /* the owner's: it has one */
	struct queue replies;
	int wake_fd;
	char profiles[4096]; /* folder */
	/* the thread's own: */
	struct browser browser;
	struct tab *tab;
	struct gate gate;
	struct render_job *job;
	struct rendering *out;        /* of the present attempt */
	struct answer_bytes document; /* of the job, while it is sent */
	bool running, given, cancelled;
	uint32_t pages;      /* that this browser has shown */
	int64_t started_ms;  /* when it began */
	int64_t page_end_ms; /* when the present page must be done, waits included */
	uint32_t allowed_ms; /* real time for what is done now, without waits */
};

/* page.c: show the page of `b->job`, make it grow, and take it down in `b->out`. */
must_use enum status render_page(struct render_browser *b, struct diag *why);
/* pool.c: so much time for what follows; waits for answers begin it anew. */
void render_allow(struct render_browser *b, uint32_t ms);
/* requests.c: what the page requests. */
struct gate render_gate(struct render_browser *b);
/* The owner has answered something; also told when the pool is cancelled. */
void render_take_replies(void *ctx);
void render_reply_free(struct render_reply *r);
#endif
