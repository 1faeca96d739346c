/* archive_fixture.h - answers of servers for the tests of archive/. */
#ifndef ARCHIVE_FIXTURE_H
#define ARCHIVE_FIXTURE_H

#include "archive/archive.h"
#include "tmp.h"
#include "warc/warc_read.h"

#define FIXTURE_MS 1794713730123 /* 2026-11-15T03:35:30.123Z */

static struct fetch_task fixture_task(const char *url)
{
	return (struct fetch_task){ .url = str_from(url),
				    .via = STR("https://example.org/"),
				    .hops = STR("LL"),
				    .source = STR("https://example.org/") };
}

static struct fetch_result fixture_result(const struct fetch_task *t, struct str body)
{
	return (struct fetch_result){
		.task = t,
		.code = 200,
		.start_ms = FIXTURE_MS,
		.duration_ms = 87,
		.ip = STR("203.0.113.7"),
		.protocol = STR("http/1.1"),
		.tls = STR("tls/1.3"),
		.request = STR("GET /page HTTP/1.1\r\nHost: example.org\r\n\r\n"),
		.header = STR(
			"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
			"Transfer-Encoding: chunked\r\nX-Kept: yes\r\n\r\n"),
		.body = body,
		.body_bytes = body.n,
		.wire_bytes = body.n + 100,
	};
}

static inline struct archive_options fixture_options(const char *dir)
{
	static struct fake_clock clock;

	fake_clock_init(&clock, FIXTURE_MS);
	return (struct archive_options){ .dir = dir,
					 .clock = &clock.base,
					 .ids = { { 1 }, { 2 } },
					 .about = { .operator_name = STR("a tester"),
						    .robots = STR("obey") } };
}

/* Encode and append in one; false when either fails. */
static inline bool fixture_add(struct archive *a, const struct fetch_result *r,
			       const struct capture_options *o, struct archive_place *ret)
{
	struct capture c = { 0 };

	a->encoder.warcinfo = archive_warcinfo_id(a);
	bool ok = capture_encode(&a->encoder, r, o, &c, NULL) == ST_OK &&
		  archive_add(a, &c, r, ret, NULL) == ST_OK;
	capture_release(&c);
	return ok;
}

/* The only WARC file of a folder; empty when there is not exactly one. */
static inline const char *fixture_warc(const char *dir, struct arena *a)
{
	struct str_list names = { 0 };
	char *folder = path_join(a, dir, STR("archive"));
	const char *path = "";

	if (dir_list(folder, STR(""), a, &names, NULL) == ST_OK && names.n == 1)
		path = path_join(a, folder, names.v[0]);
	str_list_release(&names);
	return path;
}
#endif
