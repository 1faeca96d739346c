#include <stdlib.h>
#include <string.h>

#include "os/file.h"
#include "report/plot.h"
#include "report/report.h"
#include "test.h"

#define LINE(code, size, url, mime, notes)                                           \
	"2026-11-15T04:30:04.421Z " code " " size " " url " LL http://a.test/ " mime \
	" #001 20261115043004247+158 sha1:PEVRKKMNENELB6IKCRZBD55EYSTWTFBW "         \
	"http://a.test/ " notes "\n"

static char dir[] = "/tmp/thresh-test-report.XXXXXX";

static bool put(const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return file_save(path, str_from(text), NULL) == ST_OK;
}

static void the_columns_of_a_log_line(void)
{
	struct log_line l;

	CHECK(log_line_parse(
		STR("2026-11-15T04:30:04.421Z   200        225 http://a.test/x LLR "
		    "http://a.test/ text/html #001 20261115043004247+158 sha1:X s "
		    "duplicate:near,3t"),
		&l));
	CHECK(l.code == 200 && l.bytes == 225 && l.duration_ms == 158);
	CHECK(str_eq(l.url, STR("http://a.test/x")) && str_eq(l.mime, STR("text/html")));
	CHECK(str_eq(l.annotations, STR("duplicate:near,3t")));
	CHECK(log_line_parse(
		STR("2026-11-15T04:30:04Z -9998 - http://a/ L - - #1 - - - -"), &l));
	CHECK(l.code == -9998 && l.bytes == 0 && l.duration_ms == 0);
	CHECK(!log_line_parse(STR("2026-11-15T04:30:04Z 200 1 http://a/ L - - #1"), &l));
	CHECK(!log_line_parse(STR("yesterday 200 1 http://a/ L - - #1 - - - -"), &l));
}

static void a_folder_is_counted_to_the_line(void)
{
	cleanup(tally_release) struct tally t = { 0 };

	CHECK(put("crawl.log",
		  LINE("200", "100", "http://a.test/1", "text/html",
		       "-") LINE("200", "100", "http://a.test/2", "text/html",
				 "duplicate:digest") LINE("200", "50", "http://b.test/",
							  "text/html", "duplicate:near")
			  LINE("200", "60", "http://b.test/t", "text/html",
			       "2t,duplicate:text") LINE("200", "40", "http://b.test/s",
							 "text/html", "soft404")
				  LINE("404", "10", "http://a.test/no", "text/html",
				       "-") "torn li"));
	CHECK(put("pages.jsonl",
		  "{\"format\":\"json-pages-1.0\"}\n{\"url\":\"http://a.test/1\","
		  "\"language\":\"pt\"}\n"));
	CHECK(put("skipped.jsonl", "{\"stage\":\"scope\",\"rule\":\"depth\"}\n"
				   "{\"stage\":\"scope\",\"rule\":\"depth\"}\n"));
	CHECK(tally_load(&t, dir, NULL) == ST_OK);
	CHECK(t.requests == 6 && t.novel == 1 && t.exact == 2 && t.near == 1);
	CHECK(t.soft_404 == 1);
	CHECK(t.ok == 5 && t.client_errors == 1 && t.bytes == 360 && t.bad_lines == 1);
	CHECK(t.hosts.n == 2 && t.by_host[0].requests == 3 && t.by_host[0].failed == 1);
	CHECK(t.languages.names.n == 1 && counts_sum(&t.skips) == 2);
	CHECK(t.curve_n == 6 && t.unique_at[0] == 1 && t.unique_at[5] == 1);
}

static void what_the_web_wrote_is_escaped(void)
{
	cleanup(tally_release) struct tally t = { 0 };
	cleanup(buf_release) struct buf b = { 0 };

	CHECK(put("crawl.log",
		  LINE("200", "1", "http://<script>alert(1)</script>/", "a<b", "-")));
	CHECK(tally_load(&t, dir, NULL) == ST_OK);
	report_add_html(&t, STR("<b>&\xff"), &b);
	CHECK(str_find(buf_str(&b), STR("<script")) == STR_NONE);
	CHECK(str_find(buf_str(&b), STR("a&lt;b")) != STR_NONE);
	CHECK(str_find(buf_str(&b), STR("http://")) == STR_NONE); /* nothing is loaded */
}

static void an_empty_folder_is_an_empty_report(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct tally t = { 0 };

	report_add_html(&t, STR("x"), &b);
	CHECK(str_find(buf_str(&b), STR("Nothing was asked yet")) != STR_NONE);
}

static void axes_end_at_round_numbers(void)
{
	CHECK(plot_round_up(1) == 1 && plot_round_up(1.1) == 2 &&
	      plot_round_up(37) == 50);
	CHECK(plot_round_up(501) == 1000 && plot_round_up(0) == 1);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	RUN(the_columns_of_a_log_line);
	RUN(a_folder_is_counted_to_the_line);
	RUN(what_the_web_wrote_is_escaped);
	RUN(an_empty_folder_is_an_empty_report);
	RUN(axes_end_at_round_numbers);
	if (dir_remove(dir, NULL) != ST_OK)
		return 1;
	DONE();
}
