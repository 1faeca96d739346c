#include "os/extsort.h"

#include <string.h>

#include "base/rng.h"
#include "os/fault.h"
#include "test.h"
#include "tmp.h"

struct sums {
	uint64_t n, sum, disorder, repeats;
};

/* Take all; sums do not depend on the order, so they prove that nothing was lost. */
static struct sums take_all(struct extsort *s)
{
	struct sums sums = { 0 };
	struct buf last = { 0 };
	struct str record;

	while (extsort_next(s, &record, NULL) == ST_OK) {
		int order = sums.n ? str_cmp(buf_str(&last), record) : -1;

		sums.n++;
		sums.sum += hash64(record);
		sums.disorder += order > 0;
		sums.repeats += order == 0;
		buf_reset(&last);
		buf_add(&last, record);
	}
	buf_release(&last);
	return sums;
}

/* Sort `n` random records and compare with what went in. */
static bool round_trip(size_t n, size_t record_bytes, size_t memory_bytes,
		       size_t *ret_runs)
{
	struct extsort s;
	struct rng r = { n };
	uint64_t sum = 0;
	char record[64];

	extsort_init(&s, &(struct extsort_options){ .dir = tmp_path("sort"),
						    .memory_bytes = memory_bytes,
						    .record_bytes = record_bytes });
	for (size_t i = 0; i < n; i++) {
		size_t length = record_bytes ? record_bytes : rng_below(&r, 60);

		for (size_t k = 0; k < length; k++)
			record[k] = (char)rng_below(&r, k < 2 ? 256 : 3);
		sum += hash64((struct str){ record, length });
		if (extsort_add(&s, (struct str){ record, length }, NULL) != ST_OK)
			return false;
	}
	*ret_runs = s.run_count;
	bool ok = extsort_sort(&s, NULL) == ST_OK;
	struct sums got = take_all(&s);
	extsort_release(&s);
	return ok && got.n == n && got.sum == sum && got.disorder == 0;
}

static void what_fits_never_touches_the_disk(void)
{
	size_t runs;

	CHECK(round_trip(5000, 16, 1 << 20, &runs) && runs == 0);
	CHECK(round_trip(5000, 0, 1 << 20, &runs) && runs == 0);
	CHECK(round_trip(0, 0, 1 << 20, &runs) && runs == 0);
	CHECK(!dir_exists(tmp_path("sort")));
}

static void runs_are_merged_in_order(void)
{
	struct arena a = { 0 };
	struct str_list left = { 0 };
	size_t runs;

	CHECK(round_trip(50000, 16, 1 << 16, &runs) && runs > 10 && runs < 128);
	CHECK(round_trip(20000, 24, 1 << 16, &runs) && runs > 5);
	CHECK(round_trip(20000, 0, 1 << 16, &runs) && runs > 10);
	CHECK(dir_list(tmp_path("sort"), STR(""), &a, &left, NULL) == ST_OK &&
	      left.n == 0);
	str_list_release(&left);
	arena_release(&a);
}

static void more_runs_than_the_fan_in_take_two_rounds(void)
{
	size_t runs;

	CHECK(round_trip(40000, 16, 1024, &runs) && runs > 300);
	CHECK(round_trip(10000, 0, 1024, &runs) && runs > 300);
}

static void doubles_come_once_when_asked(void)
{
	for (size_t memory = 1024; memory <= 1 << 20; memory <<= 10) {
		struct extsort s;
		char record[8];
		struct str got;

		extsort_init(&s, &(struct extsort_options){ .dir = tmp_path("unique"),
							    .memory_bytes = memory,
							    .record_bytes = 8,
							    .unique_bytes = 4 });
		for (unsigned i = 0; i < 3000; i++) {
			snprintf(record, sizeof(record), "%04u%03u", i % 100,
				 999 - i % 1000);
			CHECK(extsort_add(&s, (struct str){ record, 8 }, NULL) == ST_OK);
		}
		CHECK(extsort_sort(&s, NULL) == ST_OK);
		for (unsigned i = 0; i < 100; i++) {
			/* The least of its key: i + 900 gives 099 - i. */
			snprintf(record, sizeof(record), "%04u%03u", i, 99 - i);
			CHECK(extsort_next(&s, &got, NULL) == ST_OK);
			CHECK(memcmp(got.p, record, 8) == 0);
		}
		CHECK(extsort_next(&s, &got, NULL) == ST_AGAIN);
		extsort_release(&s);
	}
}

static void a_damaged_run_is_noticed(void)
{
	struct extsort s;
	struct file f = { 0 };
	struct str got;
	struct diag why;
	enum status st = ST_OK;

	extsort_init(&s, &(struct extsort_options){ .dir = tmp_path("damaged"),
						    .memory_bytes = 1024 });
	for (unsigned i = 0; i < 100; i++)
		CHECK(extsort_add(&s, STR("some line"), NULL) == ST_OK);
	CHECK(file_open(&f, tmp_path("damaged/run-000001"), FILE_UPDATE, NULL) == ST_OK);
	CHECK(file_write_at(&f, STR("X"), 40, NULL) == ST_OK);
	file_close(&f);
	if (extsort_sort(&s, &why) == ST_OK)
		while ((st = extsort_next(&s, &got, &why)) == ST_OK)
			;
	else
		st = ST_CORRUPT;
	CHECK(st == ST_CORRUPT && strstr(why.text, "damaged"));
	extsort_release(&s);
}

static void a_full_disk_is_told(void)
{
	struct extsort s;
	enum status st = ST_OK;

	CHECK(fault_set(STR("fail-write=3+:ENOSPC"), NULL) == ST_OK);
	extsort_init(&s, &(struct extsort_options){ .dir = tmp_path("full"),
						    .memory_bytes = 1024 });
	for (unsigned i = 0; i < 1000 && st == ST_OK; i++)
		st = extsort_add(&s, STR("some line"), NULL);
	CHECK(st == ST_DISK_FULL);
	extsort_release(&s);
	CHECK(fault_set(STR(""), NULL) == ST_OK);
}

static void a_record_of_the_wrong_size_is_refused(void)
{
	struct extsort s;

	extsort_init(&s, &(struct extsort_options){ .dir = "x", .record_bytes = 16 });
	CHECK(extsort_add(&s, STR("short"), NULL) == ST_TOO_LARGE);
	extsort_release(&s);
	extsort_release(&s);
}

int main(void)
{
	RUN(what_fits_never_touches_the_disk);
	RUN(runs_are_merged_in_order);
	RUN(more_runs_than_the_fan_in_take_two_rounds);
	RUN(doubles_come_once_when_asked);
	RUN(a_damaged_run_is_noticed);
	RUN(a_full_disk_is_told);
	RUN(a_record_of_the_wrong_size_is_refused);
	DONE();
}
