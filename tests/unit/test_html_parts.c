#include <string.h>

#include "base/buf.h"
#include "html/anchor_windows.h"
#include "html/controls.h"
#include "test.h"

static size_t controls(const char *html, struct arena *a, uint64_t **ret)
{
	size_t n;

	controls_set(str_from(html), 1000, a, ret, &n);
	return n;
}

static bool same_controls(const char *x, const char *y)
{
	cleanup(arena_release) struct arena a = { 0 };
	uint64_t *u, *v;
	size_t n = controls(x, &a, &u), m = controls(y, &a, &v);

	return n == m && (n == 0 || memcmp(u, v, n * sizeof(*u)) == 0);
}

static void controls_are_links_buttons_fields_and_what_acts_like_them(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	uint64_t *v;

	CHECK(controls("<p>no <b>control</b> <a>no address</a><input type=hidden name=t>",
		       &a, &v) == 0);
	CHECK(controls("<a href=/x>x</a><button>Go</button><input name=q><select "
		       "name=s></select><textarea name=t></textarea>"
		       "<summary>more</summary><div onclick=f()>d</div>"
		       "<span role=Tab>t</span>",
		       &a, &v) == 8);
	/* twice the same is once */
	CHECK(controls("<a href=/x>x</a><a href=/x> x </a><a href=/y>x</a>", &a, &v) ==
	      2);
}

static void a_control_is_what_it_does_and_says(void)
{
	CHECK(same_controls("<button id=a1 class=x>Buy  now</button>",
			    "<button id=b2><b>Buy</b>\nnow</button>"));
	CHECK(!same_controls("<button>Buy</button>", "<button>Sell</button>"));
	CHECK(!same_controls("<a href=/1>x</a>", "<a href=/2>x</a>"));
	/* what somebody typed is no other field, another button is */
	CHECK(same_controls("<input name=q value=cats>", "<input name=q value=dogs>"));
	CHECK(!same_controls("<input type=submit value=A>",
			     "<input type=submit value=B>"));
	CHECK(same_controls("<select name=s><option>1</select>",
			    "<select name=s><option>2</select>"));
}

static void controls_within_controls_and_broken_pages(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf deep = { 0 };
	uint64_t *v;

	CHECK(controls("<div onclick=a()>x<div>y</div>z<a href=/1>w</a></div>", &a, &v) ==
	      2);
	CHECK(same_controls("<div onclick=a()>x<div>y</div>z</div> rest",
			    "<div onclick=a()>xyz</div>"));
	CHECK(controls("<a href=/1>one<a href=/2>two", &a, &v) == 2);
	for (int i = 0; i < 1000; i++)
		buf_addf(&deep, "<div onclick=f%d()>", i);
	CHECK(controls(buf_cstr(&deep), &a, &v) == 1000);
	for (size_t i = 1; i < 1000; i++)
		CHECK(v[i - 1] < v[i]);
	buf_addf(&deep, "<div onclick=more()>");
	CHECK(controls(buf_cstr(&deep), &a, &v) == 1000); /* the cap */
}

static bool window_is(const char *html, size_t nr, const char *before, const char *text,
		      const char *after)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct str *v;
	size_t n;

	anchor_windows(str_from(html), 100, &a, &v, &n);
	return 3 * nr + 2 < n && str_eq(v[3 * nr], str_from(before)) &&
	       str_eq(v[3 * nr + 1], str_from(text)) &&
	       str_eq(v[3 * nr + 2], str_from(after));
}

static void a_window_is_the_paragraph_around_a_link(void)
{
	const char *two = "<p>See <a href=/a>the &amp; list</a> of <a href=/b>all</a> "
			  "cats.<p>Next <a href=/c>one</a>";

	CHECK(window_is(two, 0, "See", "the & list", "of all cats."));
	CHECK(window_is(two, 1, "See the & list of", "all", "cats."));
	CHECK(window_is(two, 2, "Next", "one", ""));
	/* no text, no window; a link around blocks is one per block */
	CHECK(!window_is("<p>x <a href=/a><img src=i></a> y", 0, "x", "", "y"));
	CHECK(window_is("<a href=/a><div>One</div><div>Two</div></a>", 1, "", "Two", ""));
	/* scripts are no text */
	CHECK(window_is("<script>var a = 1</script><a href=/a>x</a>", 0, "", "x", ""));
}

static void long_paragraphs_are_cut_at_words(void)
{
	cleanup(buf_release) struct buf html = { 0 };
	cleanup(arena_release) struct arena a = { 0 };
	struct str *v;
	size_t n;

	for (int i = 0; i < 500; i++)
		buf_addf(&html, "w%03d ", i);
	buf_addf(&html, "<a href=/>here</a>");
	for (int i = 500; i < 900; i++)
		buf_addf(&html, " w%03d", i);
	anchor_windows(buf_str(&html), 100, &a, &v, &n);
	CHECK(n == 3);
	CHECK(v[0].n <= ANCHOR_WINDOW_BYTES && v[2].n <= ANCHOR_WINDOW_BYTES);
	CHECK(str_ends(v[0], STR("w499")) && v[0].p[0] == 'w');
	CHECK(str_starts(v[2], STR("w500")) && v[2].n % 5 == 4);
	anchor_windows(buf_str(&html), 0, &a, &v, &n);
	CHECK(n == 0);
}

int main(void)
{
	RUN(controls_are_links_buttons_fields_and_what_acts_like_them);
	RUN(a_control_is_what_it_does_and_says);
	RUN(controls_within_controls_and_broken_pages);
	RUN(a_window_is_the_paragraph_around_a_link);
	RUN(long_paragraphs_are_cut_at_words);
	DONE();
}
