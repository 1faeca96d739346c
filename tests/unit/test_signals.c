#include "os/signals.h"

#include <unistd.h>

#include "test.h"

static unsigned firsts, seconds, others;

static void arrived(struct signals *s, int signal)
{
	if (signal != SIGINT)
		others++;
	else if (signals_count(s, SIGINT) == 1)
		firsts++;
	else
		seconds++;
}

static void the_second_interrupt_is_told_from_the_first(void)
{
	struct signals s;
	struct loop l;

	CHECK(signals_open(&s, (const int[]){ SIGINT, SIGUSR1, 0 }, NULL) == ST_OK);
	CHECK(loop_init(&l, &real_clock, NULL) == ST_OK);
	CHECK(signals_watch(&s, &l, arrived, NULL, NULL) == ST_OK);
	kill(getpid(), SIGINT);
	CHECK(loop_step(&l, 1000, NULL) == ST_OK && firsts == 1 && seconds == 0);
	kill(getpid(), SIGUSR1);
	kill(getpid(), SIGINT);
	CHECK(loop_step(&l, 1000, NULL) == ST_OK);
	CHECK(firsts == 1 && seconds == 1 && others == 1);
	signals_close(&s, &l);
	signals_close(&s, &l);
	loop_release(&l);
}

static void they_can_be_taken_without_a_loop(void)
{
	struct signals s;

	CHECK(signals_open(&s, (const int[]){ SIGHUP, 0 }, NULL) == ST_OK);
	CHECK(signals_take(&s) == 0);
	kill(getpid(), SIGHUP);
	CHECK(signals_take(&s) == SIGHUP && signals_count(&s, SIGHUP) == 1);
	signals_close(&s, NULL);
}

int main(void)
{
	RUN(the_second_interrupt_is_told_from_the_first);
	RUN(they_can_be_taken_without_a_loop);
	DONE();
}
