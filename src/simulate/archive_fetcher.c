#include "simulate/archive_fetcher.h"

#include <stdlib.h>
#include <string.h>

#include "os/file.h"
#include "warc/stored_head.h"

#define SPOOL_ABOVE ((uint64_t)4 << 20) /* as fetch.h has it */
#define ANSWER_MS   5

static const char not_recorded[] = "HTTP/1.1 404 Not in the archive\r\n"
				   "Content-Type: text/plain\r\n\r\n";

static uint32_t find(const struct archive_fetcher *f, const struct fetch_task *task)
{
	uint32_t nr = recorded_find(f->web, task->url);

	for (unsigned k = 0; nr != RECORDED_NONE && k < task->attempt; k++)
		if (f->web->v[nr].next != RECORDED_NONE)
			nr = f->web->v[nr].next;
	return nr;
}

/* What is too large for memory in a crawl is so here: it is not parsed either. */
static enum status spool(struct archive_fetcher *f, struct arena *a, struct buf *body,
			 struct fetch_result *r, struct diag *why)
{
	cleanup(buf_release) struct buf name = { 0 };

	buf_addf(&name, "simulated-%u", f->spooled++);
	char *path = path_join(a, f->spool_dir, buf_str(&name));
	TRY(file_replace(path, buf_str(body), why));
	r->spool = str_from(path);
	r->body = STR("");
	buf_reset(body);
	return ST_OK;
}

static enum status answer(struct archive_fetcher *f, uint32_t nr, struct arena *a,
			  struct buf *body, void *cookie, struct fetch_result *r)
{
	struct diag why;

	TRY(recorded_read(f->web, nr, a, &r->header, body, &why));
	struct stored_head head;
	stored_head_parse(r->header, &head);
	r->code = head.status;
	r->wire_bytes = r->header.n + body->n;
	if (f->wants_body && !f->wants_body(f->ctx, cookie, r->code, r->header)) {
		buf_reset(body);
		r->truncated = TRUNCATED_UNSPECIFIED;
		r->wire_bytes = r->header.n;
	}
	r->body = buf_str(body);
	r->body_bytes = body->n;
	return body->n > SPOOL_ABOVE ? spool(f, a, body, r, &why) : ST_OK;
}

static void start(struct fetcher *base, const struct fetch_task *task,
		  struct arena *arena, struct buf *body, void *cookie)
{
	struct archive_fetcher *f = (struct archive_fetcher *)base;
	uint32_t nr = find(f, task);
	struct fetch_result r = { .start_ms = clock_wall_ms(&f->clock.base),
				  .duration_ms = ANSWER_MS,
				  .ip = STR("127.0.0.1"),
				  .protocol = STR("http/1.1"),
				  .request = STR("GET / HTTP/1.1\r\n\r\n") };

	buf_reset(body);
	if (nr != RECORDED_NONE && answer(f, nr, arena, body, cookie, &r) != ST_OK) {
		f->damaged++;
		nr = RECORDED_NONE;
	}
	if (nr == RECORDED_NONE) {
		f->unknown++;
		buf_reset(body);
		r.code = 404;
		r.header = str_from(not_recorded);
		r.wire_bytes = r.header.n;
		r.body = buf_str(body);
		r.body_bytes = 0;
	}
	f->on_done(f->ctx, cookie, &r);
}

static void resolve(struct fetcher *base, struct str host, dns_done_fn *done, void *arg)
{
	struct archive_fetcher *f = (struct archive_fetcher *)base;
	struct dns_answer a = { .n = 1, .ips = { recorded_address(f->web, host) } };

	done(arg, &a);
}

static void allow_seed(struct fetcher *f, const struct url *seed)
{
	(void)f, (void)seed;
}

static size_t in_flight(const struct fetcher *f)
{
	(void)f;
	return 0;
}

static void abort_all(struct fetcher *f)
{
	(void)f;
}

static void close_archive(struct fetcher *base)
{
	struct archive_fetcher *f = (struct archive_fetcher *)base;

	free(f->spool_dir);
	f->spool_dir = NULL;
}

void archive_fetcher_pass_time(void *arg, int64_t ms)
{
	fake_clock_pass(&((struct archive_fetcher *)arg)->clock, ms);
}

enum status archive_fetcher_open(struct fetcher **ret, void *arg, struct loop *loop,
				 const struct fetch_options *options,
				 fetch_done_fn *on_done, void *ctx, struct diag *why)
{
	static const struct fetcher_ops ops = {
		.start = start,
		.resolve = resolve,
		.allow_seed = allow_seed,
		.in_flight = in_flight,
		.abort_all = abort_all,
		.close = close_archive,
	};
	struct archive_fetcher *f = arg;

	(void)loop, (void)why;
	f->base.ops = &ops;
	f->wants_body = options->wants_body;
	f->on_done = on_done;
	f->ctx = ctx;
	f->spool_dir = strndup(options->spool_dir.p, options->spool_dir.n);
	*ret = &f->base;
	return ST_OK;
}
