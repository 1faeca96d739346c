#include "frontier/politeness.h"

#include "test.h"

static const struct politeness polite = {
	.at_once = 1,
	.factor = 5,
	.min_ms = 1000,
	.max_ms = 30000,
	.crawl_delay_max_ms = 300000,
	.retry_after_max_ms = 3600000,
	.backoff_ms = 10000,
	.backoff_max_ms = 600000,
};

static int64_t after(struct lane *l, struct answer a)
{
	struct rng random = { 1 };

	lane_start(l, &polite, a.end_ms - a.duration_ms);
	lane_stop(l, &polite, &a, &random);
	return lane_ready_ms(l, &polite, a.end_ms) - a.end_ms;
}

static void a_slow_answer_is_waited_for_longer_within_bounds(void)
{
	struct lane l = { 0 };

	CHECK(after(&l, (struct answer){ .end_ms = 1000000, .duration_ms = 10 }) == 1000);
	l = (struct lane){ 0 };
	CHECK(after(&l, (struct answer){ .end_ms = 1000000, .duration_ms = 800 }) ==
	      4000);
	l = (struct lane){ 0 };
	CHECK(after(&l, (struct answer){ .end_ms = 1000000, .duration_ms = 60000 }) ==
	      30000);
}

static void no_more_at_once_than_allowed(void)
{
	struct lane l = { 0 };

	CHECK(lane_ready_ms(&l, &polite, 5) == 0);
	lane_start(&l, &polite, 5);
	CHECK(lane_ready_ms(&l, &polite, 99999) == INT64_MAX);
}

/* What was started before a host asked for a pause is not sent any more. */
static void a_host_in_trouble_is_closed_to_what_is_under_way(void)
{
	struct lane l = { 0 };

	after(&l, (struct answer){ .end_ms = 1000000, .duration_ms = 10 });
	CHECK(lane_may_send(&l, 1000000));
	after(&l, (struct answer){ .end_ms = 1002000, .retry_after_ms = 120000 });
	CHECK(!lane_may_send(&l, 1121999) && lane_may_send(&l, 1122000));
	after(&l, (struct answer){ .end_ms = 2000000, .kind = ANSWER_TROUBLE });
	CHECK(!lane_may_send(&l, 2009999));
	/* The clock was set back: no longer than it waited before. */
	CHECK(lane_ready_ms(&l, &polite, 1000) < 100000);
	CHECK(lane_may_send(&l, 100000));
}

static void robots_and_retry_after_are_obeyed_up_to_a_bound(void)
{
	struct lane l = { .crawl_delay_ms = 20000 };

	CHECK(after(&l, (struct answer){ .end_ms = 1000000, .duration_ms = 10 }) ==
	      20000);
	l = (struct lane){ .crawl_delay_ms = 400000 };
	CHECK(after(&l, (struct answer){ .end_ms = 1000000, .duration_ms = 10 }) ==
	      300000);
	l = (struct lane){ 0 };
	CHECK(after(&l, (struct answer){ .end_ms = 1000000, .retry_after_ms = 120000 }) ==
	      120000);
	l = (struct lane){ 0 };
	CHECK(after(&l, (struct answer){ .end_ms = 1000000,
					 .retry_after_ms = 2000000000 }) == 3600000);
}

static void troubles_double_the_wait_with_jitter_until_one_goes_well(void)
{
	struct lane l = { 0 };
	int64_t now = 1000000;

	for (unsigned i = 0; i < 8; i++) {
		int64_t base = MIN((int64_t)10000 << i, 600000);
		int64_t wait = after(
			&l, (struct answer){ .end_ms = now, .kind = ANSWER_TROUBLE });

		CHECK(wait >= base && wait <= base * 3 / 2);
		now += wait;
	}
	now += 1000000;
	CHECK(after(&l, (struct answer){ .end_ms = now }) == 1000 && l.troubles == 0);
}

static void who_never_answered_is_waited_for_four_times_the_first_wait(void)
{
	struct lane l = { 0 };
	int64_t now = 1000000;

	for (unsigned i = 0; i < 8; i++) {
		int64_t base = MIN((int64_t)10000 << i, 40000);
		int64_t wait = after(&l, (struct answer){ .end_ms = now,
							  .kind = ANSWER_TROUBLE,
							  .is_silent = true });

		CHECK(wait >= base && wait <= base * 3 / 2);
		now += wait;
	}
	/* A 503 is an answer: a server in trouble has its rest. */
	CHECK(after(&l, (struct answer){ .end_ms = now, .kind = ANSWER_TROUBLE }) >=
	      600000);
}

static void before_the_first_contact_waits_stay_short(void)
{
	struct lane l = { 0 };
	int64_t now = 1000000;

	for (unsigned i = 0; i < 8; i++) {
		int64_t wait = after(&l, (struct answer){ .end_ms = now,
							  .backoff_max_ms = 2000,
							  .kind = ANSWER_TROUBLE });

		CHECK(wait == 2000);
		now += wait;
	}
}

static void a_clock_that_jumps_back_does_not_stop_the_lane_for_ever(void)
{
	struct lane l = { 0 };

	after(&l, (struct answer){ .end_ms = 900000000 });
	int64_t first = lane_ready_ms(&l, &polite, 1000);
	CHECK(first == 1000 + (int64_t)politeness_delay_ms(&polite, &l, 0));
	CHECK(lane_ready_ms(&l, &polite, first) == first);
	after(&l, (struct answer){ .end_ms = 900000000, .retry_after_ms = 120000 });
	lane_resume(&l, &polite, 1000);
	CHECK(lane_ready_ms(&l, &polite, 1000) == 121000);
}

static void after_a_restart_the_first_request_waits_too(void)
{
	struct lane l = { .in_flight = 1, .smooth_ms = 400 };

	lane_resume(&l, &polite, 50000);
	CHECK(l.in_flight == 0 && lane_ready_ms(&l, &polite, 50000) == 52000);
}

/* Whatever happens, two starts are never nearer than the minimum. */
static void starts_keep_their_distance_in_any_history(void)
{
	struct rng random = { 3 };
	struct politeness p = polite;
	struct lane l = { 0 };
	int64_t now = 1000, last = INT64_MIN / 2;

	p.at_once = 3;
	for (unsigned i = 0; i < 20000; i++) {
		int64_t ready = lane_ready_ms(&l, &p, now);

		if (ready <= now) {
			CHECK(now - last >= p.min_ms);
			last = now;
			lane_start(&l, &p, now);
		}
		if (l.in_flight > 0 && rng_chance(&random, 0.5))
			lane_stop(&l, &p,
				  &(struct answer){
					  .end_ms = now,
					  .duration_ms = (uint32_t)rng_below(&random, 99),
					  .kind = rng_chance(&random, 0.1) },
				  &random);
		CHECK(l.in_flight <= 3);
		now += (int64_t)rng_below(&random, 700);
	}
}

int main(void)
{
	RUN(a_slow_answer_is_waited_for_longer_within_bounds);
	RUN(no_more_at_once_than_allowed);
	RUN(a_host_in_trouble_is_closed_to_what_is_under_way);
	RUN(robots_and_retry_after_are_obeyed_up_to_a_bound);
	RUN(troubles_double_the_wait_with_jitter_until_one_goes_well);
	RUN(who_never_answered_is_waited_for_four_times_the_first_wait);
	RUN(before_the_first_contact_waits_stay_short);
	RUN(a_clock_that_jumps_back_does_not_stop_the_lane_for_ever);
	RUN(after_a_restart_the_first_request_waits_too);
	RUN(starts_keep_their_distance_in_any_history);
	DONE();
}
