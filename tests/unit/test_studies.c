#include "studies/record.h"

#include "test.h"

static void a_list_of_sites_has_settings_of_their_own(void)
{
	cleanup(site_tasks_release) struct site_tasks l = { 0 };
	cleanup(buf_release) struct buf common = { 0 };
	struct diag why;

	CHECK(site_tasks_parse(&l,
			       STR("# list\n\nhttp://a/#top max-events=5 seed=2 # x\n"
				   "  https://b/c\n"),
			       &why) == ST_OK);
	CHECK(l.n == 2 && str_eq(l.v[0].url, STR("http://a/#top")));
	CHECK(str_eq(l.v[0].settings, STR("max-events=5\nseed=2\n")));
	CHECK(str_eq(l.v[1].url, STR("https://b/c")) && l.v[1].settings.n == 0);
	CHECK(site_tasks_parse(&l, STR("http://a/\nplain"), &why) == ST_SYNTAX);
	CHECK(str_find(str_from(why.text), STR("line 2")) != STR_NONE);
	CHECK(site_tasks_parse(&l, STR("http://a/ --seed"), &why) == ST_SYNTAX);
	CHECK(site_tasks_parse(&l, STR("http://a/ -x=1"), &why) == ST_SYNTAX);
	CHECK(site_settings_parse(STR("a 1\nb=2 # two\n#\nc-d: e f\n"), &common, &why) ==
	      ST_OK);
	CHECK(str_eq(buf_str(&common), STR("a=1\nb=2\nc-d=e f\n")));
	CHECK(site_settings_parse(STR("alone\n"), &common, &why) == ST_SYNTAX);
	CHECK(site_settings_parse(STR("--a 1\n"), &common, &why) == ST_SYNTAX);
}

int main(void)
{
	RUN(a_list_of_sites_has_settings_of_their_own);
	DONE();
}
