#include "appreport/app_summary.h"

#include "test.h"

#define PAGE(nr, url, more)                                                         \
	"{\"page\":" nr ",\"url\":\"http://b/" url                                  \
	"\",\"application\":\"phpbb\",\"level\":\"thread\",\"confidence\":90," more \
	"}\n"
#define POST(nr, id) \
	"{\"page\":" nr ",\"url\":\"u\",\"object\":\"post\",\"id\":\"" id "\"}\n"
#define LOG(code, url) "2026-01-01T00:00:00Z " code " 10 http://b/" url " - - text/html\n"

static void pages_that_lead_to_each_other_are_one_thread(void)
{
	struct app_summary s;
	struct buf text = { 0 };

	app_summary_read(
		&s,
		&(struct app_summary_input){
			STR(PAGE("1", "t1",
				 "\"total\":4,\"next\":[\"http://b/t1p2\",\"http://b/"
				 "t1p3\"]") PAGE("2", "t1p2",
						 "\"total\":4,\"next\":[\"http://b/t1\"]")
				    PAGE("5", "t9", "\"total\":1,\"next\":[]")),
			STR(POST("1", "7") POST("1", "8") POST("2", "8") POST("2", "9")
				    POST("5", "1")),
			STR(LOG("200", "t1") LOG("200", "t1p2") LOG("404", "t1p3")
				    LOG("404", "t1p3") LOG("200", "t9")) });
	CHECK(s.n == 1 && s.sites[0].pages == 3 && s.sites[0].objects == 4);
	CHECK(s.sites[0].failed == 1);
	CHECK(s.n_wholes == 2);
	CHECK(s.wholes[0].pages == 2 && s.wholes[0].objects == 3 &&
	      s.wholes[0].total == 4);
	CHECK(s.wholes[0].n_missing == 1 &&
	      str_eq(s.wholes[0].missing[0], STR("http://b/t1p3")));
	CHECK(!app_whole_is_complete(&s.wholes[0]) &&
	      app_whole_is_complete(&s.wholes[1]));
	app_whole_format(&s.wholes[0], &text);
	CHECK(str_eq(buf_str(&text),
		     STR("3 of 4 objects on 2 pages; missing: http://b/t1p3")));
	buf_release(&text);
	app_summary_release(&s);
}

static void a_page_that_moved_is_not_missing(void)
{
	struct app_summary s;

	app_summary_read(
		&s, &(struct app_summary_input){
			    STR(PAGE("1", "t1", "\"next\":[\"http://b/t1?page=1\"]")),
			    STR(POST("1", "7")),
			    STR(LOG("200", "t1") LOG("301", "t1?page=1")) });
	CHECK(s.n_wholes == 0 && s.sites[0].levels[0].incomplete == 0);
	CHECK(s.sites[0].levels[0].wholes == 1);
	app_summary_release(&s);
}

int main(void)
{
	RUN(pages_that_lead_to_each_other_are_one_thread);
	RUN(a_page_that_moved_is_not_missing);
	DONE();
}
