#include "writer/writer.h"

#include "os/fault.h"
#include "test.h"
#include "tmp.h"

static const struct crawl_settings settings = { .commit_ms = 1000 };

static bool count_commit(void *arg, const struct journal_record *r)
{
	*(int *)arg += r->kind == JOURNAL_COMMIT;
	return true;
}

/* As whoever comes after a crash finds them; -1 when there is no journal. */
static int commits_on_disk(const char *dir)
{
	struct arena a = { 0 };
	int n = 0;

	if (journal_each(path_join(&a, dir, STR("state/journal")), count_commit, &n,
			 NULL) != ST_OK)
		n = -1;
	arena_release(&a);
	return n;
}

static bool open_writer(struct writer *w, const char *dir, struct queue *out)
{
	struct arena a = { 0 };
	struct digests digests = { 0 };
	struct writer_start start = { .items_max = 4 };
	bool ok = dir_make(path_join(&a, dir, STR("state")), NULL) == ST_OK &&
		  writer_open(w, dir, &settings, &real_clock, &start, &digests, out,
			      NULL) == ST_OK;

	arena_release(&a);
	return ok;
}

static enum status add_note(struct writer *w)
{
	return writer_add_record(w,
				 &(struct journal_record){ .kind = JOURNAL_END,
							   .end = { 1, STR("note") } },
				 NULL);
}

static void a_commit_is_there_when_the_files_are(void)
{
	struct writer w;
	struct queue out;
	const char *dir = tmp_path("a");

	queue_init(&out, 4);
	CHECK(open_writer(&w, dir, &out) && add_note(&w) == ST_OK);
	CHECK(writer_commit(&w, NULL) == ST_OK && commits_on_disk(dir) == 1);
	CHECK(writer_commit(&w, NULL) == ST_OK &&
	      commits_on_disk(dir) == 1); /* nothing new */
	writer_release(&w);
	queue_release(&out);
}

/* What the disk did not take must not be vouched for, whatever is flushed later. */
static void no_commit_is_seen_before_its_files_are_synced(void)
{
	struct writer w;
	struct queue out;
	struct diag why;
	const char *dir = tmp_path("b");

	queue_init(&out, 4);
	CHECK(open_writer(&w, dir, &out) && add_note(&w) == ST_OK);
	CHECK(fault_set(STR("fail-sync=1"), NULL) == ST_OK);
	CHECK(writer_commit(&w, &why) != ST_OK);
	CHECK(fault_set(STR(""), NULL) == ST_OK);
	CHECK(add_note(&w) == ST_OK && segment_log_flush(&w.journal, NULL) == ST_OK);
	CHECK(commits_on_disk(dir) == 0);
	writer_release(&w);
	queue_release(&out);
}

int main(void)
{
	RUN(a_commit_is_there_when_the_files_are);
	RUN(no_commit_is_seen_before_its_files_are_synced);
	DONE();
}
