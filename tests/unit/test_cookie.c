#include "test.h"
#include "web/cookie.h"

#include <stdlib.h>

#define NOW ((int64_t)1700000000000)

static struct cookie_jar jar;

static struct url parse(const char *text)
{
	static struct buf scratch[4];
	static size_t turn;
	struct url u;

	if (url_parse(str_from(text), NULL, &scratch[turn++ % 4], &u, NULL) != ST_OK)
		abort();
	return u;
}

static enum status set(const char *from, const char *field)
{
	struct url u = parse(from);

	return cookie_jar_add(&jar, &u, str_from(field), NOW);
}

static bool sends(const char *to, const char *expected)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct url u = parse(to);

	cookie_jar_format(&jar, &u, NOW, &b);
	if (!str_eq(buf_str(&b), str_from(expected)))
		printf("# %s gets " STR_FMT "\n", to, STR_ARG(buf_str(&b)));
	return str_eq(buf_str(&b), str_from(expected));
}

static void cookies_go_back_where_they_came_from(void)
{
	CHECK(set("http://a.example.com/x/y", "n=1") == ST_OK);
	CHECK(sends("http://a.example.com/x/z", "n=1"));
	CHECK(sends("http://a.example.com/x", "n=1"));
	CHECK(sends("http://a.example.com/xy", ""));
	CHECK(sends("http://b.a.example.com/x/", ""));
	CHECK(sends("http://example.com/x/", ""));
	CHECK(set("http://a.example.com/x/y", "n=2; path=/x") == ST_OK);
	CHECK(sends("http://a.example.com/x/z", "n=2"));
	CHECK(set("http://a.example.com/", "all=3; Domain=.Example.com; Path=/") ==
	      ST_OK);
	CHECK(sends("http://b.example.com/", "all=3"));
	CHECK(sends("http://a.example.com/x/", "n=2; all=3"));
	CHECK(set("http://a.example.com/",
		  "all=; domain=example.com; path=/; max-age=0") == ST_OK);
	CHECK(sends("http://b.example.com/", ""));
	cookie_jar_release(&jar);
}

static void nobody_speaks_for_others(void)
{
	CHECK(set("http://a.example.com/", "x=1; domain=b.example.com") == ST_DENIED);
	CHECK(set("http://a.example.com/", "x=1; domain=com") == ST_DENIED);
	CHECK(set("http://a.example.co.uk/", "x=1; domain=co.uk") == ST_DENIED);
	CHECK(set("http://a.github.io/", "x=1; domain=github.io") == ST_DENIED);
	CHECK(set("http://127.0.0.1/", "x=1; domain=0.0.1") == ST_DENIED);
	CHECK(set("http://127.0.0.1/", "x=1; domain=127.0.0.1") == ST_OK);
	CHECK(sends("http://127.0.0.1/", "x=1"));
	CHECK(set("http://github.io/", "y=1; domain=github.io") == ST_OK);
	CHECK(sends("http://a.github.io/", "") && sends("http://github.io/", "y=1"));
	CHECK(set("http://e.com/", "s=1; secure") == ST_DENIED);
	CHECK(set("https://e.com/", "s=1; secure") == ST_OK);
	CHECK(sends("http://e.com/", "") && sends("https://e.com/", "s=1"));
	CHECK(set("https://e.com/", "__Host-a=1; secure; path=/x") == ST_DENIED);
	CHECK(set("https://e.com/", "__Host-a=1; secure; path=/") == ST_OK);
	CHECK(set("https://e.com/", "__Secure-a=1") == ST_DENIED);
	cookie_jar_release(&jar);
}

static void fields_are_read_as_browsers_do(void)
{
	struct set_cookie c;

	CHECK(set_cookie_parse(STR(" a = b c ;PATH=/x; HttpOnly;SameSite=Lax"), NOW,
			       &c) == ST_OK);
	CHECK(str_eq(c.name, STR("a")) && str_eq(c.value, STR("b c")));
	CHECK(str_eq(c.path, STR("/x")) && c.http_only && c.same_site == SAME_SITE_LAX);
	CHECK(set_cookie_parse(STR("lonely"), NOW, &c) == ST_OK && c.name.n == 0);
	CHECK(str_eq(c.value, STR("lonely")));
	CHECK(set_cookie_parse(STR("a=b; path=x"), NOW, &c) == ST_OK && c.path.n == 0);
	CHECK(set_cookie_parse(STR("a=b=c"), NOW, &c) == ST_OK &&
	      str_eq(c.value, STR("b=c")));
	CHECK(set_cookie_parse(
		      STR("a=1; Max-Age=10; Expires=Sun, 06 Nov 1994 08:49:37 GMT"), NOW,
		      &c) == ST_OK);
	CHECK(c.has_expiry && c.expires_ms == NOW + 10000);
	CHECK(set_cookie_parse(STR("a=1; Expires=Sunday, 06-Nov-94 08:49:37 GMT"), NOW,
			       &c) == ST_OK);
	CHECK(c.has_expiry && c.expires_ms == 784111777000);
	CHECK(set_cookie_parse(STR("a=1; Max-Age=99999999999999999999999"), NOW, &c) ==
	      ST_OK);
	CHECK(c.expires_ms == NOW + (int64_t)400 * 24 * 3600 * 1000);
	CHECK(set_cookie_parse(STR("a=1; Max-Age=-1"), NOW, &c) == ST_OK &&
	      c.expires_ms < NOW);
	CHECK(set_cookie_parse(STR("a=1; Max-Age=x"), NOW, &c) == ST_OK && !c.has_expiry);
	CHECK(set_cookie_parse(STR(""), NOW, &c) == ST_SYNTAX);
	CHECK(set_cookie_parse(STR("="), NOW, &c) == ST_SYNTAX);
	CHECK(set_cookie_parse(STR("a=\x01"), NOW, &c) == ST_SYNTAX);
}

static void the_jar_has_bounds(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	char field[64];

	for (int i = 0; i < 3 * COOKIE_DOMAIN_MAX; i++) {
		snprintf(field, sizeof(field), "c%d=1", i);
		CHECK(set("http://e.com/", field) == ST_OK);
	}
	CHECK(jar.n == COOKIE_DOMAIN_MAX);
	struct url u = parse("http://e.com/");

	cookie_jar_format(&jar, &u, NOW, &b);
	CHECK(str_starts(buf_str(&b), STR("c100=1; c101=1")));
	for (int i = 0; i < 2 * COOKIE_JAR_MAX; i++) {
		char from[64];

		snprintf(from, sizeof(from), "http://h%d.example/", i);
		CHECK(set(from, "a=1") == ST_OK);
	}
	CHECK(jar.n == COOKIE_JAR_MAX);
	cookie_jar_release(&jar);
}

int main(void)
{
	RUN(cookies_go_back_where_they_came_from);
	RUN(nobody_speaks_for_others);
	RUN(fields_are_read_as_browsers_do);
	RUN(the_jar_has_bounds);
	DONE();
}
