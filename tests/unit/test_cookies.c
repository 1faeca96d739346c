#include "hosts/cookies.h"

#include <sys/stat.h>

#include "os/file.h"
#include "os/log.h"
#include "test.h"
#include "tmp.h"

#define NOW ((int64_t)1700000000000)

static struct fetch_task task;
static struct stored_head head;
static struct arena arena;

static void answer(struct cookies *c, const char *url, const char *text)
{
	task = (struct fetch_task){ .url = str_from(url) };
	stored_head_parse(str_from(text), &head);
	cookies_take(c, &task, &head, NOW);
}

static struct str sent(struct cookies *c, const char *url)
{
	task = (struct fetch_task){ .url = str_from(url) };
	cookies_give(c, &task, &arena, NOW);
	return task.cookies;
}

static bool wants_again(const struct cookies *c, const char *url, unsigned attempt)
{
	task = (struct fetch_task){ .url = str_from(url), .attempt = (uint8_t)attempt };
	stored_head_parse(STR("HTTP/1.1 302 Found\r\nSet-Cookie: a=1\r\n"
			      "Location: /x?y\r\n\r\n"),
			  &head);
	return cookies_want_again(c, &task, &head, 302);
}

static void a_cookie_goes_back_to_its_site_only(void)
{
	struct cookies c = { .on = true };

	answer(&c, "http://shop.example.co.uk/a",
	       "HTTP/1.1 200 OK\r\nSet-Cookie: sid=1; Path=/\r\n"
	       "Set-Cookie: all=2; Domain=example.co.uk\r\n"
	       "Set-Cookie: evil=3; Domain=co.uk\r\n\r\n");
	CHECK(c.n == 2 && c.refused == 1);
	CHECK(str_eq(sent(&c, "http://shop.example.co.uk/b"), STR("sid=1; all=2")));
	CHECK(str_eq(sent(&c, "http://www.example.co.uk/"), STR("all=2")));
	CHECK(sent(&c, "http://other.co.uk/").n == 0);
	CHECK(sent(&c, "http://example.org/").n == 0);
	cookies_release(&c);
}

static void without_the_option_there_are_none(void)
{
	struct cookies c = { 0 };

	answer(&c, "http://a.org/", "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\n\r\n");
	CHECK(c.n == 0 && sent(&c, "http://a.org/").n == 0);
	cookies_release(&c);
}

static void they_survive_the_process(void)
{
	struct cookies c = { .on = true }, d = { .on = true };
	struct diag why;

	answer(&c, "https://a.org/x/",
	       "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/x; Secure; "
	       "Max-Age=100\r\n"
	       "Set-Cookie: b=2; Domain=a.org; Path=/\r\n\r\n");
	CHECK(dir_make(tmp_path("state"), &why) == ST_OK);
	CHECK(cookies_save(&c, tmp_path(""), &why) == ST_OK && !c.changed);
	CHECK(cookies_load(&d, tmp_path(""), STR(""), NOW, &why) == ST_OK && d.n == 2);
	CHECK(str_eq(sent(&d, "https://a.org/x/y"), STR("a=1; b=2")));
	CHECK(str_eq(sent(&d, "http://a.org/x/y"), STR("b=2"))); /* not secure */
	CHECK(str_eq(sent(&d, "https://www.a.org/x/y"), STR("b=2")));
	struct stat st;
	CHECK(stat(tmp_path("state/cookies.txt"), &st) == 0);
	CHECK((st.st_mode & 0777) == 0600);
	cookies_release(&c);
	cookies_release(&d);
}

static void a_damaged_file_of_ours_does_not_refuse_the_crawl(void)
{
	struct cookies c = { .on = true };
	struct diag why;

	log_set_level(LOG_ERROR);
	CHECK(file_save(tmp_path("state/cookies.txt"),
			STR("\x01\x02 nonsense\na.org\tFALSE\t/\tFALSE\t0\tk\tv\n"),
			NULL) == ST_OK);
	CHECK(cookies_load(&c, tmp_path(""), STR(""), NOW, &why) == ST_OK && c.n == 1);
	/* One that the user named is another matter. */
	CHECK(cookies_load(&c, tmp_path("none"), str_from(tmp_path("state/cookies.txt")),
			   NOW, &why) != ST_OK);
	cookies_release(&c);
}

static void bad_lines_are_counted_and_expired_ones_forgotten(void)
{
	struct cookies c = { .on = true };
	size_t bad;

	cookies_parse(&c,
		      STR("# comment\n\nnonsense\n"
			  "#HttpOnly_a.org\tFALSE\t/\tFALSE\t0\tsid\tx\n"
			  ".co.uk\tTRUE\t/\tFALSE\t0\tsid\tx\n"
			  "a.org\tFALSE\t/\tFALSE\t1000\told\tx\n"),
		      NOW, &bad);
	CHECK(bad == 2 && c.n == 1);
	CHECK(str_eq(sent(&c, "http://a.org/"), STR("sid=x")));
	cookies_release(&c);
}

static void a_redirect_to_itself_with_a_cookie_is_asked_once_more(void)
{
	struct cookies c = { .on = true };

	CHECK(wants_again(&c, "http://a.org/x?y", 0));
	CHECK(!wants_again(&c, "http://a.org/x?y", 1));
	CHECK(!wants_again(&c, "http://a.org/other", 0));
	c.on = false;
	CHECK(!wants_again(&c, "http://a.org/x?y", 0));
}

static void all_jars_together_are_bounded(void)
{
	struct cookies c = { .on = true };
	char url[64];

	for (unsigned i = 0; i < COOKIES_MAX + 50; i++) {
		snprintf(url, sizeof(url), "http://h%u.org/", i);
		answer(&c, url, "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\n\r\n");
	}
	CHECK(c.n == COOKIES_MAX && c.refused == 50);
	cookies_release(&c);
}

int main(void)
{
	RUN(a_cookie_goes_back_to_its_site_only);
	RUN(without_the_option_there_are_none);
	RUN(they_survive_the_process);
	RUN(a_damaged_file_of_ours_does_not_refuse_the_crawl);
	RUN(bad_lines_are_counted_and_expired_ones_forgotten);
	RUN(a_redirect_to_itself_with_a_cookie_is_asked_once_more);
	RUN(all_jars_together_are_bounded);
	arena_release(&arena);
	DONE();
}
