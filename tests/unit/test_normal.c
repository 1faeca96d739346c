#include "test.h"
#include "url/normal.h"

struct row {
	unsigned steps;
	const char *input, *href;
};

static bool holds(const struct row *r)
{
	struct buf scratch[2] = { 0 }, again_scratch[2] = { 0 };
	struct url u, again;
	bool ok;

	ok = url_parse_normal(str_from(r->input), NULL, r->steps, scratch, &u, NULL) ==
		     ST_OK &&
	     str_eq(u.href, str_from(r->href));
	if (!ok)
		printf("# %s\n# gave " STR_FMT "\n", r->input, STR_ARG(u.href));
	/* Normalising the normal form changes nothing. */
	ok = ok &&
	     url_parse_normal(u.href, NULL, r->steps, again_scratch, &again, NULL) ==
		     ST_OK &&
	     str_eq(again.href, u.href) && str_eq(again.path, u.path) &&
	     str_eq(again.query, u.query);
	for (size_t i = 0; i < 2; i++) {
		buf_release(&scratch[i]);
		buf_release(&again_scratch[i]);
	}
	return ok;
}

#define CHECK_ROWS(rows)                            \
	for (size_t i_ = 0; i_ < COUNT(rows); i_++) \
	CHECK(holds(&rows[i_]))

static void the_standard_steps_are_safe(void)
{
	const unsigned s = NORMAL_STANDARD;
	const struct row rows[] = {
		{ s, "HTTP://EXAMPLE.com:80", "http://example.com/" },
		{ s, "http://example.com/%7Euser/%2d%5f", "http://example.com/~user/-_" },
		{ s, "http://e/a%c3%a4%2f%3a", "http://e/a%C3%A4%2F%3A" },
		{ s, "http://e/%41%zz%4", "http://e/A%zz%4" },
		{ s, "http://e/%%41c7%4%31", "http://e/%%41c7%4%31" },
		{ s, "http://e/%2541", "http://e/%2541" },
		{ s, "http://e/dir/./x/../index.html#chap1", "http://e/dir/index.html" },
		{ s, "http://e/x?%61=%3d&b=%20+", "http://e/x?a=%3D&b=%20+" },
		{ s, "http://e/A/", "http://e/A/" },
		{ s, "http://e/index.html", "http://e/index.html" },
		{ s, "http://e/x?b&a", "http://e/x?b&a" },
		{ s, "http://e/?", "http://e/?" },
		{ s, "mailto:%41@b#c", "mailto:%41@b" },
		{ s & ~(unsigned)NORMAL_FRAGMENT, "http://e/%7e#%7e", "http://e/~#%7e" },
		{ s & ~(unsigned)NORMAL_UNRESERVED, "http://e/%7e", "http://e/%7E" },
		{ s & ~(unsigned)NORMAL_PERCENT_CASE, "http://e/%7e%3a",
		  "http://e/~%3a" },
		{ NORMAL_PARSED, "http://e/%7e#f", "http://e/%7e#f" },
	};

	CHECK_ROWS(rows);
}

static void each_extension_does_one_thing(void)
{
	const unsigned s = NORMAL_STANDARD;
	const struct row rows[] = {
		{ s | NORMAL_LOWER_PATH, "http://e/A/%C3?Q", "http://e/a/%C3?Q" },
		{ s | NORMAL_TRAILING_SLASH, "http://e/a/", "http://e/a" },
		{ s | NORMAL_TRAILING_SLASH, "http://e/", "http://e/" },
		{ s | NORMAL_TRAILING_SLASH, "http://e/a//?q/", "http://e/a?q/" },
		{ s | NORMAL_DEFAULT_PAGE, "http://e/a/Index.HTML?x", "http://e/a/?x" },
		{ s | NORMAL_DEFAULT_PAGE, "http://e/default.aspx", "http://e/" },
		{ s | NORMAL_DEFAULT_PAGE, "http://e/index.htmlx",
		  "http://e/index.htmlx" },
		{ s | NORMAL_DEFAULT_PAGE, "http://e/index.html/x",
		  "http://e/index.html/x" },
		{ s | NORMAL_SLASHES, "http://e//a///b", "http://e/a/b" },
		{ s | NORMAL_WWW, "http://www.e.org/", "http://e.org/" },
		{ s | NORMAL_WWW, "http://www2.e.org/", "http://e.org/" },
		{ s | NORMAL_WWW, "http://www.org/", "http://www.org/" },
		{ s | NORMAL_WWW, "http://wwwe.org/", "http://wwwe.org/" },
		{ s | NORMAL_HOST_DOT, "http://e.org./", "http://e.org/" },
		{ s | NORMAL_SCHEME, "https://e/x", "http://e/x" },
		{ s | NORMAL_SCHEME, "https://e:8443/x", "https://e:8443/x" },
		{ s | NORMAL_CREDENTIALS, "http://u:p@e/", "http://e/" },
		{ s | NORMAL_SORT_QUERY, "http://e/?b=2&a=3&b=1&a",
		  "http://e/?a=3&a&b=2&b=1" },
		{ s | NORMAL_TRACKING, "http://e/?utm_source=x&id=1&FBCLID=2",
		  "http://e/?id=1" },
		{ s | NORMAL_TRACKING, "http://e/?gclid=1", "http://e/" },
		{ s | NORMAL_TRACKING, "http://e/?utm=1", "http://e/?utm=1" },
		{ s | NORMAL_SESSION, "http://e/a;jsessionid=1F;v=2/b?PHPSESSID=9&x",
		  "http://e/a;v=2/b?x" },
		{ s | NORMAL_SESSION, "http://e/?sid=4", "http://e/?sid=4" },
		{ s | NORMAL_SESSION, "http://e/?sid=0123456789abcdef0123456789abcdef",
		  "http://e/" },
		{ s | NORMAL_SESSION, "http://e/a/..;jsessionid=1", "http://e/" },
		{ s | NORMAL_EMPTY_QUERY, "http://e/?", "http://e/" },
		{ s | NORMAL_EMPTY_QUERY, "http://e/?&a&&b=&", "http://e/?a&b=" },
		{ s | NORMAL_PLUS, "http://e/a+b?c+d", "http://e/a+b?c%20d" },
	};

	CHECK_ROWS(rows);
}

static void extensions_work_together(void)
{
	const struct row rows[] = {
		{ NORMAL_ALL,
		  "https://www.Example.org.:443//A//"
		  "INDEX.html;jsessionid=7?b=1&&utm_id=2&a=+#x",
		  "http://example.org/a?a=%20&b=1" },
		{ NORMAL_ALL, "http://www.www.example.org/", "http://example.org/" },
		{ NORMAL_ALL, "http://e/x/index.html/", "http://e/x" },
	};

	CHECK_ROWS(rows);
}

static void a_normal_url_is_not_copied(void)
{
	struct buf scratch[2] = { 0 };
	struct str in = STR("http://example.com/a%20b?c#d");
	struct url u;

	CHECK(url_parse_normal(in, NULL, NORMAL_STANDARD, scratch, &u, NULL) == ST_OK);
	CHECK(u.href.p == in.p && u.href.n == in.n - 2 && !u.has_fragment);
	CHECK(scratch[0].p == NULL && scratch[1].p == NULL);
}

static void keys_ignore_the_fragment(void)
{
	struct buf s1 = { 0 }, s2 = { 0 };
	struct url a, b;

	CHECK(url_parse(STR("http://e/x#1"), NULL, &s1, &a, NULL) == ST_OK);
	CHECK(url_parse(STR("HTTP://E/x"), NULL, &s2, &b, NULL) == ST_OK);
	CHECK(url_key(&a) == url_key(&b));
	CHECK(url_parse(STR("http://e/x?"), NULL, &s2, &b, NULL) == ST_OK);
	CHECK(url_key(&a) != url_key(&b));
	buf_release(&s2);
}

static void switches_are_read_by_name(void)
{
	unsigned steps = NORMAL_STANDARD;
	struct diag why;

	CHECK(normal_set(&steps, STR("www, sort-query -fragment"), &why) == ST_OK);
	CHECK(steps == ((NORMAL_STANDARD | NORMAL_WWW | NORMAL_SORT_QUERY) &
			~(unsigned)NORMAL_FRAGMENT));
	CHECK(normal_set(&steps, STR("none"), &why) == ST_OK && steps == NORMAL_PARSED);
	CHECK(normal_set(&steps, STR("standard"), &why) == ST_OK &&
	      steps == NORMAL_STANDARD);
	CHECK(normal_set(&steps, STR("no-such"), &why) == ST_SYNTAX);
	CHECK(normal_set(&steps, STR("tracking,-port"), &why) == ST_SYNTAX);
	CHECK(steps == NORMAL_STANDARD);
	for (const struct normal_row *r = normal_rows; r->name; r++) {
		steps = NORMAL_PARSED;
		CHECK(normal_set(&steps, str_from(r->name), &why) == ST_OK);
		CHECK(steps == (NORMAL_PARSED | r->step));
	}
}

int main(void)
{
	RUN(the_standard_steps_are_safe);
	RUN(each_extension_does_one_thing);
	RUN(extensions_work_together);
	RUN(a_normal_url_is_not_copied);
	RUN(keys_ignore_the_fragment);
	RUN(switches_are_read_by_name);
	DONE();
}
