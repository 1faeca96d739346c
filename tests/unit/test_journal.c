#include "journal/journal.h"

#include <string.h>

#include "frontier/frontier.h"
#include "test.h"
#include "tmp.h"

static bool round_trip(const struct journal_record *r)
{
	struct buf once = { 0 }, twice = { 0 };
	struct arena a = { 0 };
	struct journal_record back;
	bool same;

	journal_encode(r, &once);
	same = journal_decode(buf_str(&once), &a, &back) == ST_OK && back.kind == r->kind;
	if (same) {
		journal_encode(&back, &twice);
		same = str_eq(buf_str(&once), buf_str(&twice));
	}
	/* Every cut is found out. */
	for (size_t n = 0; n < once.n && same; n++)
		same = journal_decode((struct str){ once.p, n }, &a, &back) == ST_CORRUPT;
	arena_release(&a);
	buf_release(&once);
	buf_release(&twice);
	return same;
}

static void every_record_survives_its_bytes(void)
{
	struct journal_link links[] = {
		{ .url = STR("https://a.org/x/y"),
		  .reason = REASON_SCOPE_HOST,
		  .depth = 3,
		  .hop = HOP_LINK,
		  .priority = 190,
		  .has_score = true,
		  .score = 0.25f,
		  .scores = STR("abc") },
		{ .url = STR("https://b.org/?s=1"),
		  .key = STR("https://b.org/"),
		  .rules = STR("r17"),
		  .outcome = OUTCOME_UNDECIDED,
		  .purpose = PURPOSE_EMBED,
		  .off_hops = 1 },
		{ .url = STR("ftp://c/"),
		  .outcome = OUTCOME_REFUSED,
		  .reason = REASON_SCHEME,
		  .detail = STR("ftp") },
	};
	struct journal_record all[] = {
		{ .kind = JOURNAL_BEGIN,
		  .begin = { -5, STR("0.1"), UINT64_MAX, 17, BEGIN_ROUND,
			     STR("delay: 1s\n"), 3 } },
		{ .kind = JOURNAL_LINKS,
		  .links = { STR("https://a.org/x/"), STR("LL"), STR("https://a.org/"),
			     123456789, 0, 40, links, 3 } },
		{ .kind = JOURNAL_LATE, .links = { .v = links, .n = 1 } },
		{ .kind = JOURNAL_DROPPED,
		  .dropped = { .url = STR("http://a/"),
			       .detail = STR("Disallow: /"),
			       .key = { 7, UINT64_MAX },
			       .now_ms = 99,
			       .code = -9998,
			       .purpose = PURPOSE_RETURN,
			       .reason = REASON_ROBOTS } },
		{ .kind = JOURNAL_RETRY, .dropped = { .code = 503 } },
		{ .kind = JOURNAL_DONE,
		  .done = { .url = STR("http://a/"),
			    .code = 200,
			    .sha1 = STR("01234567890123456789"),
			    .warc_offset = UINT64_MAX,
			    .verdict = STR("v"),
			    .novel = true } },
		{ .kind = JOURNAL_ROBOTS,
		  .robots = { STR("http://a"), STR("404"), 404, 1, 2, 3 } },
		{ .kind = JOURNAL_COMMIT, .commit = { 5, { 1, 2, 3, 4, 5 }, 6, 7 } },
		{ .kind = JOURNAL_END, .end = { 9, STR("done") } },
		{ .kind = JOURNAL_STEERED,
		  .steered = { STEER_MOVE, STR("http://a.org/x"), { 1, 2 }, 250, 9 } },
		{ .kind = JOURNAL_TRACE, .trace = { STR("events") } },
	};

	for (size_t i = 0; i < COUNT(all); i++)
		CHECK(round_trip(&all[i]));
}

static void the_last_commit_is_found_behind_a_torn_tail(void)
{
	struct segment_log l = { 0 };
	struct journal_record r = { .kind = JOURNAL_COMMIT };
	struct journal_commit got;
	struct buf b = { 0 };
	uint64_t end = 0, at;
	struct diag why;

	CHECK(segment_log_open(&l, tmp_path("journal"), &journal_segments,
			       &(struct segment_log_options){ 0 }, NULL, &why) == ST_OK);
	CHECK(journal_last_commit(tmp_path("journal"), &at, &got, &why) == ST_NOT_FOUND);
	for (unsigned i = 1; i <= 3; i++) {
		r.kind = JOURNAL_COMMIT;
		r.commit = (struct journal_commit){ .now_ms = i, .pages = i };
		buf_reset(&b);
		journal_encode(&r, &b);
		CHECK(segment_log_add(&l, buf_str(&b), NULL, &why) == ST_OK);
		end = segment_log_end(&l);
	}
	r = (struct journal_record){ .kind = JOURNAL_END };
	buf_reset(&b);
	journal_encode(&r, &b);
	CHECK(segment_log_add(&l, buf_str(&b), NULL, &why) == ST_OK);
	CHECK(segment_log_flush(&l, &why) == ST_OK);
	/* Half a record more, as a crash would leave it. */
	CHECK(file_write(&l.open.file, STR("\x20\0\0\0torn"), &why) == ST_OK);
	segment_log_close(&l);
	CHECK(journal_last_commit(tmp_path("journal"), &at, &got, &why) == ST_OK);
	CHECK(at == end && got.pages == 3);
	CHECK(segment_log_cut(tmp_path("journal"), at, &why) == ST_OK);
	CHECK(segment_log_open(&l, tmp_path("journal"), &journal_segments,
			       &(struct segment_log_options){ .synced = at }, NULL,
			       &why) == ST_OK);
	CHECK(segment_log_end(&l) == end);
	segment_log_close(&l);
	buf_release(&b);
}

/* A folder of an older program is refused with what to do, not called damaged. */
static void an_older_journal_is_refused_in_words(void)
{
	struct segment_kind old = { .name = journal_segments.name, .version = 2 };
	struct segment_log log;
	struct journal_commit commit;
	struct diag why;
	uint64_t end;

	CHECK(segment_log_open(&log, tmp_path("old"), &old,
			       &(struct segment_log_options){ 0 }, NULL, &why) == ST_OK);
	CHECK(segment_log_add(&log, STR("x"), NULL, &why) == ST_OK);
	CHECK(segment_log_flush(&log, &why) == ST_OK);
	segment_log_close(&log);
	CHECK(journal_last_commit(tmp_path("old"), &end, &commit, &why) ==
	      ST_UNSUPPORTED);
	CHECK(strstr(why.text, "version 2 is too old: an older thresh made this crawl"));
}

int main(void)
{
	RUN(every_record_survives_its_bytes);
	RUN(the_last_commit_is_found_behind_a_torn_tail);
	RUN(an_older_journal_is_refused_in_words);
	DONE();
}
