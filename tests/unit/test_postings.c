#include "dup/postings.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "os/fault.h"
#include "os/file.h"
#include "test.h"

static char dir[64];

static struct postings open_in(size_t memory)
{
	struct postings p = { 0 };
	struct diag why;

	if (postings_open(&p, &(struct postings_options){ dir, memory }, &why) != ST_OK)
		printf("# %s\n", why.text);
	return p;
}

static void fresh_dir(void)
{
	snprintf(dir, sizeof(dir), "/tmp/test_postings.XXXXXX");
	if (!mkdtemp(dir))
		abort();
}

static void newest_first_and_no_more_than_asked(void)
{
	struct postings p = { 0 };
	uint32_t got[4];

	CHECK(postings_open(&p, &(struct postings_options){ 0 }, NULL) == ST_OK);
	for (uint32_t i = 0; i < 10; i++)
		postings_add(&p, 7, i);
	CHECK(postings_find(&p, 7, got, 4) == 4);
	CHECK(got[0] == 9 && got[3] == 6);
	CHECK(postings_find(&p, 8, got, 4) == 0);
	CHECK(!postings_full(&p));
	postings_release(&p);
}

/* 20,000 documents with three keys each, through many small runs and merges. */
static void nothing_is_lost_in_runs_and_merges(void)
{
	struct diag why;
	uint32_t got[8];

	fresh_dir();
	struct postings p = open_in(1 << 16);
	for (uint32_t i = 0; i < 20000; i++) {
		for (uint64_t k = 0; k < 3; k++)
			postings_add(&p, hash_mix(i / 2 * 3 + k), i);
		if (postings_full(&p))
			CHECK(postings_spill(&p, i + 1, &why) == ST_OK);
	}
	CHECK(p.n_runs >= 1 && p.n_runs < 8);
	for (uint32_t i = 0; i < 20000; i += 2)
		for (uint64_t k = 0; k < 3; k++) {
			CHECK(postings_find(&p, hash_mix(i / 2 * 3 + k), got, 8) == 2);
			CHECK(got[0] == i + 1 && got[1] == i);
		}
	uint32_t covered = postings_covered(&p);
	CHECK(covered > 10000);
	postings_release(&p);
	p = open_in(1 << 16);
	CHECK(postings_covered(&p) == covered);
	CHECK(postings_find(&p, hash_mix(1), got, 8) == 2);
	postings_release(&p);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static void a_damaged_run_is_told(void)
{
	struct diag why;
	struct file f;

	fresh_dir();
	struct postings p = open_in(0);
	postings_add(&p, 1, 1);
	CHECK(postings_spill(&p, 2, &why) == ST_OK);
	postings_release(&p);
	char path[96];
	snprintf(path, sizeof(path), "%s/00000000.run", dir);
	CHECK(file_open(&f, path, FILE_UPDATE, &why) == ST_OK);
	CHECK(file_write_at(&f, STR("x"), 30, &why) == ST_OK);
	file_close(&f);
	CHECK(postings_open(&p, &(struct postings_options){ dir, 0 }, &why) ==
	      ST_CORRUPT);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

/* Whatever write fails, what was covered before is still there. */
static void a_failed_spill_leaves_the_runs_before_it(void)
{
	struct diag why;
	uint32_t got[2];

	for (unsigned n = 1; n < 12; n++) {
		char spec[64];

		fresh_dir();
		struct postings p = open_in(0);
		postings_add(&p, 1, 1);
		CHECK(postings_spill(&p, 2, &why) == ST_OK);
		postings_add(&p, 2, 2);
		snprintf(spec, sizeof(spec), "fail-write=%u+,fail-sync=%u", n, n);
		CHECK(fault_set(str_from(spec), &why) == ST_OK);
		enum status st = postings_spill(&p, 3, &why);
		CHECK(fault_set(STR(""), &why) == ST_OK);
		postings_release(&p);
		p = open_in(0);
		CHECK(postings_covered(&p) == (st == ST_OK ? 3 : 2));
		CHECK(postings_find(&p, 1, got, 2) == 1 && got[0] == 1);
		CHECK(postings_find(&p, 2, got, 2) == (st == ST_OK));
		postings_release(&p);
		CHECK(dir_remove(dir, &why) == ST_OK);
	}
}

int main(void)
{
	RUN(newest_first_and_no_more_than_asked);
	RUN(nothing_is_lost_in_runs_and_merges);
	RUN(a_damaged_run_is_told);
	RUN(a_failed_spill_leaves_the_runs_before_it);
	DONE();
}
