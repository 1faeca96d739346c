#include "api/replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "base/map.h"
#include "os/file.h"

#define FILE_MAX ((size_t)128 << 20)

struct replay {
	struct fetcher base; /* first */
	char *dir;
	const struct secrets *secrets;
	fetch_done_fn *on_done;
	void *ctx;
	struct map times; /* hash of the request -> answers given */
};

static uint64_t request_hash(const struct secrets *s, const struct fetch_task *t)
{
	cleanup(buf_release) struct buf url = { 0 }, post = { 0 };
	struct str body = t->post.p ? t->post : STR("");

	return hash64_seeded(secrets_redact(s, t->url, &url),
			     hash64(secrets_redact(s, body, &post)));
}

static void add_name(struct buf *to, const char *dir, uint64_t hash, uint64_t nr)
{
	buf_addf(to, "%s/", dir);
	buf_add_hex64(to, hash);
	buf_addf(to, "-%llu.answer", (unsigned long long)nr);
}

enum status replay_save(const char *dir, const struct secrets *s,
			const struct fetch_result *r, struct diag *why)
{
	cleanup(buf_release) struct buf file = BUF(FILE_MAX), name = { 0 }, url = { 0 };
	uint64_t hash = request_hash(s, r->task), nr = 0;

	do {
		buf_reset(&name);
		add_name(&name, dir, hash, nr++);
	} while (file_exists(buf_cstr(&name)));
	buf_addf(&file, "%d %u %zu ", r->code, r->truncated, r->header.n);
	buf_add(&file, secrets_redact(s, r->task->url, &url));
	buf_add_char(&file, '\n');
	buf_add(&file, r->header);
	buf_add(&file, r->body);
	TRY(buf_status(&file));
	return file_replace(buf_cstr(&name), buf_str(&file), why);
}

/* "code truncated header-bytes url", header, body. */
static bool parse_file(struct str in, struct arena *a, struct buf *body,
		       struct fetch_result *ret)
{
	struct str line, header;
	uint64_t code, truncated, n;

	if (!str_take_line(&in, &line))
		return false;
	bool failed = str_take_char(&line, '-');
	if (!str_take_uint(&line, 10000, &code) || !str_take_char(&line, ' ') ||
	    !str_take_uint(&line, TRUNCATED_UNSPECIFIED, &truncated) ||
	    !str_take_char(&line, ' ') || !str_take_uint(&line, in.n, &n) ||
	    !str_take_bytes(&in, n, &header))
		return false;
	buf_reset(body);
	buf_add(body, in);
	ret->code = failed ? -(int)code : (int)code;
	ret->truncated = (uint8_t)truncated;
	ret->header = arena_copy(a, header);
	ret->body = buf_str(body);
	ret->body_bytes = body->n;
	ret->wire_bytes = header.n + body->n;
	return true;
}

static void replay_start(struct fetcher *f, const struct fetch_task *task,
			 struct arena *arena, struct buf *body, void *cookie)
{
	struct replay *p = (struct replay *)f;
	cleanup(buf_release) struct buf name = { 0 }, file = { 0 };
	uint64_t hash = request_hash(p->secrets, task);
	uint64_t *times = map_add(&p->times, hash, NULL);
	struct fetch_result r = { .task = task, .protocol = STR("http/1.1") };

	add_name(&name, p->dir, hash, (*times)++);
	if (file_load(buf_cstr(&name), FILE_MAX, &file, NULL) != ST_OK ||
	    !parse_file(buf_str(&file), arena, body, &r)) {
		r.code = FETCH_NOT_TRIED - 1;
		r.error = STR("not recorded");
	}
	p->on_done(p->ctx, cookie, &r);
}

static void replay_resolve(struct fetcher *f, struct str host, dns_done_fn *done,
			   void *arg)
{
	struct dns_answer a = { 0 };

	(void)f, (void)host;
	done(arg, &a);
}

static void replay_allow(struct fetcher *f, const struct url *seed)
{
	(void)f, (void)seed;
}

static size_t replay_in_flight(const struct fetcher *f)
{
	(void)f;
	return 0;
}

static void replay_nothing(struct fetcher *f)
{
	(void)f;
}

static void replay_close(struct fetcher *f)
{
	struct replay *p = (struct replay *)f;

	map_release(&p->times);
	free(p->dir);
	free(p);
}

enum status replay_open(struct fetcher **ret, const char *dir, const struct secrets *s,
			fetch_done_fn *on_done, void *ctx, struct diag *why)
{
	static const struct fetcher_ops ops = {
		.start = replay_start,
		.resolve = replay_resolve,
		.allow_seed = replay_allow,
		.in_flight = replay_in_flight,
		.abort_all = replay_nothing,
		.close = replay_close,
	};
	struct replay *p;

	if (!dir_exists(dir))
		return diag_fail(why, ST_NOT_FOUND, "%s: there is no such folder", dir);
	p = NEW(struct replay);
	*p = (struct replay){ .base = { &ops },
			      .dir = strdup(dir),
			      .secrets = s,
			      .on_done = on_done,
			      .ctx = ctx };
	*ret = &p->base;
	return ST_OK;
}
