#include "hosts/unreachable.h"

#include "test.h"

static void the_last_cause_is_told_with_the_option_that_helps(void)
{
	cleanup(unreachable_release) struct unreachable u = { 0 };
	struct str_list lines = { 0 };
	struct arena a = { 0 };

	unreachable_note(&u, 3, STR("https://a.org"), CAUSE_TIMEOUT, STR("x"));
	unreachable_note(&u, 3, STR("https://a.org"), CAUSE_TLS_UNTRUSTED, STR("y"));
	unreachable_note(&u, 5, STR("http://b.org"), CAUSE_NO_NAME, STR(""));
	unreachable_note(&u, 9, STR("http://c.org"), CAUSE_NO_NAME, STR(""));
	unreachable_forget(&u, 9);
	unreachable_list(&u, 10, &a, &lines);
	CHECK(lines.n == 2);
	CHECK(str_eq(lines.v[0],
		     STR("https://a.org could not be reached: no known authority has "
			 "signed the certificate (--ca-file or --insecure may help)")));
	CHECK(str_eq(lines.v[1],
		     STR("http://b.org could not be reached: there is no such name")));
	str_list_release(&lines);
	arena_release(&a);
}

static void many_are_counted(void)
{
	cleanup(unreachable_release) struct unreachable u = { 0 };
	struct str_list lines = { 0 };
	struct arena a = { 0 };

	for (uint32_t i = 0; i < 7; i++)
		unreachable_note(&u, i, STR("http://a.org"), CAUSE_REFUSED, STR(""));
	unreachable_list(&u, 5, &a, &lines);
	CHECK(lines.n == 6);
	CHECK(str_eq(lines.v[5], STR("2 more sites could not be reached")));
	str_list_release(&lines);
	arena_release(&a);
}

int main(void)
{
	RUN(the_last_cause_is_told_with_the_option_that_helps);
	RUN(many_are_counted);
	DONE();
}
