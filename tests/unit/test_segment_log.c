#include "os/segment_log.h"

#include <string.h>

#include "test.h"
#include "tmp.h"

static const struct segment_kind kind = { "testLOGS", 1 };

#define RECORDS 200

static bool open_log(struct segment_log *l, const char *name)
{
	return segment_log_open(l, tmp_path(name), &kind,
				&(struct segment_log_options){ .rotate_bytes = 512 },
				NULL, NULL) == ST_OK;
}

static bool add_number(struct segment_log *l, unsigned i, uint64_t *ret_position)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "record %u", i);

	return segment_log_add(l, (struct str){ text, (size_t)n }, ret_position, NULL) ==
	       ST_OK;
}

static bool next_is(struct segment_cursor *c, unsigned i)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "record %u", i);
	struct str got;

	return segment_cursor_next(c, &got, NULL) == ST_OK &&
	       str_eq(got, (struct str){ text, (size_t)n });
}

static void a_log_of_many_files_reads_from_any_position(void)
{
	struct segment_log l = { 0 };
	uint64_t at[RECORDS];
	struct str got;

	CHECK(open_log(&l, "many"));
	for (unsigned i = 0; i < RECORDS; i++)
		CHECK(add_number(&l, i, &at[i]));
	CHECK(segment_log_flush(&l, NULL) == ST_OK && l.base > 0);
	for (unsigned from = 0; from < RECORDS; from += 7) {
		struct segment_cursor c = { 0 };

		CHECK(segment_cursor_open(&c, tmp_path("many"), &kind, at[from], NULL) ==
		      ST_OK);
		for (unsigned i = from; i < RECORDS; i++)
			CHECK(c.position == at[i] && next_is(&c, i));
		CHECK(segment_cursor_next(&c, &got, NULL) == ST_AGAIN);
		CHECK(c.position == segment_log_end(&l));
		segment_cursor_close(&c);
	}
	segment_log_close(&l);
}

static void a_reader_at_the_end_sees_what_comes(void)
{
	struct segment_log l = { 0 };
	struct segment_cursor c = { 0 };
	struct str got;

	CHECK(open_log(&l, "tail"));
	CHECK(segment_cursor_open(&c, tmp_path("tail"), &kind, 0, NULL) == ST_OK);
	for (unsigned i = 0; i < RECORDS; i++) {
		CHECK(segment_cursor_next(&c, &got, NULL) == ST_AGAIN);
		CHECK(add_number(&l, i, NULL) && segment_log_flush(&l, NULL) == ST_OK);
		CHECK(next_is(&c, i));
	}
	segment_cursor_close(&c);
	segment_log_close(&l);
}

static void positions_go_on_after_reopening(void)
{
	struct segment_log l = { 0 };
	uint64_t end;

	CHECK(open_log(&l, "again"));
	for (unsigned i = 0; i < RECORDS; i++)
		CHECK(add_number(&l, i, NULL));
	end = segment_log_end(&l);
	CHECK(segment_log_sync(&l, NULL) == ST_OK);
	segment_log_close(&l);
	CHECK(segment_log_open(&l, tmp_path("again"), &kind,
			       &(struct segment_log_options){ .synced = end }, NULL,
			       NULL) == ST_OK);
	CHECK(segment_log_end(&l) == end);
	segment_log_close(&l);
	CHECK(segment_log_open(&l, tmp_path("again"), &kind,
			       &(struct segment_log_options){ .synced = end + 1 }, NULL,
			       NULL) == ST_CORRUPT);
}

static void old_files_can_be_dropped(void)
{
	struct segment_log l = { 0 };
	struct segment_cursor c = { 0 };
	uint64_t at[RECORDS];

	CHECK(open_log(&l, "drop"));
	for (unsigned i = 0; i < RECORDS; i++)
		CHECK(add_number(&l, i, &at[i]));
	CHECK(segment_log_flush(&l, NULL) == ST_OK);
	CHECK(segment_log_drop(&l, at[100], NULL) == ST_OK);
	CHECK(segment_cursor_open(&c, tmp_path("drop"), &kind, 0, NULL) == ST_OK);
	CHECK(c.position > at[50] && c.position <= at[100]);
	segment_cursor_close(&c);
	CHECK(segment_cursor_open(&c, tmp_path("drop"), &kind, at[100], NULL) == ST_OK);
	CHECK(next_is(&c, 100));
	segment_cursor_close(&c);
	segment_log_close(&l);
}

static void damage_is_named_with_its_place(void)
{
	struct segment_log l = { 0 };
	struct segment_cursor c = { 0 };
	struct file f = { 0 };
	struct str got;
	struct diag why;

	CHECK(open_log(&l, "bad"));
	CHECK(add_number(&l, 0, NULL) && add_number(&l, 1, NULL));
	CHECK(segment_log_flush(&l, NULL) == ST_OK);
	segment_log_close(&l);
	CHECK(file_open(&f, tmp_path("bad/00000000000000000000.seg"), FILE_UPDATE,
			NULL) == ST_OK);
	CHECK(file_write_at(&f, STR("X"), 45, NULL) == ST_OK);
	file_close(&f);
	CHECK(segment_cursor_open(&c, tmp_path("bad"), &kind, 0, NULL) == ST_OK);
	CHECK(next_is(&c, 0));
	CHECK(segment_cursor_next(&c, &got, &why) == ST_CORRUPT);
	CHECK(strstr(why.text, "00000.seg: damaged at byte 32"));
	segment_cursor_close(&c);
	CHECK(segment_cursor_open(&c, tmp_path("nowhere"), &kind, 0, &why) ==
	      ST_NOT_FOUND);
}

static void what_was_not_committed_can_be_cut(void)
{
	for (unsigned keep = 0; keep <= RECORDS; keep += 40) {
		struct segment_log l = { 0 };
		struct segment_cursor c = { 0 };
		uint64_t at[RECORDS + 1];
		struct str got;

		CHECK(dir_remove(tmp_path("cut"), NULL) == ST_OK && open_log(&l, "cut"));
		for (unsigned i = 0; i < RECORDS; i++)
			CHECK(add_number(&l, i, &at[i]));
		CHECK(segment_log_flush(&l, NULL) == ST_OK);
		at[RECORDS] = segment_log_end(&l);
		segment_log_close(&l);
		CHECK(segment_log_cut(tmp_path("cut"), at[keep], NULL) == ST_OK);
		CHECK(open_log(&l, "cut") && segment_log_end(&l) == at[keep]);
		CHECK(segment_cursor_open(&c, tmp_path("cut"), &kind, 0, NULL) == ST_OK);
		for (unsigned i = 0; i < keep; i++)
			CHECK(next_is(&c, i));
		CHECK(segment_cursor_next(&c, &got, NULL) == ST_AGAIN);
		segment_cursor_close(&c);
		segment_log_close(&l);
	}
}

int main(void)
{
	RUN(a_log_of_many_files_reads_from_any_position);
	RUN(a_reader_at_the_end_sees_what_comes);
	RUN(positions_go_on_after_reopening);
	RUN(old_files_can_be_dropped);
	RUN(what_was_not_committed_can_be_cut);
	RUN(damage_is_named_with_its_place);
	DONE();
}
