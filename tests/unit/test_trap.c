#include "policy/trap.h"

#include "base/date.h"
#include "test.h"

static const struct trap_limits limits = {
	.max_segments = 20,
	.max_repeats = 2,
	.max_parameters = 12,
	.now_ms = 1790000000000, /* September 2026 */
};

static bool is(const char *text, const char *via_text, const char *trap)
{
	struct buf scratch = { 0 }, via_scratch = { 0 };
	struct url u, via;
	bool same = false;

	if (url_parse(str_from(text), NULL, &scratch, &u, NULL) == ST_OK &&
	    (!via_text ||
	     url_parse(str_from(via_text), NULL, &via_scratch, &via, NULL) == ST_OK))
		same = str_eq(
			reason_table[trap_find(&u, via_text ? &via : NULL, &limits)].word,
			str_from(trap));
	buf_release(&scratch);
	buf_release(&via_scratch);
	return same;
}

static void ordinary_urls_are_not_traps(void)
{
	static const char *const fine[] = {
		"http://a.org/",
		"http://a.org/2024/05/17/a-post",
		"http://a.org/2027/01/next-year",
		"http://a.org/events?year=2026&month=12",
		"http://a.org/a/b/a/c/a",
		"http://a.org/en/docs/en/index.html",
		"http://a.org/web/2010/http://www.b.org/x",
		"http://a.org/proxy/www.b.org/index.html",
		"http://a.org/x?a=1&a=2&a=3&b=1",
		"http://a.org/x?id=20310512",
		"http://a.org/product-2999/12",
		"http://a.org/x%2520y",
	};

	for (size_t i = 0; i < COUNT(fine); i++)
		CHECK(is(fine[i], "http://a.org/x", ""));
}

static void each_trap_has_its_name(void)
{
	CHECK(is("http://a.org/1/2/3/4/5/6/7/8/9/a/b/c/d/e/f/g/h/i/j/k/l", NULL,
		 "deep-path"));
	CHECK(is("http://a.org/img/img/img/", NULL, "repeated-segments"));
	CHECK(is("http://a.org/x/a/b/a/b/a/b", NULL, "repeated-segments"));
	CHECK(is("http://a.org/a/1/a/2/a/3/a/4/a/5", NULL, "repeated-segments"));
	CHECK(is("http://a.org/?a&b&c&d&e&f&g&h&i&j&k&l&m", NULL, "many-parameters"));
	CHECK(is("http://a.org/?s=1&s=1&s=1", NULL, "repeated-parameters"));
	CHECK(is("http://a.org/?u=%2525252F", NULL, "escaped-escapes"));
	CHECK(is("http://a.org/www.b.org/www.c.org/x", "http://a.org/www.b.org/",
		 "concatenated-host"));
	CHECK(is("http://a.org/x/www.b.org/www.c.org/y", "http://a.org/x/www.b.org/",
		 "concatenated-host"));
	CHECK(is("http://a.org/a/b/c/a/b/c/a/b/c", NULL, "repeated-segments"));
	CHECK(is("http://a.org/a/b/c/a/d/c/a/e/c", NULL, ""));
	CHECK(is("http://a.org/y/x/m/x/m", "http://a.org/y/x/m", ""));
	CHECK(is("http://a.org/p/q/z/q/z", "http://a.org/p/q/z", ""));
	CHECK(is("http://a.org/q/z/q/z", "http://a.org/q/z", ""));
	CHECK(is("http://a.org/z/z", "http://a.org/z", ""));
	CHECK(is("http://a.org/cal/2031/05", NULL, "calendar"));
	CHECK(is("http://a.org/cal?date=2031-05-01", NULL, "calendar"));
	CHECK(is("http://a.org/cal?month=5&year=2031", NULL, "calendar"));
}

/* A page whose links each add their own folder once more ends after a few rounds. */
static void a_relative_link_loop_ends(void)
{
	char path[256] = "http://a.org/list", via[256];
	unsigned rounds = 0;

	for (; rounds < 10; rounds++) {
		snprintf(via, sizeof(via), "%s", path);
		size_t n = 0;
		while (path[n])
			n++;
		snprintf(path + n, sizeof(path) - n, "/more/list");
		if (!is(path, via, ""))
			break;
	}
	CHECK(rounds <= 2);
}

/* Each limit is the last number that is fine. */
static void the_limit_itself_is_no_trap(void)
{
	CHECK(is("http://a.org/?s=1&s=1", NULL, ""));
	CHECK(is("http://a.org/x/a/b/a/b", NULL, ""));
	CHECK(is("http://a.org/x/a/b/a/b/a/b", NULL, "repeated-segments"));
	CHECK(is("http://a.org/?a&b&c&d&e&f&g&h&i&j&k&l", NULL, ""));
	CHECK(is("http://a.org/1/2/3/4/5/6/7/8/9/a/b/c/d/e/f/g/h/i/j/k", NULL, ""));
}

/* Far ahead, but no number that only looks like a year. */
static void a_calendar_s_years_have_two_ends(void)
{
	char url[64];
	int first = 2026, last;

	for (;; first++) {
		snprintf(url, sizeof(url), "http://a.org/cal/%d/05", first);
		if (is(url, NULL, "calendar"))
			break;
		CHECK(first < 2040);
	}
	last = first - 1 + 500;
	snprintf(url, sizeof(url), "http://a.org/cal/%d/05", last);
	CHECK(is(url, NULL, "calendar"));
	snprintf(url, sizeof(url), "http://a.org/cal/%d/05", last + 1);
	CHECK(is(url, NULL, ""));
}

int main(void)
{
	RUN(ordinary_urls_are_not_traps);
	RUN(each_trap_has_its_name);
	RUN(a_relative_link_loop_ends);
	RUN(the_limit_itself_is_no_trap);
	RUN(a_calendar_s_years_have_two_ends);
	DONE();
}
