#include "simulate/replay_fetcher.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "os/file.h"

#define SPOOL_ABOVE ((uint64_t)4 << 20) /* as fetch.h has it */

struct replay_request {
	struct arena *arena;
	struct buf *body;
	void *cookie; /* NULL once it was answered */
};

struct replay_name {
	dns_done_fn *done; /* NULL once it was resolved */
	void *arg;
};

static void start(struct fetcher *base, const struct fetch_task *task,
		  struct arena *arena, struct buf *body, void *cookie)
{
	struct replay_fetcher *f = (struct replay_fetcher *)base;

	(void)task;
	VEC_ADD(f->requests, f->n_requests, f->requests_cap,
		(struct replay_request){ arena, body, cookie });
	f->in_flight++;
}

static void resolve(struct fetcher *base, struct str host, dns_done_fn *done, void *arg)
{
	struct replay_fetcher *f = (struct replay_fetcher *)base;

	(void)host;
	VEC_ADD(f->names, f->n_names, f->names_cap, (struct replay_name){ done, arg });
}

/* --- what happens --- */

static void resolved(struct replay_fetcher *f, const struct trace_event *e)
{
	struct dns_answer a = { .temporary = e->outcome == TRACE_NO_ADDRESS_YET };

	if (e->request >= f->n_names || !f->names[e->request].done)
		return;
	struct replay_name name = TAKE(f->names[e->request]);
	if (e->outcome == TRACE_ADDRESS || e->outcome == TRACE_ADDRESS_BUSY) {
		a.n = 1;
		a.ips[0].n = e->ip_bytes;
		memcpy(a.ips[0].bytes, e->ip, e->ip_bytes);
	}
	name.done(name.arg, &a);
}

static enum status spool(struct replay_fetcher *f, struct arena *a, struct buf *body,
			 struct fetch_result *r, struct diag *why)
{
	cleanup(buf_release) struct buf name = { 0 };

	buf_addf(&name, "replayed-%u", f->spooled++);
	char *path = path_join(a, f->spool_dir, buf_str(&name));
	TRY(file_replace(path, buf_str(body), why));
	r->spool = str_from(path);
	r->body = STR("");
	buf_reset(body);
	return ST_OK;
}

/* Head and body, from the archive. */
static enum status read_answer(struct replay_fetcher *f, const struct recorded_done *d,
			       const struct replay_request *q, struct fetch_result *r)
{
	struct diag why;

	TRY(recorded_read(&f->recording->web, d->answer, q->arena, &r->header, q->body,
			  &why));
	if (f->wants_body && !f->wants_body(f->ctx, q->cookie, r->code, r->header))
		buf_reset(q->body);
	r->body = buf_str(q->body);
	r->body_bytes = q->body->n;
	return q->body->n > SPOOL_ABOVE ? spool(f, q->arena, q->body, r, &why) : ST_OK;
}

static struct replay_request *find(struct replay_fetcher *f, uint64_t request)
{
	return request < f->n_requests && f->requests[request].cookie
		       ? &f->requests[request]
		       : NULL;
}

static void answered(struct replay_fetcher *f, const struct trace_event *e)
{
	struct replay_request *open = find(f, e->request);
	const struct recorded_done *d = recorded_done_of(f->process, e->request);
	struct fetch_result r = { .code = e->code,
				  .cause = e->cause,
				  .truncated = e->truncated,
				  .duration_ms = e->duration_ms,
				  .wire_bytes = e->wire_bytes,
				  .error = e->error,
				  .header = STR(""),
				  .body = STR("") };

	if (!open)
		return;
	struct replay_request q = TAKE(*open);
	f->in_flight--;
	buf_reset(q.body);
	if (d) {
		r.start_ms = d->start_ms;
		f->missing += !d->is_archived;
	}
	if (d && d->answer != RECORDED_NONE && e->code > 0)
		f->missing += read_answer(f, d, &q, &r) != ST_OK;
	f->on_done(f->ctx, q.cookie, &r);
}

static void end_request(struct replay_fetcher *f, uint64_t request, int code)
{
	struct replay_request *open = find(f, request);

	if (!open)
		return;
	struct replay_request q = TAKE(*open);
	f->in_flight--;
	f->on_done(f->ctx, q.cookie, &(struct fetch_result){ .code = code });
}

void replay_fetcher_happen(void *arg, const struct trace_event *e)
{
	struct replay_fetcher *f = arg;

	if (e->kind == TRACE_RESOLVED)
		resolved(f, e);
	else if (e->kind == TRACE_ANSWER)
		answered(f, e);
	else
		end_request(f, e->request, FETCH_DEFERRED);
}

void replay_fetcher_give_up(void *arg)
{
	struct replay_fetcher *f = arg;

	for (size_t k = 0; k < f->n_requests; k++)
		end_request(f, k, FETCH_TIMED_OUT);
	for (size_t k = 0; k < f->n_names; k++)
		resolved(f, &(struct trace_event){ .request = k,
						   .outcome = TRACE_NO_ADDRESS_YET });
}

/* --- the rest of a fetcher --- */

static void allow_seed(struct fetcher *f, const struct url *seed)
{
	(void)f, (void)seed;
}

static size_t in_flight(const struct fetcher *f)
{
	return ((const struct replay_fetcher *)f)->in_flight;
}

static void abort_all(struct fetcher *f)
{
	(void)f;
}

static void close_replay(struct fetcher *base)
{
	struct replay_fetcher *f = (struct replay_fetcher *)base;

	free(f->requests);
	free(f->names);
	free(f->spool_dir);
	*f = (struct replay_fetcher){ .recording = f->recording, .missing = f->missing };
}

enum status replay_fetcher_open(struct fetcher **ret, void *arg, struct loop *loop,
				const struct fetch_options *options,
				fetch_done_fn *on_done, void *ctx, struct diag *why)
{
	static const struct fetcher_ops ops = {
		.start = start,
		.resolve = resolve,
		.allow_seed = allow_seed,
		.in_flight = in_flight,
		.abort_all = abort_all,
		.close = close_replay,
	};
	struct replay_fetcher *f = arg;

	(void)loop, (void)why;
	f->base.ops = &ops;
	f->wants_body = options->wants_body;
	f->on_done = on_done;
	f->ctx = ctx;
	f->spool_dir = strndup(options->spool_dir.p, options->spool_dir.n);
	*ret = &f->base;
	return ST_OK;
}
