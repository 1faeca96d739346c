/*
 * api_web.h - whole campaigns without sockets: a fetcher that asks the mock of testweb,
 * and a clock that jumps.  Include it in one test file.
 */
#ifndef TESTS_API_WEB_H
#define TESTS_API_WEB_H

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "api/run.h"
#include "base/encode.h"
#include "service/secrets.h"
#include "test.h"
#include "testweb/api_mock.h"
#include "tmp.h"
#include "warc/digest.h"

struct api_web {
	struct fetcher base; /* first */
	struct api_mock mock;
	struct fake_clock clock;
	fetch_done_fn *on_done;
	void *ctx;
	uint64_t started;
	uint64_t kill_at; /* this request is the last thing that happens; 0: none */
	bool kill_late;   /* after its answer was taken */
	FILE *log;        /* times of requests; NULL: none */
	unsigned stream;  /* messages that /subscribe has, as Jetstream sends them */
	struct buf targets;
};

static struct api_web api_web;

static struct str api_web_field(struct str fields, const char *name)
{
	struct str line;

	while (str_take_line(&fields, &line))
		if (str_starts(line, str_from(name)))
			return str_trim(str_skip(line, str_from(name).n));
	return STR("");
}

/* The answer to the key of an upgrade (RFC 6455, 4.2.2). */
static void api_web_accept(struct str key, struct buf *to)
{
	cleanup(buf_release) struct buf text = { 0 };
	uint8_t sum[SHA1_BYTES];
	struct digest d;

	buf_add(&text, key);
	buf_add(&text, STR("258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
	digest_init(&d, DIGEST_SHA1);
	digest_of(&d, buf_str(&text), sum);
	digest_release(&d);
	buf_add_base64(to, (struct str){ (const char *)sum, sizeof(sum) });
}

static void api_web_frame(struct str text, struct buf *to)
{
	buf_add_u8(to, 0x81);
	buf_add_u8(to, 126);
	buf_add_u8(to, (uint8_t)(text.n >> 8));
	buf_add_u8(to, (uint8_t)text.n);
	buf_add(to, text);
}

/*
 * A slice of the stream: messages from the cursor on, which is sent once more as servers
 * do; the last one is cut within its frame.
 */
static void api_web_slice(const struct api_web *w, const struct fetch_task *task,
			  struct api_mock_answer *a)
{
	cleanup(buf_release) struct buf text = { 0 };
	size_t at = str_find(task->url, STR("cursor="));
	uint64_t from = 0;
	struct str rest = at == STR_NONE ? STR("") : str_skip(task->url, at + 7);

	str_take_uint(&rest, UINT32_MAX, &from);
	a->status = 101;
	a->is_truncated = true;
	buf_add(&a->header, STR("HTTP/1.1 101 Switching Protocols\r\n"
				"Sec-WebSocket-Accept: "));
	api_web_accept(api_web_field(task->fields, "Sec-WebSocket-Key:"), &a->header);
	buf_add(&a->header, STR("\r\n\r\n"));
	for (uint64_t k = from; k < w->stream && k < from + 20; k++) {
		buf_reset(&text);
		buf_addf(&text,
			 "{\"did\":\"did:plc:a\",\"time_us\":%llu,\"commit\":{"
			 "\"collection\":\"app.bsky.feed.post\",\"rkey\":\"k%llu\","
			 "\"record\":{\"createdAt\":\"2026-11-17T05:00:00Z\","
			 "\"text\":\"%s power %llu\"}}}",
			 (unsigned long long)k, (unsigned long long)k,
			 k % 3 == 0 ? "solar" : "other", (unsigned long long)k);
		api_web_frame(buf_str(&text), &a->body);
	}
	if (from + 20 < w->stream)
		a->body.n -= text.n / 2;
}

static void api_web_start(struct fetcher *f, const struct fetch_task *task,
			  struct arena *arena, struct buf *body, void *cookie)
{
	struct api_web *w = (struct api_web *)f;
	struct api_mock_answer a = { 0 };
	size_t path = str_find(str_skip(task->url, 8), STR("/"));
	struct fetch_result r = { .start_ms = clock_wall_ms(&w->clock.base),
				  .duration_ms = 5,
				  .ip = STR("127.0.0.1"),
				  .protocol = STR("http/1.1") };
	cleanup(buf_release) struct buf request = { 0 };

	w->started++;
	if (w->log) {
		fprintf(w->log, "%lld\n", (long long)r.start_ms);
		fflush(w->log);
	}
	if (w->started == w->kill_at && !w->kill_late)
		raise(SIGKILL);
	buf_add(&w->targets, str_skip(task->url, 8 + path));
	buf_add_char(&w->targets, '\n');
	if (w->stream > 0)
		api_web_slice(w, task, &a);
	else
		api_mock_answer(&w->mock,
				&(struct api_mock_request){
					.is_post = task->post.p != NULL,
					.target = str_skip(task->url, 8 + path),
					.authorization = api_web_field(task->fields,
								       "Authorization:"),
					.now_ms = r.start_ms },
				&a);
	buf_addf(&request, "GET %.*s HTTP/1.1\r\n%.*s\r\n",
		 STR_ARG(str_skip(task->url, 8 + path)), STR_ARG(task->fields));
	buf_reset(body);
	buf_add(body, buf_str(&a.body));
	r.code = a.status ? a.status : FETCH_CONNECTION_LOST;
	r.request = arena_copy(arena, buf_str(&request));
	r.header = a.status ? arena_copy(arena, buf_str(&a.header)) : STR("");
	r.body = buf_str(body);
	r.body_bytes = body->n;
	r.truncated = a.is_truncated ? TRUNCATED_DISCONNECT : TRUNCATED_NOT;
	api_mock_answer_release(&a);
	fake_clock_pass(&w->clock, 150);
	w->on_done(w->ctx, cookie, &r);
	if (w->started == w->kill_at)
		raise(SIGKILL);
}

static void api_web_resolve(struct fetcher *f, struct str host, dns_done_fn *done,
			    void *arg)
{
	struct dns_answer a = { 0 };

	(void)f, (void)host;
	done(arg, &a);
}

static void api_web_allow(struct fetcher *f, const struct url *u)
{
	(void)f, (void)u;
}

static size_t api_web_none(const struct fetcher *f)
{
	(void)f;
	return 0;
}

static void api_web_nothing(struct fetcher *f)
{
	(void)f;
}

static enum status api_web_open(struct fetcher **ret, void *arg, struct loop *loop,
				const struct fetch_options *options,
				fetch_done_fn *on_done, void *ctx, struct diag *why)
{
	static const struct fetcher_ops ops = {
		.start = api_web_start,
		.resolve = api_web_resolve,
		.allow_seed = api_web_allow,
		.in_flight = api_web_none,
		.abort_all = api_web_nothing,
		.close = api_web_nothing,
	};
	struct api_web *w = arg;

	(void)loop, (void)options, (void)why;
	w->base.ops = &ops;
	w->on_done = on_done;
	w->ctx = ctx;
	*ret = &w->base;
	return ST_OK;
}

static void api_web_pass(void *arg, int64_t ms)
{
	fake_clock_pass(&((struct api_web *)arg)->clock, ms);
}

static void api_web_begin(const struct api_mock_options *o)
{
	api_mock_release(&api_web.mock);
	buf_release(&api_web.targets);
	api_web = (struct api_web){ 0 };
	api_mock_init(&api_web.mock, o);
	fake_clock_init(&api_web.clock, 1790000000000);
}

/* Run the campaign of this YAML in `dir`, with descriptions of the folder `services`. */
static bool api_web_run(const char *dir, const char *services, const char *yaml,
			struct api_run_options o, struct api_result *ret)
{
	struct api_outside outside = { &api_web.clock.base, api_web_open, api_web_pass,
				       &api_web };
	cleanup(doc_release) struct api_doc d = { 0 };
	cleanup(catalog_release) struct catalog catalog = { .dir = services };
	cleanup(secrets_release) struct secrets secrets = { 0 };
	struct campaign c = { 0 };
	struct fetch_options fetch = { .user_agent = STR("test") };
	struct diag why = { { 0 } };
	enum status st = doc_parse(&d, STR("campaign.yaml"), str_from(yaml), &why);

	if (st == ST_OK)
		st = campaign_parse(&d, &catalog, &c, &why);
	o.dir = dir;
	o.secrets = &secrets;
	o.fetch = &fetch;
	if (st == ST_OK)
		st = api_run(&outside, &c, 1, &o, ret, &why);
	if (st != ST_OK)
		printf("# %s\n", why.text);
	campaign_release(&c);
	return st == ST_OK;
}

/* The text of a file in `dir`; lives until the next call. */
static struct str api_web_file(const char *dir, const char *name)
{
	static struct buf text;
	cleanup(arena_release) struct arena a = { 0 };

	buf_reset(&text);
	if (file_load(path_join(&a, dir, str_from(name)), (size_t)64 << 20, &text,
		      NULL) != ST_OK)
		return STR("");
	return buf_str(&text);
}

static size_t count_of(struct str text, const char *what)
{
	size_t n = 0;

	for (size_t at; (at = str_find(text, str_from(what))) != STR_NONE; n++)
		text = str_skip(text, at + 1);
	return n;
}
#endif
