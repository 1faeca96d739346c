#include "writer/writer.h"

#include <stdlib.h>

#include "test.h"
#include "tmp.h"

static struct writer w;
static struct queue out;
static struct crawl_settings settings;

static bool open_writer(struct diag *why)
{
	struct digests digests = { 0 };
	struct writer_start start = { .items_max = 8 };

	settings = (struct crawl_settings){ .no_warc = true, .commit_ms = 1000 };
	queue_init(&out, 64);
	return dir_make(tmp_path("crawl/state"), why) == ST_OK &&
	       writer_open(&w, tmp_path("crawl"), &settings, &real_clock, &start,
			   &digests, &out, why) == ST_OK &&
	       writer_start_thread(&w, why) == ST_OK;
}

static struct crawl_item *take(void)
{
	void *item = NULL;

	return queue_take(&out, 5000, &item) == ST_OK ? item : NULL;
}

/* Lines that belong behind the first `seq` pages. */
static bool give_lines(uint64_t seq, const char *url)
{
	struct crawl_item *i = item_new();
	cleanup(buf_release) struct buf record = { 0 };

	i->stage = ITEM_LINES;
	i->seq = seq;
	journal_encode(&(struct journal_record){ .kind = JOURNAL_DROPPED,
						 .dropped = { .url = str_from(url) } },
		       &record);
	buf_add_sized(&i->journal, buf_str(&record));
	return queue_add(&w.in, i, 1000) == ST_OK;
}

static struct crawl_item *judged_page(const char *url)
{
	struct crawl_item *i = item_new();

	i->stage = ITEM_JUDGING;
	i->step.task.url = str_from(url);
	i->result.code = 404;
	i->result.task = &i->step.task;
	i->mime = STR("text/html");
	return queue_add(&w.in, i, 1000) == ST_OK ? take() : NULL;
}

/* Take so many; the stage of the last, 0 when they do not come. */
static unsigned give_back(unsigned n)
{
	unsigned stage = 0;

	for (; n > 0; n--) {
		struct crawl_item *i = take();

		if (!i)
			return 0;
		stage = i->stage;
		item_free(i);
	}
	return stage;
}

static bool see(void *arg, const struct journal_record *r)
{
	struct buf *b = arg;
	struct str url = r->kind == JOURNAL_DROPPED ? r->dropped.url
			 : r->kind == JOURNAL_DONE  ? r->done.url
						    : STR("");

	buf_add(b, url);
	return true;
}

/* Several batches wait for the same page, and one for none: each is written behind what
 * it follows from, and all come back. */
static void lines_stand_behind_the_pages_they_follow_from(void)
{
	cleanup(buf_release) struct buf order = { 0 };
	struct diag why;

	CHECK(open_writer(&why));
	struct crawl_item *a = judged_page("A"), *b = judged_page("B");
	CHECK(a && b && a->seq == 0 && b->seq == 1);
	b->stage = a->stage = ITEM_WRITING;
	CHECK(give_lines(0, "0") && give_lines(1, "1") && give_lines(1, "2") &&
	      give_lines(2, "3"));
	CHECK(give_back(1) == ITEM_LINES); /* only what waits for nothing */
	CHECK(queue_add(&w.in, a, 1000) == ST_OK && give_back(3));
	CHECK(give_lines(2, "4")); /* while others still wait */
	CHECK(queue_add(&w.in, b, 1000) == ST_OK && give_back(3));
	queue_close(&w.in);
	CHECK(writer_close(&w, STR("end"), &why) == ST_OK);
	CHECK(journal_each(tmp_path("crawl/state/journal"), see, &order, &why) == ST_OK);
	CHECK(str_eq(buf_str(&order), STR("0A12B34")));
	writer_release(&w);
	queue_release(&out);
}

int main(void)
{
	RUN(lines_stand_behind_the_pages_they_follow_from);
	DONE();
}
