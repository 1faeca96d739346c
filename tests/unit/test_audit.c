#include "journal/audit.h"

#include "test.h"
#include "tmp.h"

static struct segment_log out;

static void write_record(const struct journal_record *r)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct diag why;

	journal_encode(r, &b);
	CHECK(segment_log_add(&out, buf_str(&b), NULL, &why) == ST_OK);
}

static void link_one(const char *url, const char *key, uint8_t outcome, const char *other,
		     uint8_t purpose)
{
	struct journal_link l = { .url = str_from(url),
				  .key = str_from(key),
				  .detail = str_from(other),
				  .outcome = outcome,
				  .purpose = purpose };

	write_record(&(struct journal_record){ .kind = JOURNAL_LINKS,
					       .links = { .v = &l, .n = 1 } });
}

static void take(const char *url)
{
	link_one(url, "", OUTCOME_QUEUED, "", PURPOSE_LINK);
}

static void skip(const char *url, const char *key, const char *other)
{
	link_one(url, key, OUTCOME_SKIPPED, other, PURPOSE_LINK);
}

static void end(const char *url, int code, const char *location)
{
	write_record(
		&(struct journal_record){ .kind = JOURNAL_DONE,
					  .done = { .url = str_from(url),
						    .code = code,
						    .location = str_from(location) } });
}

static void drop(const char *url, enum reason reason)
{
	write_record(&(struct journal_record){
		.kind = JOURNAL_DROPPED,
		.dropped = { .url = str_from(url), .reason = (uint16_t)reason } });
}

static void retry(const char *url)
{
	write_record(&(struct journal_record){ .kind = JOURNAL_RETRY,
					       .dropped = { .url = str_from(url) } });
}

static void write_journal(void)
{
	take("http://a.test/fine");
	end("http://a.test/fine", 200, "");
	take("http://a.test/early");
	retry("http://a.test/early");
	end("http://a.test/early", 404, "");
	take("http://a.test/forgotten");
	take("http://a.test/old");
	end("http://a.test/old", 301, "/fine");
	take("http://a.test/down");
	end("http://a.test/down", 503, "");
	take("http://a.test/private");
	drop("http://a.test/private", REASON_ROBOTS);

	skip("http://a.test/fine?s=1", "http://a.test/fine", "http://a.test/fine");
	skip("http://a.test/fine?s=2", "http://a.test/fine", "http://a.test/fine?s=1");
	skip("http://a.test/fine?s=3", "http://a.test/fine", ""); /* known by key only */
	skip("http://a.test/old?s=1", "http://a.test/old", "http://a.test/old");
	skip("http://a.test/early?s=1", "http://a.test/early", "http://a.test/early");
	skip("http://a.test/down?s=1", "http://a.test/down", "http://a.test/down");
	skip("http://a.test/private?s", "http://a.test/private", "http://a.test/private");
	skip("http://a.test/back?s=1", "http://a.test/back", "http://a.test/down");
	link_one("http://a.test/back?s=1", "", OUTCOME_QUEUED, "", PURPOSE_RETURN);
	end("http://a.test/back?s=1", 200, "");
	link_one("http://a.test/n?s=1", "http://a.test/n", OUTCOME_QUEUED, "",
		 PURPOSE_LINK);
	end("http://a.test/n?s=1", 200, "");
	skip("http://a.test/n?s=2", "http://a.test/n", "");
	/* Another visit, not another life. */
	link_one("http://a.test/fine", "", OUTCOME_QUEUED, "", PURPOSE_REVISIT);
}

static bool note_url(void *arg, struct str url)
{
	struct buf *b = arg;

	buf_add(b, url);
	buf_add_char(b, ' ');
	return true;
}

static void every_url_has_an_end(void)
{
	cleanup(audit_release) struct audit a = { 0 };
	cleanup(buf_release) struct buf b = { 0 };
	struct diag why;

	CHECK(dir_make(tmp_path("crawl/state"), &why) == ST_OK);
	CHECK(segment_log_open(&out, tmp_path("crawl/state/journal"), &journal_segments,
			       &(struct segment_log_options){ 0 }, NULL, &why) == ST_OK);
	write_journal();
	CHECK(segment_log_flush(&out, &why) == ST_OK);
	segment_log_close(&out);
	CHECK(audit_crawl(&a, tmp_path("crawl"), &why) == ST_OK);
	CHECK(a.count[AUDIT_FETCHED] == 3 && a.count[AUDIT_MOVED] == 1);
	CHECK(a.count[AUDIT_GONE] == 1 && a.count[AUDIT_FAILED] == 1);
	CHECK(a.count[AUDIT_REFUSED] == 1 && a.count[AUDIT_SKIPPED] == 6);
	CHECK(a.count[AUDIT_UNFETCHED] == 1 && a.count[AUDIT_LOST] == 1);
	CHECK(a.count[AUDIT_WAITING] == 1);
	CHECK(a.refused[REASON_ROBOTS] == 1 && a.violations == 0);
	CHECK(audit_find(&a, STR("http://a.test/down?s=1")) == AUDIT_LOST);
	CHECK(audit_find(&a, STR("http://a.test/never")) == AUDIT_ENDS);
	CHECK(audit_list(&a, tmp_path("crawl"), AUDIT_WAITING, note_url, &b, &why) ==
	      ST_OK);
	CHECK(str_eq(buf_str(&b), STR("http://a.test/forgotten ")));
}

static void half(const char *url, uint8_t purpose)
{
	write_record(&(struct journal_record){ .kind = JOURNAL_DONE,
					       .done = { .url = str_from(url),
							 .code = 200,
							 .error = STR("too slow"),
							 .attempt = 1,
							 .purpose = purpose } });
}

/* A last attempt follows half a page, and what that brings is what there is. */
static void half_a_page_has_not_come_yet(void)
{
	cleanup(audit_release) struct audit a = { 0 };
	struct diag why;

	CHECK(dir_make(tmp_path("half/state"), &why) == ST_OK);
	CHECK(segment_log_open(&out, tmp_path("half/state/journal"), &journal_segments,
			       &(struct segment_log_options){ 0 }, NULL, &why) == ST_OK);
	take("http://a.test/slow");
	half("http://a.test/slow", PURPOSE_LINK);
	link_one("http://a.test/slow", "", OUTCOME_QUEUED, "", PURPOSE_LAST_ATTEMPT);
	half("http://a.test/slow", PURPOSE_LAST_ATTEMPT);
	take("http://a.test/slower");
	half("http://a.test/slower", PURPOSE_LINK);
	CHECK(segment_log_flush(&out, &why) == ST_OK);
	segment_log_close(&out);
	CHECK(audit_crawl(&a, tmp_path("half"), &why) == ST_OK);
	CHECK(a.violations == 0 && a.count[AUDIT_FETCHED] == 1);
	CHECK(a.count[AUDIT_FAILED] == 1);
}

/* What cannot happen is found: an answer without a request, a second answer. */
static void events_out_of_turn_are_violations(void)
{
	cleanup(audit_release) struct audit a = { 0 };
	struct diag why;

	CHECK(dir_make(tmp_path("odd/state"), &why) == ST_OK);
	CHECK(segment_log_open(&out, tmp_path("odd/state/journal"), &journal_segments,
			       &(struct segment_log_options){ 0 }, NULL, &why) == ST_OK);
	take("http://a.test/twice");
	end("http://a.test/twice", 200, "");
	take("http://a.test/twice");
	end("http://a.test/never-queued", 200, "");
	CHECK(segment_log_flush(&out, &why) == ST_OK);
	segment_log_close(&out);
	CHECK(audit_crawl(&a, tmp_path("odd"), &why) == ST_OK);
	CHECK(a.violations == 3 && a.violation[URL_ANSWERED][URL_EVENT_QUEUE] == 1);
	CHECK(str_eq(buf_str(&a.first_violation),
		     STR("queue while answered: http://a.test/twice")));
}

static void a_folder_without_journal_is_told(void)
{
	cleanup(audit_release) struct audit a = { 0 };
	struct diag why;

	CHECK(audit_crawl(&a, tmp_path("nowhere"), &why) == ST_NOT_FOUND);
}

int main(void)
{
	RUN(every_url_has_an_end);
	RUN(half_a_page_has_not_come_yet);
	RUN(events_out_of_turn_are_violations);
	RUN(a_folder_without_journal_is_told);
	DONE();
}
