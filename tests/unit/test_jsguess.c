#include "page/jsguess.h"

#include "test.h"

static void urls_are_told_from_other_strings(void)
{
	static const char *const yes[] = {
		"http://example.org/",
		"https://a.bc/d?e=f#g",
		"//cdn.example.org/x.js",
		"/path/to/page",
		"/api/v1/items.json",
		"../up/page.html",
		"./here.php",
		"page.html",
		"img/logo.png",
		"list/all?page=2",
		"/~user/",
		"/a%20b/c",
		"http://localhost.local:8080/x",
	};
	static const char *const no[] = {
		"",
		"a",
		"hello world",
		"text/html",
		"application/json",
		"1/2/2003",
		"use strict",
		"http://",
		"//",
		"/",
		"/>",
		"</div>",
		"a.b",
		"Math.PI",
		"foo.bar.baz",
		"/^a$/",
		"{x}/y.html",
		"$1/page",
		"http:foo",
		"data:,x",
		"w-full/h",
		"12:30",
		"/*",
		"//# map",
		".html",
		"a/b",
		"http://host",
		"javascript:void",
		"and/or",
	};

	for (size_t i = 0; i < COUNT(yes); i++) {
		if (!jsguess_is_url(str_from(yes[i])))
			printf("# %s\n", yes[i]);
		CHECK(jsguess_is_url(str_from(yes[i])));
	}
	for (size_t i = 0; i < COUNT(no); i++) {
		if (jsguess_is_url(str_from(no[i])))
			printf("# %s\n", no[i]);
		CHECK(!jsguess_is_url(str_from(no[i])));
	}
}

static void strings_are_found_in_scripts(void)
{
	struct str script =
		STR("a = \"http:\\/\\/example.org\\/x\"; b = '/p\\u0061ge/1'\n"
		    "c = `/tpl/${x}`; d = 'it\\'s'; e = \"/end.html\"");
	struct arena a = { 0 };
	struct str url;

	CHECK(jsguess_next(&script, &a, &url) &&
	      str_eq(url, STR("http://example.org/x")));
	CHECK(jsguess_next(&script, &a, &url) && str_eq(url, STR("/page/1")));
	CHECK(jsguess_next(&script, &a, &url) && str_eq(url, STR("/end.html")));
	CHECK(!jsguess_next(&script, &a, &url) && script.n == 0);
	arena_release(&a);
}

static void guesses_stop_when_they_are_junk_and_may_come_back(void)
{
	struct jsguess_score s = { 0 };

	for (int i = 0; i < 15; i++)
		jsguess_learn(&s, false);
	CHECK(jsguess_is_worth(&s));
	jsguess_learn(&s, false);
	CHECK(!jsguess_is_worth(&s));
	for (int i = 0; i < 5; i++)
		jsguess_learn(&s, true);
	CHECK(jsguess_is_worth(&s));
	for (int i = 0; i < 1000; i++)
		jsguess_learn(&s, i % 4 == 0);
	CHECK(jsguess_is_worth(&s) && s.asked <= 64);
}

int main(void)
{
	RUN(urls_are_told_from_other_strings);
	RUN(strings_are_found_in_scripts);
	RUN(guesses_stop_when_they_are_junk_and_may_come_back);
	DONE();
}
