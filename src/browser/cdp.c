#include "browser/cdp.h"

#include "os/clock.h"

/* Longer than any event the protocol sends between; a browser that only talks is stuck.
 */
#define POLL_MS 50
/* No single wait takes longer; when it seems so, it was us who stood still. */
#define STEP_MAX_MS 500

/*
 * How long we still wait.  Time in which this process itself was stopped (by a signal,
 * or with the whole machine) is not counted against the browser, which stood as still.
 */
struct patience {
	int64_t left_ms, at;
};

static struct patience patience_of(int64_t ms)
{
	return (struct patience){ ms, clock_mono_ms(&real_clock) };
}

static bool is_over(struct cdp *c, struct patience *p)
{
	int64_t now = clock_mono_ms(&real_clock);
	int64_t step = MIN(now - p->at, STEP_MAX_MS);

	p->left_ms -= step;
	p->at = now;
	c->waited_ms += step;
	return p->left_ms <= 0 || (c->deadline_ms && now >= c->deadline_ms);
}

void cdp_reply_release(struct cdp_reply *r)
{
	json_release(&r->message);
	r->result = NULL;
}

static enum status send_message(struct cdp *c, uint64_t id, struct str session,
				const char *method, struct str params, struct diag *why)
{
	cleanup(buf_release) struct buf b = BUF(TRANSPORT_MESSAGE_MAX);
	struct json_out o = { .to = &b };

	json_open(&o, '{');
	json_put_uint(&o, "id", id);
	json_put_str(&o, "method", str_from(method));
	if (params.n) {
		json_key(&o, STR("params"));
		json_add_raw(&o, params);
	}
	if (session.n)
		json_put_str(&o, "sessionId", session);
	json_close(&o, '}');
	TRY(buf_status(&b));
	return transport_send(c->transport, buf_str(&b), why);
}

enum status cdp_post(struct cdp *c, struct str session, const char *method,
		     struct str params, struct diag *why)
{
	c->calls++;
	return send_message(c, ++c->next_id, session, method, params, why);
}

enum status cdp_ask(struct cdp *c, struct str session, const char *method,
		    struct str params, uint64_t *ret_id, struct diag *why)
{
	TRY(cdp_post(c, session, method, params, why));
	*ret_id = c->next_id;
	return ST_OK;
}

/* The answer to something that nobody waits for. */
static void deliver_answer(struct cdp *c, const struct json *message)
{
	double id = json_number(json_get(message, "id"), 0);

	if (c->on_answer && id > 0)
		c->on_answer(c->ctx, (uint64_t)id, json_get(message, "result"),
			     json_get(message, "error"));
}

/* The next message as a tree; events are delivered here and give ST_AGAIN. */
static enum status take_message(struct cdp *c, int timeout_ms, struct json **ret,
				struct diag *why)
{
	struct str text;
	enum status st = transport_receive(c->transport, timeout_ms, &text, why);

	if (TAKE(c->transport->woken) && c->on_woken)
		c->on_woken(c->woken_ctx);
	TRY(st);
	TRY(json_parse(text, ret, why));
	const struct json *method = json_get(*ret, "method");
	if (!method)
		return ST_OK;
	c->events++;
	if (c->on_event)
		c->on_event(c->ctx, json_str(json_get(*ret, "sessionId")),
			    json_str(method), json_get(*ret, "params"));
	json_release(ret);
	return ST_AGAIN;
}

static enum status judge_answer(struct json *message, const char *method,
				struct cdp_reply *ret, struct diag *why)
{
	const struct json *error = json_get(message, "error");
	enum status st = ST_OK;

	if (error)
		st = diag_fail(why, ST_DENIED, "%s: " STR_FMT, method,
			       STR_ARG(json_str(json_get(error, "message"))));
	if (st == ST_OK && ret)
		*ret = (struct cdp_reply){ message, json_get(message, "result") };
	else
		json_release(&message);
	return st;
}

enum status cdp_call(struct cdp *c, struct str session, const char *method,
		     struct str params, struct cdp_reply *ret, struct diag *why)
{
	uint64_t id = ++c->next_id;
	struct patience patience =
		patience_of(c->timeout_ms ? c->timeout_ms : CDP_TIMEOUT_MS);

	c->calls++;
	TRY(send_message(c, id, session, method, params, why));
	for (;;) {
		struct json *message = NULL;

		if (is_over(c, &patience))
			return diag_fail(why, ST_TIMEOUT,
					 "%s: the browser does not answer", method);
		enum status st = take_message(c, (int)MIN(patience.left_ms, POLL_MS),
					      &message, why);
		if (st == ST_AGAIN)
			continue;
		TRY(st);
		if (json_number(json_get(message, "id"), -1) == (double)id)
			return judge_answer(message, method, ret, why);
		deliver_answer(c, message);
		json_release(&message);
	}
}

enum status cdp_wait(struct cdp *c, bool (*done)(void *ctx), void *ctx, int timeout_ms,
		     struct diag *why)
{
	struct patience patience = patience_of(timeout_ms);

	while (!done(ctx)) {
		struct json *message = NULL;

		if (is_over(c, &patience))
			return diag_fail(why, ST_TIMEOUT, "waited %d ms for the browser",
					 timeout_ms);
		enum status st = take_message(c, (int)MIN(patience.left_ms, POLL_MS),
					      &message, why);
		if (st != ST_OK && st != ST_AGAIN)
			return st;
		if (message)
			deliver_answer(c, message);
		json_release(&message);
	}
	return ST_OK;
}
