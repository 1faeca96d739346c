#include "serve/inject.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

static struct diag why;
static struct buf got;
static unsigned blocks;

static enum status sink(void *arg, struct str block, struct diag *w)
{
	struct demand d;

	(void)arg, (void)w;
	blocks++;
	while (demand_next(&block, &d) == ST_OK) {
		buf_addf(&got, "%s" STR_FMT, d.kind == DEMAND_BLACKLIST ? "!" : "",
			 STR_ARG(d.text));
		if (d.has_score)
			buf_addf(&got, "=%g", d.score);
		if (d.deadline_ms)
			buf_addf(&got, "@%lld", (long long)d.deadline_ms);
		buf_add_char(&got, ' ');
	}
	return ST_OK;
}

/* In pieces of `step` bytes. */
static enum status feed(const char *text, size_t step)
{
	struct str in = str_from(text);
	struct inject x;
	enum status st = ST_OK;

	buf_reset(&got);
	blocks = 0;
	inject_init(&x, 100, sink, NULL);
	for (size_t at = 0; st == ST_OK && at < in.n; at += step)
		st = inject_feed(&x, str_slice(in, at, at + step), &why);
	if (st == ST_OK)
		st = inject_end(&x, &why);
	inject_release(&x);
	return st;
}

static bool gives(const char *text, const char *want)
{
	for (size_t step = 1; step < 20; step++)
		if (feed(text, step) != ST_OK || !str_eq(buf_str(&got), str_from(want)))
			return false;
	return true;
}

static bool fails(const char *text, const char *words)
{
	for (size_t step = 1; step < 20; step += 6)
		if (feed(text, step) != ST_SYNTAX || !strstr(why.text, words))
			return false;
	return true;
}

static void an_array_or_lines_in_any_pieces(void)
{
	CHECK(gives("[]", ""));
	CHECK(gives("  ", ""));
	CHECK(gives("[{\"url\":\"http://a/\"}]", "http://a/ "));
	CHECK(gives("[ {\"url\":\"http://a/\",\"score\":0.5} ,\n{\"url\":\"http://b/\","
		    "\"blacklisted\":true}]\n",
		    "http://a/=0.5 !http://b/ "));
	CHECK(gives("{\"url\":\"http://a/\"}\n{\"url\":\"http://b/\",\"score\":1}\n",
		    "http://a/ http://b/=1 "));
	CHECK(gives("{\"url\":\"http://a/\\\"}{\\u00e9\"}", "http://a/\"}{\xc3\xa9 "));
	CHECK(gives("{\"url\":\"http://a/\",\"deadline\":1700000000000}",
		    "http://a/@1700000000000 "));
	CHECK(gives("{\"url\":\"http://a/\",\"deadline\":\"2023-11-14T22:13:20Z\","
		    "\"blacklisted\":false}",
		    "http://a/@1700000000000 "));
}

static void what_is_wrong_is_named(void)
{
	CHECK(fails("[{\"url\":\"http://a/\"} {\"url\":\"http://b/\"}]",
		    "element 1: unexpected '{'"));
	CHECK(fails("[{\"url\":\"http://a/\"},]", "unexpected ']'"));
	CHECK(fails("[{\"url\":\"http://a/\"}", "ends in the middle"));
	CHECK(fails("{\"url\":\"http://a/\"", "ends in the middle"));
	CHECK(fails("[]x", "unexpected 'x'"));
	CHECK(fails("null", "unexpected 'n'"));
	CHECK(fails("\xff", "unexpected byte"));
	CHECK(fails("[{\"url\":\"http://a/\"},{\"url\":\"http://b/\",\"colour\":1}]",
		    "element 1: unknown field \"colour\""));
	CHECK(str_eq(buf_str(&got), STR(""))); /* less than a block: nothing was taken */
	CHECK(fails("[{\"score\":1}]", "\"url\" is missing"));
	CHECK(fails("[{\"url\":7}]", "must be a string"));
	CHECK(fails("[{\"url\":\"ftp://a/\"}]", "only http and https"));
	CHECK(fails("[{\"url\":\"no url\"}]", "element 0: \"url\""));
	CHECK(fails("[{\"url\":\"http://a/\",\"score\":\"x\"}]", "must be a number"));
	CHECK(fails("[{\"url\":\"http://a/\",\"blacklisted\":1}]", "true or false"));
	CHECK(fails("[{\"url\":\"http://a/\",\"deadline\":\"soon\"}]", "must be a date"));
	CHECK(fails("[{\"url\":}]", "element 0"));
}

static void memory_is_bounded_whatever_comes(void)
{
	struct inject x;
	char text[128];
	enum status st = ST_OK;

	inject_init(&x, 1000, sink, NULL);
	buf_reset(&got);
	blocks = 0;
	for (unsigned i = 0; st == ST_OK && i < 1000; i++) {
		int n = snprintf(text, sizeof(text), "{\"url\":\"http://a/%u\"}\n", i);

		st = inject_feed(&x, (struct str){ text, (size_t)n }, &why);
		CHECK(x.block.n < 1100 && x.element.n < 100);
	}
	CHECK(st == ST_OK && inject_end(&x, &why) == ST_OK && x.n == 1000 && blocks > 10);
	inject_release(&x);
	inject_init(&x, 1000, sink, NULL);
	st = inject_feed(&x, STR("{\"url\":\"http://a/"), &why);
	for (unsigned i = 0; st == ST_OK && i < 10000; i++)
		st = inject_feed(&x, STR("aaaaaaaaaaaaaaaa"), &why);
	CHECK(st == ST_SYNTAX && strstr(why.text, "longer than"));
	inject_release(&x);
}

static bool patches(const char *text, unsigned kind)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct demand d;

	return patch_parse(str_from(text), &b, &d, &why) == ST_OK && d.kind == kind &&
	       str_eq(d.text, STR("/x"));
}

static void a_patch_has_a_pattern_and_one_action(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct demand d;

	CHECK(patches("{\"match\":\"/x\",\"score\":0.1}", DEMAND_SCORE));
	CHECK(patches("{\"drop\":true,\"match\":\"/x\"}", DEMAND_DROP));
	CHECK(patches("{\"match\":\"/x\",\"hold\":true}", DEMAND_HOLD));
	CHECK(patch_parse(STR("{\"match\":\"/x\"}"), &b, &d, &why) == ST_SYNTAX);
	CHECK(patch_parse(STR("{\"match\":\"(\",\"hold\":true}"), &b, &d, &why) ==
	      ST_SYNTAX);
	CHECK(patch_parse(STR("{\"match\":\"/x\",\"hold\":true,\"drop\":true}"), &b, &d,
			  &why) == ST_SYNTAX);
	CHECK(patch_parse(STR("[]"), &b, &d, &why) == ST_SYNTAX);
}

int main(void)
{
	RUN(an_array_or_lines_in_any_pieces);
	RUN(what_is_wrong_is_named);
	RUN(memory_is_bounded_whatever_comes);
	RUN(a_patch_has_a_pattern_and_one_action);
	buf_release(&got);
	DONE();
}
