#include "control/counters.h"

#include "test.h"
#include "tmp.h"

#define MINUTE 60000
#define HOUR   (60 * (int64_t)MINUTE)
#define DAY    (24 * HOUR)

static const int64_t start = 1700000000000 / HOUR * HOUR;

static void what_was_added_is_summed_over_its_window(void)
{
	struct counters c = { 0 };
	uint64_t totals[2] = { 1000, 5 }; /* of earlier processes: not of this hour */

	counters_note(&c, totals, 2, start);
	for (int m = 1; m <= 90; m++) {
		totals[0] += 10;
		counters_note(&c, totals, 2, start + m * MINUTE);
	}
	int64_t now = start + 90 * MINUTE;
	CHECK(counters_sum(&c, WINDOW_HOUR, 0, now) == 600);
	CHECK(counters_sum(&c, WINDOW_DAY, 0, now) == 900);
	CHECK(counters_sum(&c, WINDOW_WEEK, 0, now) == 900);
	CHECK(counters_sum(&c, WINDOW_WEEK, 1, now) == 0);
	CHECK(counters_sum(&c, WINDOW_HOUR, 0, now + 2 * HOUR) == 0);
	CHECK(counters_sum(&c, WINDOW_DAY, 0, now + 2 * HOUR) == 900);
	CHECK(counters_sum(&c, WINDOW_WEEK, 0, now + 8 * DAY) == 0);
}

static void a_restart_loses_nothing_and_counts_nothing_twice(void)
{
	const char *path = tmp_path("counters");
	static struct counters c;
	uint64_t total = 7;
	struct diag why;

	counters_note(&c, &total, 1, start);
	total = 20;
	counters_note(&c, &total, 1, start + MINUTE);
	CHECK(counters_save(&c, path, &why) == ST_OK);
	counters_load(&c, path);
	CHECK(!c.begun && counters_sum(&c, WINDOW_HOUR, 0, start + MINUTE) == 13);
	counters_note(&c, &total, 1, start + 2 * MINUTE);
	total = 21;
	counters_note(&c, &total, 1, start + 3 * MINUTE);
	CHECK(counters_sum(&c, WINDOW_HOUR, 0, start + 3 * MINUTE) == 14);
	total = 3; /* a total that fell: the replay of a crash lost its tail */
	counters_note(&c, &total, 1, start + 4 * MINUTE);
	CHECK(counters_sum(&c, WINDOW_HOUR, 0, start + 4 * MINUTE) == 14);
}

static void a_damaged_file_is_an_empty_one(void)
{
	const char *path = tmp_path("bad");
	static struct counters c;
	struct diag why;
	FILE *f;

	CHECK(counters_save(&c, path, &why) == ST_OK);
	f = fopen(path, "r+");
	CHECK(f && fseek(f, 100, SEEK_SET) == 0 && fputc('x', f) == 'x' &&
	      fclose(f) == 0);
	c.slots[0].period = 9;
	counters_load(&c, path);
	CHECK(c.slots[0].period == 0);
}

int main(void)
{
	RUN(what_was_added_is_summed_over_its_window);
	RUN(a_restart_loses_nothing_and_counts_nothing_twice);
	RUN(a_damaged_file_is_an_empty_one);
	DONE();
}
