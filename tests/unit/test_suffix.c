#include "test.h"
#include "url/suffix.h"

static const struct {
	const char *host, *registrable;
} rows[] = {
	{ "com", "" },
	{ "example.com", "example.com" },
	{ "a.b.example.com", "example.com" },
	{ "example.com.", "example.com." },
	{ "co.uk", "" },
	{ "www.example.co.uk", "example.co.uk" },
	{ "a.github.io", "a.github.io" },
	{ "github.io", "" },
	{ "b.c.kobe.jp", "b.c.kobe.jp" },
	{ "www.city.kobe.jp", "city.kobe.jp" },
	{ "x.unlisted-top", "x.unlisted-top" },
	{ "localhost", "" },
	{ "127.0.0.1", "" },
	{ "[::1]", "" },
	{ "", "" },
	{ ".com", "" },
	{ "www.xn--85x722f.com.cn", "xn--85x722f.com.cn" },
};

static void registrable_domains_are_found(void)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct str found = suffix_registrable(str_from(rows[i].host));

		if (!str_eq(found, str_from(rows[i].registrable)))
			printf("# %s gave " STR_FMT "\n", rows[i].host, STR_ARG(found));
		CHECK(str_eq(found, str_from(rows[i].registrable)));
	}
}

static void a_site_is_never_empty(void)
{
	CHECK(str_eq(suffix_site(STR("github.io")), STR("github.io")));
	CHECK(str_eq(suffix_site(STR("127.0.0.1")), STR("127.0.0.1")));
	CHECK(suffix_is_public(STR("co.uk")) && !suffix_is_public(STR("example.co.uk")));
}

static void the_cache_agrees(void)
{
	static struct suffix_cache cache;

	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < COUNT(rows); i++) {
			struct str host = str_from(rows[i].host);

			CHECK(str_eq(suffix_site_cached(&cache, host),
				     suffix_site(host)));
		}
}

int main(void)
{
	RUN(registrable_domains_are_found);
	RUN(a_site_is_never_empty);
	RUN(the_cache_agrees);
	DONE();
}
