#include "fetch/auth.h"

#include "test.h"

static struct buf scratch;

static struct str value_for(const struct auth *a, const char *url)
{
	struct url u;

	return url_parse(str_from(url), NULL, &scratch, &u, NULL) == ST_OK
		       ? auth_value(a, &u)
		       : STR("?");
}

static enum status opened(struct auth *a, const char *entry, struct diag *why)
{
	struct str one = str_from(entry);

	return auth_open(a, &(struct str_list){ .v = &one, .n = 1 }, why);
}

static void credentials_go_to_their_origin_only(void)
{
	cleanup(auth_release) struct auth a = { 0 };

	CHECK(opened(&a, "http://a.test:8080 u:p", NULL) == ST_OK);
	CHECK(str_eq(value_for(&a, "http://a.test:8080/x"), STR("Basic dTpw")));
	CHECK(value_for(&a, "http://a.test/x").n == 0);
	CHECK(value_for(&a, "https://a.test:8080/x").n == 0);
	CHECK(value_for(&a, "http://b.a.test:8080/x").n == 0);
}

static void a_bare_host_means_https_until_a_seed_says_otherwise(void)
{
	cleanup(auth_release) struct auth a = { 0 };
	struct url seed;

	CHECK(opened(&a, "a.test=bearer xyz", NULL) == ST_OK);
	CHECK(str_eq(value_for(&a, "https://a.test/"), STR("Bearer xyz")));
	CHECK(value_for(&a, "http://a.test/").n == 0);
	CHECK(url_parse(STR("http://a.test:81/s"), NULL, &scratch, &seed, NULL) == ST_OK);
	auth_bind(&a, &seed);
	CHECK(value_for(&a, "http://a.test:81/").n > 0);
	CHECK(value_for(&a, "https://a.test/").n == 0);
	CHECK(url_parse(STR("http://a.test:82/"), NULL, &scratch, &seed, NULL) == ST_OK);
	auth_bind(&a, &seed); /* the first one counts */
	CHECK(value_for(&a, "http://a.test:82/").n == 0);
}

static void what_lacks_half_is_refused_in_words(void)
{
	static const char *const wrong[] = {
		"localhost", "localhost ",       "=u:p",
		"",          "ftp://a.test u:p", "a.test justaname"
	};

	for (size_t i = 0; i < COUNT(wrong); i++) {
		cleanup(auth_release) struct auth a = { 0 };
		struct diag why = { 0 };

		CHECK(opened(&a, wrong[i], &why) == ST_SYNTAX && why.text[0]);
	}
}

int main(void)
{
	RUN(credentials_go_to_their_origin_only);
	RUN(a_bare_host_means_https_until_a_seed_says_otherwise);
	RUN(what_lacks_half_is_refused_in_words);
	buf_release(&scratch);
	DONE();
}
