#include "os/clock.h"

#include "test.h"

static void the_real_clock_goes_on(void)
{
	int64_t before = clock_mono_ns(&real_clock);

	sleep_ms(2);
	CHECK(clock_mono_ns(&real_clock) - before >= 2000000);
	CHECK(clock_wall_ms(&real_clock) > 1600000000000); /* after 2020 */
	CHECK(cpu_time_ns() > 0);
}

static void the_fake_clock_goes_when_told(void)
{
	struct fake_clock c;

	fake_clock_init(&c, 5000);
	CHECK(clock_wall_ms(&c.base) == 5000 && clock_mono_ms(&c.base) == 0);
	fake_clock_pass(&c, 7LL * 86400 * 1000);
	CHECK(clock_mono_ms(&c.base) == 604800000);
	CHECK(clock_wall_ms(&c.base) == 604805000);
	fake_clock_set_wall(&c, 1);
	CHECK(clock_wall_ms(&c.base) == 1 && clock_mono_ms(&c.base) == 604800000);
}

int main(void)
{
	RUN(the_real_clock_goes_on);
	RUN(the_fake_clock_goes_when_told);
	DONE();
}
