#include "os/thread.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "test.h"

static atomic_int ran;
static char name[16];
static bool masked;

static void work(void *arg)
{
	sigset_t mask;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	masked = sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGTERM) == 1;
	pthread_getname_np(pthread_self(), name, sizeof(name));
	ran += *(int *)arg;
}

static void a_thread_runs_named_without_signals(void)
{
	struct thread t = { 0 };
	sigset_t mask;
	int one = 1;

	CHECK(thread_start(&t, "a-very-long-name-indeed", work, &one, NULL) == ST_OK);
	thread_join(&t);
	thread_join(&t);
	CHECK(ran == 1 && masked && strcmp(name, "a-very-long-nam") == 0);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	CHECK(sigismember(&mask, SIGINT) == 0);
	CHECK(cpu_count() >= 1);
}

int main(void)
{
	RUN(a_thread_runs_named_without_signals);
	DONE();
}
