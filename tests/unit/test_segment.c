#include "os/segment.h"

#include <string.h>

#include "os/fault.h"
#include "test.h"
#include "tmp.h"

static const struct segment_kind kind = { "testSEGM", 3 };

/* The records of a file's bytes, joined by '|', and '!' at damage. */
static void joined(struct str bytes, struct buf *to)
{
	struct segment_reader r;
	struct str record;
	enum status st = segment_reader_init(&r, bytes, &kind, NULL);

	buf_reset(to);
	while (st == ST_OK && (st = segment_next(&r, &record)) == ST_OK) {
		buf_add(to, record);
		buf_add_char(to, '|');
	}
	if (st != ST_AGAIN)
		buf_add_char(to, '!');
}

static bool write_three(const char *path)
{
	struct segment s = { 0 };
	uint64_t at;
	bool ok = segment_open(&s, path, &kind, 0, NULL, NULL) == ST_OK &&
		  segment_add(&s, STR("one"), &at, NULL) == ST_OK &&
		  at == SEGMENT_HEADER && segment_add(&s, STR(""), NULL, NULL) == ST_OK &&
		  segment_add(&s, STR("three"), NULL, NULL) == ST_OK &&
		  segment_sync(&s, NULL) == ST_OK && segment_end(&s) == 16 + 24 + 8;

	segment_close(&s);
	return ok;
}

static void what_was_added_is_read(void)
{
	struct buf bytes = { 0 }, got = { 0 };

	CHECK(write_three(tmp_path("a")));
	CHECK(file_load(tmp_path("a"), 1 << 20, &bytes, NULL) == ST_OK);
	joined(buf_str(&bytes), &got);
	CHECK(str_eq(buf_str(&got), STR("one||three|")));
	buf_release(&bytes);
	buf_release(&got);
}

static void every_torn_tail_is_cut_to_whole_records(void)
{
	struct buf bytes = { 0 }, got = { 0 };

	CHECK(write_three(tmp_path("b")));
	CHECK(file_load(tmp_path("b"), 1 << 20, &bytes, NULL) == ST_OK && bytes.n == 48);
	for (size_t n = 0; n <= 48; n++) {
		struct segment s = { 0 };
		struct segment_cut cut;
		uint64_t good = n < 16 ? 0 : n < 27 ? 16 : n < 35 ? 27 : n < 48 ? 35 : 48;

		CHECK(file_save(tmp_path("t"), str_slice(buf_str(&bytes), 0, n), NULL) ==
		      ST_OK);
		CHECK(segment_open(&s, tmp_path("t"), &kind, 0, &cut, NULL) == ST_OK);
		CHECK(cut.at == good && cut.bytes == n - good);
		CHECK(segment_add(&s, STR("more"), NULL, NULL) == ST_OK);
		CHECK(segment_flush(&s, NULL) == ST_OK);
		segment_close(&s);
		buf_reset(&got);
		CHECK(file_load(tmp_path("t"), 1 << 20, &got, NULL) == ST_OK);
		CHECK(got.n == MAX(good, 16u) + 12);
	}
	buf_release(&bytes);
	buf_release(&got);
}

static void damage_in_the_synced_part_is_not_cut(void)
{
	struct segment s = { 0 };
	struct buf bytes = { 0 };
	struct diag why;

	CHECK(write_three(tmp_path("c")));
	CHECK(file_load(tmp_path("c"), 1 << 20, &bytes, NULL) == ST_OK);
	bytes.p[25] ^= 1;
	CHECK(file_save(tmp_path("c"), buf_str(&bytes), NULL) == ST_OK);
	CHECK(segment_open(&s, tmp_path("c"), &kind, 48, NULL, &why) == ST_CORRUPT);
	CHECK(strstr(why.text, "damaged at byte 16"));
	uint64_t size;
	CHECK(file_size(tmp_path("c"), &size, NULL) == ST_OK && size == 48);
	buf_release(&bytes);
}

static void every_flipped_bit_is_noticed(void)
{
	struct buf bytes = { 0 }, got = { 0 };

	CHECK(write_three(tmp_path("d")));
	CHECK(file_load(tmp_path("d"), 1 << 20, &bytes, NULL) == ST_OK);
	for (size_t i = 0; i < bytes.n * 8; i++) {
		bytes.p[i / 8] = (char)(bytes.p[i / 8] ^ (1 << i % 8));
		joined(buf_str(&bytes), &got);
		CHECK(got.n > 0 && got.p[got.n - 1] == '!');
		bytes.p[i / 8] = (char)(bytes.p[i / 8] ^ (1 << i % 8));
	}
	buf_release(&bytes);
	buf_release(&got);
}

static void zeros_are_not_records(void)
{
	struct buf bytes = { 0 }, got = { 0 };

	CHECK(write_three(tmp_path("e")));
	CHECK(file_load(tmp_path("e"), 1 << 20, &bytes, NULL) == ST_OK);
	for (int i = 0; i < 64; i++)
		buf_add_char(&bytes, '\0');
	joined(buf_str(&bytes), &got);
	CHECK(str_eq(buf_str(&got), STR("one||three|!")));
	buf_release(&bytes);
	buf_release(&got);
}

static void other_kinds_and_newer_versions_are_refused(void)
{
	static const struct segment_kind other = { "otherKND", 3 },
					 old = { "testSEGM", 2 };
	struct segment s = { 0 };
	struct diag why;

	CHECK(write_three(tmp_path("f")));
	CHECK(segment_open(&s, tmp_path("f"), &other, 0, NULL, &why) == ST_CORRUPT);
	CHECK(segment_open(&s, tmp_path("f"), &old, 0, NULL, &why) == ST_UNSUPPORTED);
}

static void a_failed_flush_can_be_repeated(void)
{
	struct segment s = { 0 };
	struct buf bytes = { 0 }, got = { 0 };

	CHECK(segment_open(&s, tmp_path("g"), &kind, 0, NULL, NULL) == ST_OK);
	CHECK(segment_add(&s, STR("kept"), NULL, NULL) == ST_OK);
	CHECK(fault_set(STR("fail-write=1:ENOSPC"), NULL) == ST_OK);
	CHECK(segment_flush(&s, NULL) == ST_DISK_FULL);
	CHECK(segment_sync(&s, NULL) == ST_OK);
	CHECK(fault_set(STR(""), NULL) == ST_OK);
	segment_close(&s);
	CHECK(file_load(tmp_path("g"), 1 << 20, &bytes, NULL) == ST_OK);
	joined(buf_str(&bytes), &got);
	CHECK(str_eq(buf_str(&got), STR("kept|")));
	buf_release(&bytes);
	buf_release(&got);
}

static bool holds(const struct segment *s, uint64_t at, struct str record)
{
	struct buf scratch = { 0 };
	struct str got;
	bool ok = segment_get(s, at, SEGMENT_OVERHEAD + record.n, &scratch, &got, NULL) ==
			  ST_OK &&
		  str_eq(str_skip(got, SEGMENT_OVERHEAD), record);

	buf_release(&scratch);
	return ok;
}

static void what_is_held_is_read_and_not_written(void)
{
	struct segment s = { 0 };
	uint64_t one, two;

	CHECK(segment_open(&s, tmp_path("h"), &kind, 0, NULL, NULL) == ST_OK);
	segment_hold(&s, 1 << 20);
	CHECK(segment_add(&s, STR("one"), &one, NULL) == ST_OK);
	for (int i = 0; i < 6000; i++) /* more than is written in one go */
		CHECK(segment_add(&s,
				  STR("a hundred bytes or so, a hundred bytes or so, "
				      "a hundred bytes or so, a hundred bytes or so"),
				  &two, NULL) == ST_OK);
	CHECK(s.file.size == SEGMENT_HEADER && holds(&s, one, STR("one")));
	CHECK(segment_flush(&s, NULL) == ST_OK);
	CHECK(s.file.size == segment_end(&s) && holds(&s, one, STR("one")));
	CHECK(segment_add(&s, STR("two"), &two, NULL) == ST_OK);
	CHECK(holds(&s, two, STR("two")));
	struct buf scratch = { 0 };
	struct str got;
	CHECK(segment_get(&s, two, 100, &scratch, &got, NULL) == ST_CORRUPT);
	buf_release(&scratch);
	segment_close(&s);
}

static void what_is_too_much_to_hold_is_written(void)
{
	struct segment s = { 0 };
	uint64_t at[20];
	char record[100000];

	CHECK(segment_open(&s, tmp_path("i"), &kind, 0, NULL, NULL) == ST_OK);
	segment_hold(&s, 1000000);
	for (int i = 0; i < 20; i++) {
		memset(record, 'a' + i, sizeof(record));
		CHECK(segment_add(&s, (struct str){ record, sizeof(record) }, &at[i],
				  NULL) == ST_OK);
		CHECK((s.file.size > SEGMENT_HEADER) == (i >= 9));
	}
	for (int i = 0; i < 20; i++) {
		memset(record, 'a' + i, sizeof(record));
		CHECK(holds(&s, at[i], (struct str){ record, sizeof(record) }));
	}
	segment_close(&s);
}

static void behind_a_barrier_nothing_is_written_and_all_is_read(void)
{
	struct segment s = { 0 };
	struct buf bytes = { 0 }, got = { 0 }, scratch = { 0 };
	struct str record;
	uint64_t at;

	CHECK(segment_open(&s, tmp_path("j"), &kind, 0, NULL, NULL) == ST_OK);
	CHECK(segment_add(&s, STR("before"), NULL, NULL) == ST_OK);
	segment_raise_barrier(&s);
	CHECK(segment_add(&s, STR("behind"), &at, NULL) == ST_OK);
	CHECK(segment_flush(&s, NULL) == ST_OK && segment_flush(&s, NULL) == ST_OK);
	CHECK(file_load(tmp_path("j"), 1 << 20, &bytes, NULL) == ST_OK);
	joined(buf_str(&bytes), &got);
	CHECK(str_eq(buf_str(&got), STR("before|")));
	CHECK(segment_read(&s, at, &scratch, &record, NULL) == ST_OK &&
	      str_eq(record, STR("behind")));
	segment_lift_barrier(&s);
	CHECK(segment_sync(&s, NULL) == ST_OK);
	CHECK(segment_read(&s, at, &scratch, &record, NULL) == ST_OK &&
	      str_eq(record, STR("behind")));
	CHECK(segment_read(&s, at + 1, &scratch, &record, NULL) == ST_CORRUPT);
	buf_reset(&bytes);
	CHECK(file_load(tmp_path("j"), 1 << 20, &bytes, NULL) == ST_OK);
	joined(buf_str(&bytes), &got);
	CHECK(str_eq(buf_str(&got), STR("before|behind|")));
	segment_close(&s);
	buf_release(&bytes);
	buf_release(&got);
	buf_release(&scratch);
}

int main(void)
{
	RUN(what_was_added_is_read);
	RUN(every_torn_tail_is_cut_to_whole_records);
	RUN(damage_in_the_synced_part_is_not_cut);
	RUN(every_flipped_bit_is_noticed);
	RUN(zeros_are_not_records);
	RUN(other_kinds_and_newer_versions_are_refused);
	RUN(a_failed_flush_can_be_repeated);
	RUN(what_is_held_is_read_and_not_written);
	RUN(what_is_too_much_to_hold_is_written);
	RUN(behind_a_barrier_nothing_is_written_and_all_is_read);
	DONE();
}
