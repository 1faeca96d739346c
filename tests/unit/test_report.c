#include <stdlib.h>
#include <string.h>

#include "os/file.h"
#include "report/form.h"
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
	CHECK(put("skipped.jsonl",
		  "{\"url\":\"http://a.test/x\",\"stage\":\"scope\",\"rule\":\"depth\"}\n"
		  "{\"url\":\"http://a.test/y\",\"stage\":\"rules\",\"rule\":\"www\"}\n"
		  "{\"url\":\"http://b.test/"
		  "s\",\"stage\":\"content\",\"rule\":\"soft-404\"}\n"
		  "{\"url\":\"http://a.test/cal/"
		  "1\",\"stage\":\"queue\",\"rule\":\"template\"}\n"
		  "{\"url\":\"http://a.test/cal/"
		  "2\",\"stage\":\"trap\",\"rule\":\"calendar\"}\n"));
	CHECK(tally_load(&t, dir, NULL) == ST_OK);
	CHECK(t.requests == 6 && t.fates[FATE_NEW].requests == 1);
	CHECK(t.fates[FATE_EXACT].requests == 2 && t.fates[FATE_EXACT].bytes == 160);
	CHECK(t.fates[FATE_NEAR].requests == 1 && t.fates[FATE_SOFT_404].requests == 1);
	CHECK(t.fates[FATE_REFUSED].requests == 1 && t.fates[FATE_REFUSED].bytes == 10);
	CHECK(tally_page_bytes(&t) == 310 / 4);
	CHECK(t.ok == 5 && t.client_errors == 1 && t.bytes == 360 && t.bad_lines == 1);
	CHECK(t.hosts.n == 2 && t.by_host[0].requests == 3 && t.by_host[0].failed == 1);
	CHECK(t.languages.names.n == 1);
	CHECK(counts_sum(&t.spared[SPARED_KNOWN]) == 1);
	CHECK(counts_sum(&t.spared[SPARED_NOTHING]) == 2);
	CHECK(counts_sum(&t.spared[SPARED_OUTSIDE]) == 1);
	CHECK(t.traps.names.n == 1 && t.traps.n[0] == 2);
	CHECK(t.curve_n == 6 && t.unique_at[0] == 1 && t.unique_at[5] == 1);
}

static bool has_form(const char *url, const char *form)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add_url_form(&b, str_from(url));
	return str_eq(buf_str(&b), str_from(form));
}

static void the_form_of_a_url_has_its_words_and_no_values(void)
{
	CHECK(has_form("http://a.org/cal/2026/11?day=3&view=w#x",
		       "a.org/cal/#/#?day&view"));
	CHECK(has_form("https://a.org:81/", "a.org:81"));
	CHECK(has_form("https://a.org?q", "a.org?q"));
	CHECK(has_form("http://a/b/c/d/e/f/g/h/i/j", "a/b/c/d/e/f/g/h/..."));
	CHECK(has_form("http://a/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/b",
		       "a/#/b"));
	CHECK(has_form("http://a/find?a=1&b=2", "a/find?a&b"));
	CHECK(has_form("http://a/find?b=2&c=3&a=4", "a/find?..."));
	CHECK(has_form("", ""));
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
	CHECK(str_find(buf_str(&b), STR("No requests yet")) != STR_NONE);
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
	RUN(the_form_of_a_url_has_its_words_and_no_values);
	RUN(what_the_web_wrote_is_escaped);
	RUN(an_empty_folder_is_an_empty_report);
	RUN(axes_end_at_round_numbers);
	if (dir_remove(dir, NULL) != ST_OK)
		return 1;
	DONE();
}
