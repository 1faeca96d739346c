#include "method/ssm.h"

#include <math.h>

#include "base/hash.h"
#include "test.h"

/* Tables 1 and 2 of seed 003, in the order of their ranks. */
static const struct {
	const char *word;
	uint32_t count;
} table_1[] = { { "drive", 473 },     { "system", 472 },   { "price", 344 },
		{ "desktop", 258 },   { "hardware", 257 }, { "frame", 215 },
		{ "sata", 215 },      { "battery", 205 },  { "lcd", 172 },
		{ "technique", 172 }, { "ram", 193 } },
  table_2[] = { { "price", 454 },   { "system", 450 },  { "drive", 388 },
		{ "frame", 250 },   { "upgrade", 215 }, { "logitech", 215 },
		{ "battery", 210 }, { "labtop", 170 },  { "mouse", 170 },
		{ "dvd", 124 } };

static struct ssm_keyword t1[COUNT(table_1)], t2[COUNT(table_2)];

static void fill(void)
{
	for (size_t i = 0; i < COUNT(t1); i++)
		t1[i] = (struct ssm_keyword){ hash64(str_from(table_1[i].word)),
					      table_1[i].count };
	for (size_t i = 0; i < COUNT(t2); i++)
		t2[i] = (struct ssm_keyword){ hash64(str_from(table_2[i].word)),
					      table_2[i].count };
}

static bool near_to(double x, double want)
{
	return fabs(x - want) < 5e-8 * fmax(1, fabs(want));
}

/* The sizes the seed computes with: 11 and 11 in the scores, (11 + 12) / 2 for N. */
static const struct ssm_sizes printed_sizes = { 11, 11, 11.5 };

static void tables_3_to_5_and_their_sum(void)
{
	struct ssm_score s =
		ssm_score(t1, COUNT(t1), t2, COUNT(t2), SSM_TABLES, &printed_sizes);

	CHECK(near_to(s.common,
		      0.198090049 + 0.047731403 - 0.83236662 - 0.45246867 - 0.0481951));
	CHECK(near_to(s.only_1, 66.63551502 + 66.58891302 + 64.44765634 + 61.76993372 +
					61.76993372 + 63.15228227));
	CHECK(near_to(s.only_2, 64.44765634 + 64.44765634 + 61.62958124 + 61.62958124 +
					57.84337879));
	CHECK(near_to(s.sum, 693.2748791));
	CHECK(near_to(s.score, 60.2847721));
	CHECK(fabs(s.sum - 693.2749) < 5e-5 && fabs(s.score - 60.2848) < 5e-5);
}

/* One row each of tables 3, 4 and 5. */
static void single_rows_agree(void)
{
	struct ssm_keyword a = { 1, 473 }, b[3] = { { 7, 1 }, { 8, 1 }, { 1, 388 } };
	struct ssm_score s = ssm_score(&a, 1, b, 3, SSM_TABLES, NULL);

	CHECK(near_to(s.common, 0.198090049));
	s = ssm_score(&(struct ssm_keyword){ 5, 258 }, 1, b, 0, SSM_TABLES,
		      &(struct ssm_sizes){ 11, 11, 1 });
	CHECK(near_to(s.only_1, 66.63551502) && s.only_2 == 0);
	s = ssm_score(&a, 0, &(struct ssm_keyword){ 5, 124 }, 1, SSM_TABLES,
		      &(struct ssm_sizes){ 11, 11, 1 });
	CHECK(near_to(s.only_2, 57.84337879) && s.only_1 == 0);
}

static void the_printed_formula_takes_a_second_logarithm(void)
{
	struct ssm_score s =
		ssm_score(t1, COUNT(t1), t2, COUNT(t2), SSM_PRINTED, &printed_sizes);
	double l12 = log(12);

	CHECK(near_to(s.only_1, (66.63551502 + 66.58891302 + 64.44765634 + 61.76993372 +
				 61.76993372 + 63.15228227) /
					12 * l12));
	CHECK(near_to(s.common, -0.277455541 * log(3) - 0.15082289 * log(3) -
					0.024097552 * log(2)));
	CHECK(s.score < 60.2847721);
}

static void the_seeds_pair_has_other_prime_keywords(void)
{
	CHECK(ssm_block_key(t1, COUNT(t1), SSM_PRIME) !=
	      ssm_block_key(t2, COUNT(t2), SSM_PRIME));
	CHECK(ssm_block_key(t1, COUNT(t1), SS_PRIME) ==
	      ssm_block_key(t2, COUNT(t2), SS_PRIME));
}

static void seed_004_adds_mean_differences(void)
{
	struct ssm_keyword p1[] = { { 1, 10 }, { 2, 6 }, { 3, 4 } };
	struct ssm_keyword p2[] = { { 1, 8 }, { 2, 6 }, { 4, 5 }, { 5, 1 } };

	/* (2 + 0 + 4) / 3 over page 1, (5 + 1) / 2 over the rest of page 2 */
	CHECK(ss_score(p1, 3, p2, 4) == 2.0 + 3.0);
	CHECK(ss_score(p1, 3, p1, 3) == 0);
}

int main(void)
{
	fill();
	RUN(tables_3_to_5_and_their_sum);
	RUN(single_rows_agree);
	RUN(the_printed_formula_takes_a_second_logarithm);
	RUN(the_seeds_pair_has_other_prime_keywords);
	RUN(seed_004_adds_mean_differences);
	DONE();
}
