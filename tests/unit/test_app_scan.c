#include "apps/extract.h"
#include "apps/link_rules.h"
#include "test.h"

static struct app_library library;
static struct app_scan scan;
static struct arena arena;

static const char forum[] = "<application id='forum' name='Forum' kind='yes'>"
			    "<never url='/login' why='login'/></application>";
/* The two examples of the seed, and what a child adds. */
static const char vbulletin[] =
	"<application id='vbulletin' name='vBulletin' extends='forum'>"
	"<detect><path select='//script/@src' match='vbulletin_global\\.js' weight='90'/>"
	"<cookie match='^bb_lastvisit$' weight='50'/><header name='x-vb' "
	"weight='50'/></detect>"
	"<level id='list'><when><path "
	"select='//a[@class=\"forum\"]/@href'/></when></level>"
	"<level id='thread'><when><url match='showthread\\.php'/></when>"
	"<next links=\"//a[@rel='next']/@href\" score='80'/>"
	"<object id='post' select=\"//div[has-class('post')]\">"
	"<field name='author' select='b'/><field name='nr' select='i' type='number'/>"
	"<field name='link' select='a/@href' type='url'/>"
	"<field name='tags' select=\"em[re:test(., '^t')]\" many='yes'/></object></level>"
	"<view url='[?&amp;]mode=print' why='to print'/>"
	"<follow url='showthread\\.php\\?t=\\d+$' score='70'/>"
	"<canonical without='s highlight'/><canonical url='/page1$' "
	"to=''/></application>";
static const char site[] =
	"<application id='site' name='One site' extends='vbulletin'>"
	"<detect><url match='^https?://vb\\.example/' weight='95'/></detect>"
	"<follow url='[?&amp;]mode=print' why='here it is all there is'/>"
	"</application>";

static struct app_verdict look(const char *url, const char *fields, const char *html)
{
	return app_scan_page(&scan,
			     &(struct app_page){ .url = str_from(url),
						 .fields = str_from(fields),
						 .html = str_from(html),
						 .remembered = APP_NONE },
			     &arena);
}

static bool is(struct app_verdict v, const char *app, const char *level)
{
	struct str a = v.app == APP_NONE ? STR("") : library.apps[v.app].id;
	struct str l = v.level ? v.level->id : STR("");

	return str_eq(a, str_from(app)) && str_eq(l, str_from(level));
}

#define PAGE "<script src='/clientscript/vbulletin_global.js?v=387'></script>"

static void the_examples_of_the_seed_are_recognised(void)
{
	CHECK(is(look("http://f/index.php", "", PAGE "<a class=forum href=f1>"),
		 "vbulletin", "list"));
	CHECK(is(look("http://f/showthread.php?t=1", "", PAGE), "vbulletin", "thread"));
	CHECK(is(look("http://f/showthread.php?t=1", "", "<p>"), "", ""));
}

static void weak_witnesses_add_up(void)
{
	const char *both = "Set-Cookie: bb_lastvisit=1; path=/\r\nX-VB: 1\r\n";

	CHECK(is(look("http://f/", "X-VB: 1\r\n", ""), "", ""));
	CHECK(is(look("http://f/", both, ""), "vbulletin", ""));
	CHECK(look("http://f/", both, "").confidence == 75);
}

static void a_descendant_is_preferred_and_inherits(void)
{
	CHECK(is(look("http://vb.example/showthread.php?t=1", "", PAGE), "site",
		 "thread"));
}

static void a_known_host_is_remembered(void)
{
	struct app_page p = { .url = STR("http://f/showthread.php?t=2"),
			      .remembered = library_find(&library, STR("vbulletin")) };
	struct app_verdict v = app_scan_page(&scan, &p, &arena);

	CHECK(is(v, "vbulletin", "thread") && v.is_remembered);
}

static enum app_action advice(struct app_verdict v, const char *url, const char *written)
{
	struct buf scratch = { 0 };
	struct url u;
	enum app_action a = ACTION_NONE;

	if (url_parse(str_from(url), NULL, &scratch, &u, NULL) == ST_OK)
		a = link_rules_find(&scan, &v, &u, str_from(written), false).action;
	buf_release(&scratch);
	return a;
}

static void the_first_rule_decides_the_childs_before_the_parents(void)
{
	const char *page = PAGE "<a rel=next href='?t=1&amp;page=2'>";
	struct app_verdict v = look("http://f/showthread.php?t=1", "", page);

	CHECK(advice(v, "http://f/showthread.php?t=1&page=2", "?t=1&page=2") ==
	      ACTION_NEXT);
	CHECK(advice(v, "http://f/showthread.php?t=3", "") == ACTION_FOLLOW);
	CHECK(advice(v, "http://f/x?mode=print", "") == ACTION_VIEW);
	CHECK(advice(v, "http://f/login", "") == ACTION_NEVER); /* of the kind */
	CHECK(advice(v, "http://f/other", "") == ACTION_NONE);
	v = look("http://f/index.php", "",
		 PAGE "<a rel=next href='?t=1&amp;page=2'><a class=forum href=x>");
	CHECK(advice(v, "http://f/a", "?t=1&page=2") == ACTION_NONE); /* another level */
	v = look("http://vb.example/a", "", "");
	CHECK(advice(v, "http://vb.example/x?mode=print", "") == ACTION_FOLLOW);
}

static bool canonical(struct app_verdict v, const char *url, const char *expected)
{
	struct buf scratch = { 0 }, to = { 0 };
	struct url u;
	bool same = url_parse(str_from(url), NULL, &scratch, &u, NULL) == ST_OK;
	struct str got = same && link_rules_canonical(&scan, &v, &u, &to) ? buf_str(&to)
									  : str_from(url);

	same = same && str_eq(got, str_from(expected));
	buf_release(&scratch);
	buf_release(&to);
	return same;
}

static void what_does_not_matter_leaves_the_url(void)
{
	struct app_verdict v = look("http://f/", "", PAGE);

	CHECK(canonical(v, "http://f/t?s=1a&t=2&highlight=x", "http://f/t?t=2"));
	CHECK(canonical(v, "http://f/t?s=1", "http://f/t"));
	CHECK(canonical(v, "http://f/t/page1?s=1", "http://f/t"));
	CHECK(canonical(v, "http://f/t?ss=1", "http://f/t?ss=1"));
}

static void objects_have_typed_fields(void)
{
	struct app_page p = { .url = STR("http://f/showthread.php?t=1"),
			      .html = STR(PAGE
					  "<div class='a post'><b> Ann\n B</b><i>#1,234"
					  "</i><a href=x>y</a><em>t1</em><em>u</em>"
					  "<em>t2</em></div><div class=post></div>"),
			      .remembered = APP_NONE };
	struct app_verdict v = app_scan_page(&scan, &p, &arena);
	struct buf out = { 0 };

	CHECK(app_extract(&library, &v, &p, &out).objects == 2);
	CHECK(str_eq(
		buf_str(&out),
		STR("{\"url\":\"http://f/showthread.php?t=1\",\"application\":"
		    "\"vbulletin\",\"level\":\"thread\",\"object\":\"post\",\"author\":"
		    "\"Ann B\",\"nr\":1234,\"link\":\"http://f/x\",\"tags\":[\"t1\","
		    "\"t2\"]}\n{\"url\":\"http://f/showthread.php?t=1\",\"application\":"
		    "\"vbulletin\",\"level\":\"thread\",\"object\":\"post\",\"author\":"
		    "null,\"nr\":null,\"link\":null,\"tags\":[]}\n")));
	buf_release(&out);
}

static void a_broken_description_is_passed_over_and_named(void)
{
	struct app_library l = { 0 };

	library_add(&l, str_from(forum), STR("forum.xml"));
	library_add(&l, STR("<application id='x' name='X' extends='nobody'/>"),
		    STR("x.xml"));
	library_add(&l, STR("<application id='y'>"), STR("y.xml"));
	library_add(&l, STR("<application id='z' name='Z' extends='z'/>"), STR("z.xml"));
	library_finish(&l, STR(""));
	CHECK(l.n == 3 && l.n_problems == 3);
	library_release(&l);
}

/* What was compiled for these patterns is taken, what was not is made anew. */
static void a_compiled_form_loads_or_is_passed_over(void)
{
	struct buf saved = { 0 };
	struct app_library l = { 0 };

	library_save(&library, &saved);
	library_add(&l, str_from(forum), STR("forum.xml"));
	library_add(&l, str_from(vbulletin), STR("vbulletin.xml"));
	library_finish(&l, buf_str(&saved));
	struct app_scan s;
	app_scan_init(&s, &l);
	struct app_verdict v = app_scan_page(&s,
					     &(struct app_page){ .url = STR("http://f/"),
								 .html = STR(PAGE),
								 .remembered = APP_NONE },
					     &arena);
	CHECK(v.app == library_find(&l, STR("vbulletin")));
	app_scan_release(&s);
	library_release(&l);
	buf_release(&saved);
}

static void the_shipped_ones_have_no_problems(void)
{
	struct app_library l = { 0 };

	library_add_shipped(&l);
	library_finish(&l, STR(""));
	for (size_t i = 0; i < l.n_problems; i++)
		printf("# %s\n", l.problems[i].why.text);
	CHECK(l.n >= 5 && l.n_problems == 0);
	library_release(&l);
}

int main(void)
{
	library_add(&library, str_from(forum), STR("forum.xml"));
	library_add(&library, str_from(vbulletin), STR("vbulletin.xml"));
	library_add(&library, str_from(site), STR("site.xml"));
	library_finish(&library, STR(""));
	app_scan_init(&scan, &library);
	RUN(the_examples_of_the_seed_are_recognised);
	RUN(weak_witnesses_add_up);
	RUN(a_descendant_is_preferred_and_inherits);
	RUN(a_known_host_is_remembered);
	RUN(the_first_rule_decides_the_childs_before_the_parents);
	RUN(what_does_not_matter_leaves_the_url);
	RUN(objects_have_typed_fields);
	RUN(a_broken_description_is_passed_over_and_named);
	RUN(a_compiled_form_loads_or_is_passed_over);
	RUN(the_shipped_ones_have_no_problems);
	app_scan_release(&scan);
	library_release(&library);
	arena_release(&arena);
	DONE();
}
