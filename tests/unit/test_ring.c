#include "control/ring.h"

#include <string.h>

#include "test.h"
#include "tmp.h"

static struct diag why;

static void put(struct ring *r, unsigned n, size_t pad)
{
	char text[300];
	int len = snprintf(text, sizeof(text), "%u:%*s", n, (int)pad, "");

	ring_add(r, (struct str){ text, (size_t)len });
}

static unsigned number_of(struct str s)
{
	return (unsigned)strtoul(s.p, NULL, 10);
}

static void a_reader_follows_the_writer_and_goes_on_behind_an_id(void)
{
	const char *path = tmp_path("follow");
	struct ring r;
	struct ring_reader in;
	struct str got;
	uint64_t id = 0;

	CHECK(ring_open(&r, path, 8192, &why) == ST_OK);
	CHECK(ring_reader_open(&in, path, 0, &why) == ST_OK);
	CHECK(ring_reader_next(&in, &got, &why) == ST_AGAIN);
	for (unsigned i = 1; i <= 5; i++)
		put(&r, i, i);
	CHECK(ring_reader_next(&in, &got, &why) == ST_AGAIN);
	CHECK(ring_flush(&r, &why) == ST_OK);
	for (unsigned i = 1; i <= 5; i++) {
		CHECK(ring_reader_next(&in, &got, &why) == ST_OK && number_of(got) == i);
		if (i == 3)
			id = in.position;
	}
	CHECK(ring_reader_next(&in, &got, &why) == ST_AGAIN);
	ring_reader_close(&in);
	CHECK(ring_reader_open(&in, path, id, &why) == ST_OK);
	CHECK(ring_reader_next(&in, &got, &why) == ST_OK && number_of(got) == 4);
	ring_reader_close(&in);
	CHECK(ring_reader_open(&in, path, UINT64_MAX, &why) == ST_OK);
	CHECK(ring_reader_next(&in, &got, &why) == ST_AGAIN);
	ring_reader_close(&in);
	ring_close(&r);
}

static void the_oldest_are_overwritten_and_a_late_reader_is_told(void)
{
	const char *path = tmp_path("around");
	struct ring r;
	struct ring_reader in;
	struct str got;
	unsigned last = 0, n = 0;

	CHECK(ring_open(&r, path, 4096, &why) == ST_OK);
	CHECK(ring_reader_open(&in, path, 0, &why) == ST_OK);
	for (unsigned i = 1; i <= 1000; i++) {
		put(&r, i, i % 250);
		if (i % 7 == 0)
			CHECK(ring_flush(&r, &why) == ST_OK);
	}
	CHECK(ring_flush(&r, &why) == ST_OK);
	while (ring_reader_next(&in, &got, &why) == ST_OK) {
		CHECK(last == 0 || number_of(got) == last + 1);
		last = number_of(got);
		n++;
	}
	CHECK(last == 1000 && n > 10 && n < 200 && in.lost > 0);
	ring_reader_close(&in);
	ring_close(&r);
}

static void a_new_process_goes_on_where_the_last_one_was(void)
{
	const char *path = tmp_path("again");
	struct ring r;
	struct ring_reader in;
	struct str got;

	for (unsigned i = 1; i <= 3; i++) {
		CHECK(ring_open(&r, path, 4096, &why) == ST_OK);
		put(&r, i, 0);
		CHECK(ring_flush(&r, &why) == ST_OK);
		ring_close(&r);
	}
	CHECK(ring_reader_open(&in, path, 0, &why) == ST_OK);
	for (unsigned i = 1; i <= 3; i++)
		CHECK(ring_reader_next(&in, &got, &why) == ST_OK && number_of(got) == i);
	ring_reader_close(&in);
}

static void more_than_it_holds_at_once_leaves_the_newest(void)
{
	const char *path = tmp_path("flood");
	struct ring r;
	struct ring_reader in;
	struct str got;
	unsigned last = 0;

	CHECK(ring_open(&r, path, 4096, &why) == ST_OK);
	for (unsigned i = 1; i <= 500; i++)
		put(&r, i, 100);
	CHECK(ring_flush(&r, &why) == ST_OK);
	CHECK(ring_reader_open(&in, path, 0, &why) == ST_OK);
	while (ring_reader_next(&in, &got, &why) == ST_OK)
		last = number_of(got);
	CHECK(last == 500);
	ring_reader_close(&in);
	ring_close(&r);
}

static void an_id_that_nobody_gave_and_damage_are_survived(void)
{
	const char *path = tmp_path("damage");
	struct ring r;
	struct ring_reader in;
	struct file f = { 0 };
	struct str got;

	CHECK(ring_open(&r, path, 4096, &why) == ST_OK);
	put(&r, 1, 10);
	put(&r, 2, 10);
	CHECK(ring_flush(&r, &why) == ST_OK);
	CHECK(ring_reader_open(&in, path, 5, &why) == ST_OK);
	CHECK(ring_reader_next(&in, &got, &why) == ST_OK && number_of(got) == 1);
	ring_reader_close(&in);
	ring_close(&r);
	CHECK(file_open(&f, path, FILE_UPDATE, &why) == ST_OK);
	CHECK(file_write_at(&f, STR("garbage!"), 16, &why) == ST_OK);
	file_close(&f);
	CHECK(ring_reader_open(&in, path, 0, &why) == ST_CORRUPT);
	CHECK(ring_open(&r, path, 4096, &why) == ST_OK);
	CHECK(r.head == 0);
	ring_close(&r);
}

int main(void)
{
	RUN(a_reader_follows_the_writer_and_goes_on_behind_an_id);
	RUN(the_oldest_are_overwritten_and_a_late_reader_is_told);
	RUN(a_new_process_goes_on_where_the_last_one_was);
	RUN(more_than_it_holds_at_once_leaves_the_newest);
	RUN(an_id_that_nobody_gave_and_damage_are_survived);
	DONE();
}
