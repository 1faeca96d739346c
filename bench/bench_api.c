/*
 * How many small answers per second a campaign takes in, on one core: request, meaning,
 * WARC record, item, triples, links, journal, commits; with --kb also the knowledge base.
 * No socket: the answers are made here, so it is the price of this side alone.
 *
 *   bench_api [ANSWERS] [nowarc|kb]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "api/run.h"
#include "os/clock.h"
#include "service/secrets.h"

static struct {
	struct fetcher base; /* first */
	fetch_done_fn *on_done;
	void *ctx;
	uint64_t n, most;
} web;

static const char service[] =
	"{\"service\":\"bench\",\"base_url\":\"http://bench.example\",\"delay\":0,"
	"\"concurrency\":8,\"interactions\":{\"posts\":{\"kind\":\"post\",\"request\":{"
	"\"path\":\"/posts\"},\"paginate\":{\"type\":\"page\",\"param\":\"page\"},"
	"\"items\":\"items[*]\",\"id\":\"{id}\",\"map\":[{\"subject\":\"{url}\",\"a\":["
	"\"sioc:Post\",\"schema:BlogPosting\"],\"schema:name\":\"{title}\","
	"\"sioc:content\":\"{text|text}\",\"schema:dateCreated\":\"{date|iso}^^xsd:"
	"dateTime\",\"sioc:has_creator\":\"<http://bench.example/u/{author}>\","
	"\"sioc:links_to\":\"<{text|links}>\"}],\"links\":[{\"url\":\"{text|links}\"}]}}"
	"}";

static void start(struct fetcher *f, const struct fetch_task *task, struct arena *arena,
		  struct buf *body, void *cookie)
{
	unsigned long long i = web.n++;
	struct fetch_result r = {
		.task = task,
		.code = 200,
		.start_ms = clock_wall_ms(&real_clock),
		.duration_ms = 5,
		.ip = STR("127.0.0.1"),
		.protocol = STR("http/1.1"),
		.request = STR("GET /posts HTTP/1.1\r\nHost: bench.example\r\n\r\n"),
		.header =
			STR("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"),
	};

	(void)f;
	buf_reset(body);
	buf_addf(body, "{\"items\":[");
	for (unsigned k = 0; i < web.most && k < 2; k++)
		buf_addf(body,
			 "%s{\"id\":%llu,\"url\":\"http://bench.example/p/%llu\","
			 "\"title\":\"Post %llu\",\"author\":\"u%llu\",\"date\":"
			 "\"2026-11-17T05:00:00Z\",\"text\":\"<p>Some words on the sun, "
			 "number %llu, and <a href=\\\"https://l%llu.example/\\\">a "
			 "link</a> to more of them; this is what a short post "
			 "has.</p>\"}",
			 k ? "," : "", 2 * i + k, 2 * i + k, 2 * i + k, i % 1000, i, i);
	buf_addf(body, "]}");
	r.body = buf_str(body);
	r.body_bytes = body->n;
	(void)arena;
	web.on_done(web.ctx, cookie, &r);
}

static void resolve(struct fetcher *f, struct str host, dns_done_fn *done, void *arg)
{
	struct dns_answer a = { 0 };

	(void)f, (void)host;
	done(arg, &a);
}

static void allow(struct fetcher *f, const struct url *u)
{
	(void)f, (void)u;
}

static size_t none(const struct fetcher *f)
{
	(void)f;
	return 0;
}

static void nothing(struct fetcher *f)
{
	(void)f;
}

static enum status open_web(struct fetcher **ret, void *arg, struct loop *loop,
			    const struct fetch_options *o, fetch_done_fn *on_done,
			    void *ctx, struct diag *why)
{
	static const struct fetcher_ops ops = { start, resolve, allow,
						none,  nothing, nothing };

	(void)arg, (void)loop, (void)o, (void)why;
	web.base.ops = &ops;
	web.on_done = on_done;
	web.ctx = ctx;
	*ret = &web.base;
	return ST_OK;
}

static enum status run(const char *dir, const char *how, struct api_result *ret,
		       struct diag *why)
{
	struct api_outside outside = { &real_clock, open_web, NULL, NULL };
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(doc_release) struct api_doc d = { 0 };
	cleanup(catalog_release) struct catalog catalog = { .dir = dir };
	cleanup(secrets_release) struct secrets secrets = { 0 };
	struct fetch_options fetch = { .user_agent = STR("bench") };
	struct api_run_options o = { .dir = dir,
				     .secrets = &secrets,
				     .fetch = &fetch,
				     .no_kb = strcmp(how, "kb") != 0,
				     .no_warc = strcmp(how, "nowarc") == 0 };
	struct campaign c = { 0 };

	TRY(file_save(path_join(&a, dir, STR("bench.json")), str_from(service), why));
	TRY(doc_parse(&d, STR("c"), STR("{\"name\":\"c\",\"services\":[\"bench\"]}"),
		      why));
	TRY(campaign_parse(&d, &catalog, &c, why));
	enum status st = api_run(&outside, &c, 1, &o, ret, why);
	campaign_release(&c);
	return st;
}

int main(int argc, char **argv)
{
	char dir[] = "/tmp/bench-api-XXXXXX";
	const char *how = argc > 2 ? argv[2] : "";
	struct api_result r;
	struct diag why;
	struct rusage u;

	web.most = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
	if (!mkdtemp(dir))
		return 1;
	int64_t begin = clock_mono_ms(&real_clock);
	if (run(dir, how, &r, &why) != ST_OK) {
		fprintf(stderr, "bench_api: %s\n", why.text);
		return 1;
	}
	double s = (double)(clock_mono_ms(&real_clock) - begin) / 1000;
	getrusage(RUSAGE_SELF, &u);
	double cpu = (double)u.ru_utime.tv_sec + (double)u.ru_stime.tv_sec +
		     (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
	printf("%llu answers, %llu items, %llu triples in %.2f s, %.2f s of a core: %.0f "
	       "answers/s, %.0f per core\n",
	       (unsigned long long)r.counts.requests,
	       (unsigned long long)r.counts.new_items,
	       (unsigned long long)r.counts.triples, s, cpu,
	       (double)r.counts.requests / s, (double)r.counts.requests / cpu);
	return dir_remove(dir, &why) == ST_OK ? 0 : 1;
}
