#include "writer/app_files.h"

#include "test.h"

static size_t kept(const char *text, uint64_t committed)
{
	return app_lines_until(str_from(text), committed);
}

static void lines_behind_the_commit_are_cut_off(void)
{
	const char *two = "{\"page\":1,\"a\":1}\n{\"page\":3,\"a\":1}\n";

	CHECK(kept(two, 3) == 34);
	CHECK(kept(two, 2) == 17);
	CHECK(kept(two, 1) == 17);
	CHECK(kept(two, 0) == 0);
	CHECK(kept("", 7) == 0);
}

static void a_torn_or_strange_line_is_cut_off(void)
{
	CHECK(kept("{\"page\":1,\"a\":1}\n{\"page\":1,\"a", 9) == 17);
	CHECK(kept("{\"page\":1,\"a\":1}", 9) == 0);
	CHECK(kept("{\"page\":1,\"a\":1}\n\n", 9) == 17);
	CHECK(kept("{\"pa", 9) == 0);
	CHECK(kept("\n", 9) == 0);
	CHECK(kept("{\"page\":99999999999999999999999,\"a\":1}\n", 9) == 0);
}

int main(void)
{
	RUN(lines_behind_the_commit_are_cut_off);
	RUN(a_torn_or_strange_line_is_cut_off);
	DONE();
}
