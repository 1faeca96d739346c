#include "crawl/reload.h"

#include "test.h"

static bool same_mark(const struct crawl_settings *a, const struct str_list *seeds,
		      const struct crawl_settings *b, const struct str_list *other)
{
	return scope_hash(a, seeds) == scope_hash(b, other) && scope_hash(a, seeds) != 0;
}

static void only_what_decides_the_scope_marks_it(void)
{
	struct str seed[] = { STR("http://a/"), STR("http://b/") };
	struct str_list one = { seed, 1, 1 }, two = { seed, 2, 2 };
	struct crawl_settings s = { 0 }, t = { 0 };
	struct arena a = { 0 };

	options_default(crawl_options, &s, &a);
	options_default(crawl_options, &t, &a);
	CHECK(same_mark(&s, &one, &t, &one));
	t.delay_ms = 12345;
	CHECK(same_mark(&s, &one, &t, &one));
	CHECK(!same_mark(&s, &one, &t, &two));
	t.exclude = two;
	CHECK(!same_mark(&s, &one, &t, &one));
	t.exclude = (struct str_list){ 0 };
	t.max_depth = 3;
	CHECK(!same_mark(&s, &one, &t, &one));
	settings_release(&s);
	settings_release(&t);
	arena_release(&a);
}

int main(void)
{
	RUN(only_what_decides_the_scope_marks_it);
	DONE();
}
