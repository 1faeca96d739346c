#include "focus/joint.h"

#include "test.h"

#define MINUTE ((int64_t)60000)
#define HOUR   (60 * MINUTE)

static void a_second_opinion_raises_a_score(void)
{
	float once = 0.5f, twice = joint_combine(once, 0.5f, 0, HOUR);

	CHECK(twice > once && twice < 0.7f);
	CHECK(joint_combine(0.5f, 0, 0, HOUR) == 0.5f);
	CHECK(joint_combine(1, 1, 0, HOUR) == 1);
}

/* The same ten minutes are old news in a crawl of an hour, and none in one of a month. */
static void age_counts_by_how_long_the_crawl_has_run(void)
{
	float young = joint_combine(0.9f, 0.1f, 10 * MINUTE, 720 * HOUR);
	float old = joint_combine(0.9f, 0.1f, 10 * MINUTE, HOUR / 4);

	CHECK(young > 0.89f && old < 0.5f);
}

static void what_left_the_queue_is_forgotten(void)
{
	struct joint w = { .start_ms = 1000 };
	float before;

	CHECK(joint_add(&w, 7, 0.5f, 2000, &before) == 0.5f && before < 0);
	CHECK(joint_add(&w, 7, 0.5f, 2000, &before) > 0.5f);
	CHECK(before > 0.49f && before < 0.51f);
	joint_remove(&w, 7);
	CHECK(joint_add(&w, 7, 0.25f, 3000, &before) == 0.25f && before < 0);
	joint_release(&w);
}

int main(void)
{
	RUN(a_second_opinion_raises_a_score);
	RUN(age_counts_by_how_long_the_crawl_has_run);
	RUN(what_left_the_queue_is_forgotten);
	DONE();
}
