/* A file of scores, and the thread that watches it. */
#include "control/score_file.h"

#include "os/clock.h"
#include "os/file.h"
#include "test.h"
#include "tmp.h"

static void lines_are_a_url_and_a_score(void)
{
	struct str rest =
		STR("# a comment\n\nhttp://a/ 1\r\nhttp://b/x\t 0.5 \n"
		    "http://c/\nhttp://d/ 1.5\nhttp://e/ nan\n 0.5\nhttp://f/ 0");
	struct score_line l;
	uint64_t malformed = 0;

	CHECK(score_line_next(&rest, &l, &malformed));
	CHECK(str_eq(l.url, STR("http://a/")) && l.priority == 255);
	CHECK(score_line_next(&rest, &l, &malformed));
	CHECK(str_eq(l.url, STR("http://b/x")) && l.priority == 128);
	CHECK(score_line_next(&rest, &l, &malformed));
	CHECK(str_eq(l.url, STR("http://f/")) && l.priority == 0);
	CHECK(!score_line_next(&rest, &l, &malformed));
	CHECK(malformed == 4);
}

static struct score_batch *wait_for(struct score_watch *w)
{
	struct score_batch *b = NULL;

	for (int k = 0; k < 500 && !b; k++) {
		b = score_watch_take(w);
		if (!b)
			sleep_ms(10);
	}
	return b;
}

static void only_what_has_changed_is_told(void)
{
	const char *path = tmp_path("scores");
	struct score_watch *w = NULL;
	struct diag why;

	CHECK(score_watch_start(&w, path, 10, &why) == ST_OK);
	CHECK(!score_watch_take(w)); /* it need not be there */
	CHECK(file_replace(path, STR("http://a/ 1\nhttp://b/ 0.5\nhttp://half 0.5"),
			   &why) == ST_OK);
	struct score_batch *b = wait_for(w);
	CHECK(b && b->n == 2); /* a line without an end is not whole */
	score_batch_free(b);
	CHECK(file_replace(path, STR("http://a/ 1\nhttp://b/ 0.25\nhttp://c/ 0.5\n?\n"),
			   &why) == ST_OK);
	b = wait_for(w);
	CHECK(b && b->n == 2);
	CHECK(b && str_eq(b->v[0].url, STR("http://b/")) && b->v[0].priority == 64);
	CHECK(b && str_eq(b->v[1].url, STR("http://c/")));
	CHECK(score_watch_malformed(w) == 1);
	score_batch_free(b);
	score_watch_stop(w);
}

int main(void)
{
	RUN(lines_are_a_url_and_a_score);
	RUN(only_what_has_changed_is_told);
	DONE();
}
