#include "record/discovery.h"
#include "record/fetch.h"
#include "record/verdict.h"
#include "test.h"

static const struct fetch_task task = {
	.url = { "http://a/", 9 },
	.key = { 1, 2 },
	.via = { "http://b/", 9 },
	.hops = { "LLR", 3 },
	.source = { "http://s/", 9 },
	.etag = { "\"x\"", 3 },
	.modified_ms = 1700000000000,
	.not_before_ms = -1,
	.depth = 3,
	.priority = 200,
	.attempt = 2,
	.kind = FETCH_EXPLORE,
};

static void a_task_survives_its_bytes(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct fetch_task t;

	fetch_task_encode(&task, &b);
	CHECK(fetch_task_decode(buf_str(&b), &t) == ST_OK);
	CHECK(str_eq(t.url, task.url) && str_eq(t.via, task.via) &&
	      str_eq(t.hops, task.hops));
	CHECK(str_eq(t.source, task.source) && str_eq(t.etag, task.etag));
	CHECK(u128_eq(t.key, task.key) && t.modified_ms == task.modified_ms);
	CHECK(t.not_before_ms == -1 && t.depth == 3 && t.priority == 200);
	CHECK(t.attempt == 2 && t.kind == FETCH_EXPLORE);
}

static void every_shorter_task_is_corrupt(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct fetch_task t = { .depth = 77 };

	fetch_task_encode(&task, &b);
	for (size_t n = 0; n < b.n; n++)
		CHECK(fetch_task_decode((struct str){ b.p, n }, &t) == ST_CORRUPT);
	buf_add_char(&b, 'x');
	CHECK(fetch_task_decode(buf_str(&b), &t) == ST_CORRUPT);
	CHECK(t.depth == 77); /* untouched by failure */
}

static void a_task_of_another_version_is_corrupt(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct fetch_task t;

	fetch_task_encode(&task, &b);
	b.p[0] = 9;
	CHECK(fetch_task_decode(buf_str(&b), &t) == ST_CORRUPT);
	b.p[0] = 1;
	b.p[1] = FETCH_REVISIT + 1;
	CHECK(fetch_task_decode(buf_str(&b), &t) == ST_CORRUPT);
}

static void a_verdict_survives_its_bytes(void)
{
	struct verdict v = {
		.kind = VERDICT_NEAR,
		.method = STR("oph128"),
		.score = 0.875,
		.threshold = 0.8,
		.distance = 5,
		.representative = 1234567890123,
		.representative_url = STR("http://a/"),
		.shared = 7,
		.only_here = 1,
		.only_there = 2,
	};
	cleanup(buf_release) struct buf b = { 0 };
	struct verdict w;

	verdict_encode(&v, &b);
	CHECK(verdict_decode(buf_str(&b), &w) == ST_OK);
	CHECK(w.kind == VERDICT_NEAR && str_eq(w.method, v.method) && w.score == 0.875);
	CHECK(w.threshold == 0.8 && w.distance == 5 && w.representative == 1234567890123);
	CHECK(str_eq(w.representative_url, v.representative_url));
	CHECK(w.shared == 7 && w.only_here == 1 && w.only_there == 2);
	for (size_t n = 0; n < b.n; n++)
		CHECK(verdict_decode((struct str){ b.p, n }, &w) == ST_CORRUPT);
}

static void a_key_equal_to_the_url_costs_one_byte(void)
{
	struct discovery d = {
		.url = STR("http://a/page"),
		.key = STR("http://a/page"),
		.via = STR("http://a/"),
		.depth = 2,
		.hop = HOP_LINK,
		.nofollow = true,
		.wanted = true,
	};
	cleanup(buf_release) struct buf same = { 0 }, other = { 0 };
	struct discovery e;

	discovery_encode(&d, &same);
	CHECK(discovery_decode(buf_str(&same), &e) == ST_OK);
	CHECK(str_eq(e.key, d.url) && e.nofollow && e.wanted && e.hop == 'L' &&
	      e.depth == 2);
	d.key = STR("http://a/");
	discovery_encode(&d, &other);
	CHECK(discovery_decode(buf_str(&other), &e) == ST_OK && str_eq(e.key, d.key));
	CHECK(other.n == same.n + d.key.n);
}

int main(void)
{
	RUN(a_task_survives_its_bytes);
	RUN(every_shorter_task_is_corrupt);
	RUN(a_task_of_another_version_is_corrupt);
	RUN(a_verdict_survives_its_bytes);
	RUN(a_key_equal_to_the_url_costs_one_byte);
	DONE();
}
