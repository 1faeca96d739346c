#include "spec/start.h"

#include <string.h>
#include <unistd.h>

#include "os/file.h"
#include "test.h"
#include "tmp.h"

static struct crawl_start s;
static struct diag why;

static enum status start(const char *word)
{
	static const struct crawl_settings none = { 0 };
	struct str words[] = { str_from(word) };

	crawl_start_release(&s);
	return crawl_start_read(&s, words, 1, &none, NULL, 0, &why);
}

static void save(const char *name, const char *text)
{
	CHECK(file_save(tmp_path(name), str_from(text), &why) == ST_OK);
}

static void a_server_on_another_port_has_a_folder_of_its_own(void)
{
	CHECK(start("http://a.org/x") == ST_OK && strcmp(s.dir, "a.org") == 0);
	CHECK(start("http://127.0.0.1:9101/") == ST_OK);
	CHECK(strcmp(s.dir, "127.0.0.1_9101") == 0);
	CHECK(start("http://127.0.0.1:9102/") == ST_OK);
	CHECK(strcmp(s.dir, "127.0.0.1_9102") == 0 && !s.resumes);
}

static void a_file_that_is_not_there_is_no_host(void)
{
	CHECK(start("seeds.lst") == ST_NOT_FOUND &&
	      start("nowhere.yaml") == ST_NOT_FOUND);
	CHECK(start("list.txt") == ST_NOT_FOUND);
	CHECK(start("example.org") == ST_OK &&
	      str_eq(s.seeds.v[0], STR("https://example.org")));
	CHECK(start("localhost") == ST_OK && start("10.0.0.1") == ST_OK);
	CHECK(start("http://seeds.lst/") == ST_OK);
	CHECK(start("a.test:8080") == ST_OK);
}

static void lines_that_are_no_seeds_are_named_and_passed_over(void)
{
	save("list", "a.org\nftp://b.org/\n# x\nmailto:c@d\nhttp://e.org/\n");
	CHECK(start(tmp_path("list")) == ST_OK);
	CHECK(s.seeds.n == 2 && s.passed_over.n == 2);
	CHECK(str_find(s.passed_over.v[0], STR("line 2: 'ftp://b.org/'")) != STR_NONE);
	CHECK(str_find(s.passed_over.v[1], STR("line 4:")) != STR_NONE);
	save("none", "ftp://b.org/\n");
	CHECK(start(tmp_path("none")) == ST_SYNTAX);
}

static void a_limit_given_to_a_resume_is_new(void)
{
	const struct option_row *rows[] = { option_find(crawl_options,
							STR("max-pages")) };
	struct crawl_settings given = { .max_pages = 7 };
	struct str words[] = { STR("http://new.org/") };

	CHECK(dir_make(tmp_path("old"), &why) == ST_OK);
	save("old/crawl.yaml", "seeds: [http://a.org/]\nmax-pages: 3\n");
	given.output = str_from(tmp_path("old"));
	crawl_start_release(&s);
	CHECK(crawl_start_read(&s, words, 1, &given, rows, 1, &why) == ST_OK);
	CHECK(s.resumes && s.settings.renew_pages && !s.settings.renew_time);
	CHECK(s.settings.max_pages == 7 && s.seeds.n == 2 && s.seeds_added == 1);
	CHECK(start(tmp_path("old")) == ST_OK && s.resumes && !s.settings.renew_pages);
	CHECK(s.settings.max_pages == 3 && s.seeds_added == 0);
}

static void a_folder_without_a_crawl_is_told(void)
{
	CHECK(dir_make(tmp_path("empty"), &why) == ST_OK);
	CHECK(start(tmp_path("empty")) == ST_SYNTAX);
	CHECK(strstr(why.text, "a folder without a crawl"));
}

int main(void)
{
	RUN(a_server_on_another_port_has_a_folder_of_its_own);
	RUN(a_file_that_is_not_there_is_no_host);
	RUN(lines_that_are_no_seeds_are_named_and_passed_over);
	RUN(a_limit_given_to_a_resume_is_new);
	RUN(a_folder_without_a_crawl_is_told);
	crawl_start_release(&s);
	DONE();
}
