#include "hosts/probes.h"

#include <stdlib.h>

#include "test.h"

static struct url parse(const char *text)
{
	static struct buf scratch[4];
	static size_t turn;
	struct url u = { 0 };

	if (url_parse(str_from(text), NULL, &scratch[turn++ % 4], &u, NULL) != ST_OK)
		abort();
	return u;
}

static void a_host_is_asked_once(void)
{
	struct probes p = { 0 };

	CHECK(probes_note(&p, STR("a.org")));
	CHECK(!probes_note(&p, STR("a.org")));
	CHECK(probes_note(&p, STR("b.org")));
	probes_release(&p);
}

static void the_url_is_on_the_same_origin_and_always_the_same(void)
{
	struct arena a = { 0 };
	struct url one = parse("https://a.org:81/x?y"), two = parse("https://a.org:81/z"),
		   other = parse("https://b.org/");
	struct str url = probe_url(&one, &a);

	CHECK(str_starts(url, STR("https://a.org:81/no-such-page-")));
	CHECK(str_eq(url, probe_url(&two, &a)));
	CHECK(!str_eq(str_skip(url, url.n - 16),
		      str_skip(probe_url(&other, &a), probe_url(&other, &a).n - 16)));
	arena_release(&a);
}

static void a_front_page_or_a_seed_is_there(void)
{
	struct url front = parse("http://a.org/"), asked = parse("http://a.org/?p=1"),
		   page = parse("http://a.org/x");

	CHECK(!probe_may_judge(&front, false) && !probe_may_judge(&page, true));
	CHECK(probe_may_judge(&asked, false) && probe_may_judge(&page, false));
}

int main(void)
{
	RUN(a_host_is_asked_once);
	RUN(the_url_is_on_the_same_origin_and_always_the_same);
	RUN(a_front_page_or_a_seed_is_there);
	DONE();
}
