#include "frontier/seen.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/map.h"
#include "base/rng.h"
#include "test.h"

static char dir[] = "/tmp/thresh-seen-XXXXXX";

static struct u128 key_of(uint64_t i)
{
	return hash128((struct str){ (const char *)&i, sizeof(i) });
}

static void zero_is_a_key_like_any_other(void)
{
	struct seen_table t = { 0 };
	struct u128 zero = { 0 }, got;
	size_t at = 0;

	CHECK(!seen_table_has(&t, zero));
	CHECK(seen_table_add(&t, zero) && !seen_table_add(&t, zero));
	CHECK(seen_table_has(&t, zero));
	CHECK(seen_table_next(&t, &at, &got) && u128_eq(got, zero));
	CHECK(!seen_table_next(&t, &at, &got));
	seen_table_release(&t);
}

static void a_table_holds_each_key_once(void)
{
	struct seen_table t = { 0 };
	size_t at = 0, n = 0;
	struct u128 got;

	for (uint64_t i = 0; i < 20000; i++)
		CHECK(seen_table_add(&t, key_of(i)));
	for (uint64_t i = 0; i < 20000; i++)
		CHECK(!seen_table_add(&t, key_of(i)) && seen_table_has(&t, key_of(i)));
	CHECK(!seen_table_has(&t, key_of(20001)));
	while (seen_table_next(&t, &at, &got))
		n++;
	CHECK(n == 20000 && t.n == 20000);
	seen_table_release(&t);
}

/* A set small enough to move to disk soon and to merge often. */
static struct seen_options small(void)
{
	return (struct seen_options){
		.dir = dir,
		.ram_bytes = 16 * 1024 * sizeof(struct u128),
		.disk = { .batch_min = 700, .hot_slots = 64, .bloom_keys = 512 },
	};
}

static unsigned drain(struct seen *s, uint8_t *news, bool *ret_once)
{
	struct str payload;
	struct u128 key;
	struct diag why;
	unsigned n = 0;

	while (seen_next(s, &key, &payload, &why) == ST_OK) {
		uint64_t i = 0;

		*ret_once = *ret_once && str_to_uint(payload, 119999, &i);
		*ret_once = *ret_once && u128_eq(key, key_of(i)) && !news[i];
		news[i] = 1;
		n++;
	}
	return n;
}

/* Ask `n` of the numbers below `range`; each must turn out new exactly once. */
static void each_key_is_new_exactly_once(void)
{
	enum { RANGE = 120000, ASKED = 400000 };
	static uint8_t news[RANGE], asked[RANGE];
	struct rng random = { 7 };
	struct seen_options o = small();
	struct diag why;
	struct seen s;
	bool once = true;
	unsigned late = 0;

	seen_init(&s, &o);
	for (unsigned i = 0; i < ASKED; i += 8) {
		struct seen_question q[8];
		char text[8][24];
		uint64_t number[8];

		for (unsigned k = 0; k < 8; k++) {
			number[k] =
				rng_below(&random, 1 + i / 3 < RANGE ? 1 + i / 3 : RANGE);
			int n = snprintf(text[k], sizeof(text[k]), "%u",
					 (unsigned)number[k]);
			q[k] = (struct seen_question){ .key = key_of(number[k]),
						       .payload = { text[k], (size_t)n },
						       .level = (uint8_t)(k & 3) };
		}
		CHECK(seen_add(&s, q, 8, &why) == ST_OK);
		for (unsigned k = 0; k < 8; k++) {
			CHECK(q[k].answer != SEEN_NEW || !news[number[k]]);
			CHECK(q[k].answer != SEEN_KNOWN || asked[number[k]]);
			news[number[k]] |= q[k].answer == SEEN_NEW;
			asked[number[k]] = 1;
		}
		if (i % 4096 == 0)
			late += drain(&s, news, &once);
	}
	seen_settle(&s);
	while (seen_is_waiting(&s)) {
		late += drain(&s, news, &once);
		seen_settle(&s);
		usleep(1000);
	}
	CHECK(once && s.on_disk);
	uint64_t distinct = 0;
	for (unsigned i = 0; i < RANGE; i++) {
		CHECK(news[i] == asked[i]);
		distinct += asked[i];
	}
	CHECK(seen_count(&s) == distinct);
	/* The filter's false alarms come late; there must have been some. */
	CHECK(late > 0 && late < distinct / 4);
	seen_release(&s);
}

static void disk_takes_at_most_sixteen_bytes_a_key(void)
{
	struct seen_options o = small();
	struct diag why;
	struct seen s;
	uint64_t bytes;

	o.disk.batch_min = 4096;
	seen_init(&s, &o);
	for (uint64_t i = 0; i < 300000; i++) {
		struct seen_question q = { .key = key_of(i) };

		CHECK(seen_add(&s, &q, 1, &why) == ST_OK);
	}
	for (unsigned b = 0; b < SEEN_BANDS; b++)
		s.disk.bands[b].weight = UINT32_MAX;
	do {
		CHECK(seen_disk_wait(&s.disk, &why) == ST_OK);
		CHECK(seen_disk_step(&s.disk, &why) == ST_OK);
	} while (s.disk.running);
	CHECK(seen_disk_bytes(&s.disk, &bytes, &why) == ST_OK);
	CHECK(seen_count(&s) == 300000);
	CHECK(bytes <= 300000 * 16);
	seen_release(&s);
}

static void a_full_disk_is_an_error_not_a_wrong_answer(void)
{
	struct seen_options o = small();
	struct diag why = { { 0 } };
	struct seen s;
	enum status st = ST_OK;

	o.dir = "/proc/thresh-seen";
	seen_init(&s, &o);
	for (uint64_t i = 0; i < 20000 && st == ST_OK; i++) {
		struct seen_question q = { .key = key_of(i) };

		st = seen_add(&s, &q, 1, &why);
	}
	CHECK(st != ST_OK && why.text[0] != '\0');
	seen_release(&s);
}

static void a_damaged_set_is_found_out(void)
{
	struct seen_options o = small();
	struct diag why = { { 0 } };
	struct seen s;
	enum status st = ST_OK;
	char path[64];

	seen_init(&s, &o);
	for (uint64_t i = 0; i < 200000 && st == ST_OK; i++) {
		struct seen_question q = { .key = key_of(i) };

		if (i == 100000) {
			CHECK(seen_disk_wait(&s.disk, &why) == ST_OK);
			struct file f = { 0 };
			snprintf(path, sizeof(path), "%s/seen-00.%d", dir,
				 s.disk.bands[0].side[0]);
			CHECK(file_open(&f, path, FILE_UPDATE, &why) == ST_OK);
			CHECK(file_write_at(&f, STR("x"), 200, &why) == ST_OK);
			file_close(&f);
		}
		st = seen_add(&s, &q, 1, &why);
	}
	CHECK(st == ST_CORRUPT && why.text[0] != '\0');
	seen_release(&s);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	RUN(zero_is_a_key_like_any_other);
	RUN(a_table_holds_each_key_once);
	RUN(each_key_is_new_exactly_once);
	RUN(disk_takes_at_most_sixteen_bytes_a_key);
	RUN(a_full_disk_is_an_error_not_a_wrong_answer);
	RUN(a_damaged_set_is_found_out);
	rmdir(dir);
	DONE();
}
