#include "report/status.h"

#include "base/json.h"
#include "test.h"

static const struct crawl_status status = {
	.counts = { .done = 1234567,
		    .exact = 3,
		    .near = 4,
		    .rule_skips = 5,
		    .refused = 6,
		    .dropped = 7,
		    .received_bytes = 2500000,
		    .not_modified = 8,
		    .identical_bytes = 999 },
	.sites = { .active = 1, .waiting = 2, .waits = { [WAIT_ROBOTS] = 2 } },
	.queued = 500,
	.found = 9000,
	.in_flight = 11,
	.rate = 100,
	.elapsed_ms = 3661000,
};

static bool has(const struct buf *b, const char *text)
{
	return str_find(buf_str(b), str_from(text)) != STR_NONE;
}

static void the_lines_tell_the_numbers(void)
{
	cleanup(buf_release) struct buf b = { 0 };

	status_format(&status, &b);
	CHECK(has(&b, "1,234,567 fetched  500 queued  9,000 found  100/s  2.5 MB"));
	CHECK(has(&b, "1:01:01") && has(&b, "1 active, 2 waiting (2 for robots.txt)"));
	CHECK(has(&b, "11 requests in flight"));
	CHECK(has(&b, "duplicates: 3 (999 B not stored again)  near-duplicates: 4"));
	CHECK(has(&b, "skipped by rules: 5  refused: 13"));
	CHECK(has(&b, "the queue lasts 0:00:05"));
}

static void the_json_is_json(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json *v = NULL;
	struct diag why;

	status_format_json(&status, &b);
	CHECK(json_parse(buf_str(&b), &v, &why) == ST_OK);
	CHECK(json_number(json_get(v, "done"), 0) == 1234567);
	CHECK(json_number(json_get(v, "not_modified"), 0) == 8);
	CHECK(json_number(json_get(v, "in_flight"), 0) == 11 && !json_get(v, "ended"));
	json_release(&v);
}

int main(void)
{
	RUN(the_lines_tell_the_numbers);
	RUN(the_json_is_json);
	DONE();
}
