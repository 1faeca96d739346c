/*
 * cdp.h - the DevTools protocol: calls with their answers, events between.
 *
 * A call waits for its answer; events that arrive meanwhile go to `on_event`, and
 * answers to cdp_ask() to `on_answer`; both may post or ask, but not call.  Sessions are
 * flat: the empty session is the browser itself, every page, frame and worker has a name
 * of its own. Owned by one thread.
 */
#ifndef BROWSER_CDP_H
#define BROWSER_CDP_H

#include "base/json.h"
#include "browser/transport.h"

typedef void cdp_event_fn(void *ctx, struct str session, struct str method,
			  const struct json *params);

/* `error` is NULL unless the browser refused. */
typedef void cdp_answer_fn(void *ctx, uint64_t id, const struct json *result,
			   const struct json *error);

struct cdp {
	struct transport *transport;
	cdp_event_fn *on_event;   /* may be NULL */
	cdp_answer_fn *on_answer; /* may be NULL */
	void *ctx;
	void (*on_woken)(void *ctx); /* transport->wake_fd was rung; may only post */
	void *woken_ctx;
	uint64_t next_id;
	int timeout_ms;      /* of a call; 0 means CDP_TIMEOUT_MS */
	int64_t deadline_ms; /* by the machine's clock: nothing is waited for beyond; 0:
				none */
	uint64_t calls, events;
	int64_t waited_ms; /* for the browser in all, without the time that we were
			      stopped */
};

#define CDP_TIMEOUT_MS 30000

/* An answer: `result` points into `message`, which the caller releases. */
struct cdp_reply {
	struct json *message;
	const struct json *result;
};
void cdp_reply_release(struct cdp_reply *r);

/*
 * `params` is a JSON object, or empty.  ST_TIMEOUT when no answer came: the
 * browser hangs.  ST_DENIED when the browser answered with an error: its words
 * are in `why`.  `ret` may be NULL.
 */
must_use enum status cdp_call(struct cdp *c, struct str session, const char *method,
			      struct str params, struct cdp_reply *ret, struct diag *why);

/* Send without waiting; the answer is thrown away.  For use inside on_event. */
must_use enum status cdp_post(struct cdp *c, struct str session, const char *method,
			      struct str params, struct diag *why);
/* The same, but the answer goes to `on_answer` with this id. */
must_use enum status cdp_ask(struct cdp *c, struct str session, const char *method,
			     struct str params, uint64_t *ret_id, struct diag *why);
/* Deliver events until `done(ctx)` is true: ST_OK, or ST_TIMEOUT. */
must_use enum status cdp_wait(struct cdp *c, bool (*done)(void *ctx), void *ctx,
			      int timeout_ms, struct diag *why);
#endif
