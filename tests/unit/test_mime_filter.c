#include "policy/mime_filter.h"

#include "test.h"

static struct mime_filter filter(const char *const *rules)
{
	struct mime_filter f = { 0 };
	struct diag why;

	for (; *rules; rules++)
		if (mime_filter_add(&f, str_from(*rules), &why) != ST_OK)
			printf("# %s\n", why.text);
	return f;
}

static bool wants(const struct mime_filter *f, const char *type)
{
	return mime_filter_ask(f, str_from(type)).wanted;
}

static void what_is_refused_is_refused_and_the_rest_wanted(void)
{
	struct mime_filter f = filter((const char *[]){ "-video/*", "-image/png", NULL });

	CHECK(!wants(&f, "video/mp4") && !wants(&f, "image/png"));
	CHECK(wants(&f, "image/gif") && wants(&f, "text/html") && wants(&f, ""));
	CHECK(str_eq(mime_filter_ask(&f, STR("video/mp4")).rule, STR("-video/*")));
	mime_filter_release(&f);
}

static void once_something_is_listed_only_that_is_wanted(void)
{
	struct mime_filter f =
		filter((const char *[]){ "Text/HTML", "application/pdf", NULL });

	CHECK(wants(&f, "text/html") && wants(&f, "application/pdf"));
	CHECK(!wants(&f, "text/plain") && !wants(&f, "image/png"));
	CHECK(str_eq(mime_filter_ask(&f, STR("image/png")).rule, STR("not listed")));
	mime_filter_release(&f);
}

static void the_longest_rule_decides(void)
{
	struct mime_filter f = filter(
		(const char *[]){ "-*", "text/*", "-text/css", "image/png", NULL });

	CHECK(wants(&f, "text/html") && !wants(&f, "text/css"));
	CHECK(wants(&f, "image/png") && !wants(&f, "image/gif"));
	mime_filter_release(&f);
}

static void what_is_no_type_is_refused_with_a_word(void)
{
	static const char *const bad[] = { "",      "-",       "html",  "/",
					   "text/", "te xt/x", "a/b;c", "text*" };
	struct mime_filter f = { 0 };
	struct diag why;

	for (size_t i = 0; i < COUNT(bad); i++)
		CHECK(mime_filter_add(&f, str_from(bad[i]), &why) == ST_SYNTAX);
	mime_filter_release(&f);
}

int main(void)
{
	RUN(what_is_refused_is_refused_and_the_rest_wanted);
	RUN(once_something_is_listed_only_that_is_wanted);
	RUN(the_longest_rule_decides);
	RUN(what_is_no_type_is_refused_with_a_word);
	DONE();
}
