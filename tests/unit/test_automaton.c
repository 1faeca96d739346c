#include "apps/automaton.h"
#include "html/html_token.h"
#include "test.h"

static struct arena arena;

/* The numbers of all paths that the page has, as bits. */
static unsigned matched(const char *const *paths, size_t n, const char *html)
{
	struct automaton m = { 0 };
	struct automaton_run r = { 0 };
	struct html_tokenizer *t = arena_alloc(&arena, sizeof(*t));
	struct html_token k;
	unsigned bits = 0;

	for (size_t i = 0; i < n; i++) {
		struct path p;
		struct diag why;

		if (path_parse(str_from(paths[i]), &arena, &p, &why) == ST_OK)
			automaton_add(&m, &p, (uint32_t)i);
		else
			printf("# %s\n", why.text);
	}
	automaton_start(&r, &m, &arena);
	html_start(t, str_from(html));
	while (html_next(t, &k))
		automaton_take(&r, &k);
	for (size_t i = 0; i < r.n; i++)
		bits |= 1u << r.hits[i].id;
	automaton_run_release(&r);
	automaton_release(&m);
	return bits;
}

static unsigned one(const char *path, const char *html)
{
	return matched(&path, 1, html);
}

static void steps_are_children_or_descendants(void)
{
	CHECK(one("//div/p", "<div><p>x</div>") &&
	      !one("//div/p", "<div><b><p></b></div>"));
	CHECK(one("//div//p", "<div><b><p></b></div>") && !one("//div//p", "<p><div>"));
	CHECK(!one("//div/p", "<div></div><p>"));
	CHECK(one("/html/body/p", "<html><body><p>") && !one("/body", "<html><body>"));
	CHECK(one("//*[@id='x']", "<i id=x>") && one("//ul/li", "<ul><li>a<li>b"));
	CHECK(one("//div/*[@id]", "<div><img id=a></div>"));
	CHECK(!one("//li/li", "<ul><li>a<li>b")); /* the second closes the first */
}

static void conditions_look_at_attributes(void)
{
	CHECK(one("//a[@class=\"forum\"]/@href", "<a class=forum href=x>"));
	CHECK(!one("//a[@class='forum']/@href", "<a class=forum name=x>"));
	CHECK(!one("//a[@class='forum']", "<a class='forum b'>"));
	CHECK(one("//a[has-class('b')]", "<A CLASS='forum b'>"));
	CHECK(!one("//a[has-class('foru')]", "<a class='forum b'>"));
	CHECK(one("//a[contains(@href,'t=1&x')]", "<a href='?t=1&amp;x'>"));
	CHECK(one("//a[starts-with(@href,'/p') and @id]", "<a id href=/p/1>"));
	CHECK(!one("//a[starts-with(@href,'/p')][@id]", "<a href=/p/1>"));
	CHECK(!one("//a[@id='1']", "<a id=2 id=1>")); /* the first one counts */
}

static void many_paths_share_their_steps(void)
{
	static const char *const paths[] = { "//div[@id='a']/p",
					     "//div[@id='a']/ul/li",
					     "//div[@id='b']/p",
					     "//div[@id='a']//b",
					     "//p",
					     "//div[@id='a']/p/@x" };

	CHECK(matched(paths, COUNT(paths), "<div id=a><p>1</p><ul><li>2</ul></div>") ==
	      0x13);
	CHECK(matched(paths, COUNT(paths), "<div id=b><p x=1>1</p><b></b></div>") ==
	      0x14);
	CHECK(matched(paths, COUNT(paths), "<div id=a><i><b></i></div>") == 0x08);
}

static void what_is_outside_the_language_says_where(void)
{
	static const struct {
		const char *path, *words;
	} bad[] = {
		{ "a", "XPath 'a': / or // expected at character 1" },
		{ "//a[1]", "XPath '//a[1]': @attribute, contains(), starts-with() or "
			    "has-class() expected at character 5" },
		{ "//a[@b='c]", "XPath '//a[@b='c]': the end of a string expected at "
				"character 8" },
		{ "//a | //b", "XPath '//a | //b': / or // expected at character 5" },
		{ "//a[contains(@b,'')]",
		  "XPath '//a[contains(@b,'')]': a string that is not empty expected at "
		  "character 19" },
	};
	struct path p;
	struct diag why;

	for (size_t i = 0; i < COUNT(bad); i++) {
		CHECK(path_parse(str_from(bad[i].path), &arena, &p, &why) == ST_SYNTAX);
		if (!str_eq(str_from(why.text), str_from(bad[i].words)))
			printf("# %s\n", why.text);
		CHECK(str_eq(str_from(why.text), str_from(bad[i].words)));
	}
}

int main(void)
{
	RUN(steps_are_children_or_descendants);
	RUN(conditions_look_at_attributes);
	RUN(many_paths_share_their_steps);
	RUN(what_is_outside_the_language_says_where);
	arena_release(&arena);
	DONE();
}
