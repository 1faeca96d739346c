#include "fetch/sockets.h"

#include <sys/socket.h>
#include <unistd.h>

#include "test.h"

static struct loop loop;
static unsigned told;

static void note(void *arg, int fd, unsigned events)
{
	char c;

	(void)arg, (void)events;
	told++;
	(void)!read(fd, &c, 1);
}

static void step(void)
{
	CHECK(loop_step(&loop, 0, NULL) == ST_OK);
}

static void begin(struct sockets *s, int pair[2])
{
	CHECK(loop_init(&loop, &real_clock, NULL) == ST_OK);
	*s = (struct sockets){ .loop = &loop, .ready = note };
	told = 0;
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	sockets_opened(s, pair[0]);
}

static void end(struct sockets *s, const int pair[2])
{
	sockets_release(s);
	close(pair[0]);
	close(pair[1]);
	loop_release(&loop);
}

static void a_parked_one_is_silent_until_it_is_wished_again(void)
{
	struct sockets s;
	int pair[2];

	begin(&s, pair);
	CHECK(sockets_wish(&s, pair[0], LOOP_READ) == ST_OK);
	CHECK(write(pair[1], "a", 1) == 1);
	step();
	CHECK(told == 1);
	CHECK(sockets_wish(&s, pair[0], 0) == ST_OK);
	step();
	CHECK(told == 1 && loop.watches == 1);
	CHECK(sockets_wish(&s, pair[0], LOOP_READ) == ST_OK);
	CHECK(write(pair[1], "b", 1) == 1);
	step();
	CHECK(told == 2);
	end(&s, pair);
}

static void what_is_closed_while_parked_does_not_wake_for_ever(void)
{
	struct sockets s;
	int pair[2];

	begin(&s, pair);
	CHECK(sockets_wish(&s, pair[0], LOOP_READ) == ST_OK);
	CHECK(sockets_wish(&s, pair[0], 0) == ST_OK);
	CHECK(write(pair[1], "a", 1) == 1);
	step();
	CHECK(told == 0 && loop.watches == 0);
	CHECK(sockets_wish(&s, pair[0], LOOP_READ) == ST_OK); /* nothing was lost */
	step();
	CHECK(told == 1);
	end(&s, pair);
}

static void a_number_used_again_is_watched_again(void)
{
	struct sockets s;
	int pair[2], next[2];

	begin(&s, pair);
	CHECK(sockets_wish(&s, pair[0], LOOP_READ) == ST_OK);
	CHECK(sockets_wish(&s, pair[0], 0) == ST_OK);
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, next) == 0);
	CHECK(dup2(next[0], pair[0]) == pair[0]);
	sockets_opened(&s, pair[0]);
	CHECK(sockets_wish(&s, pair[0], LOOP_READ) == ST_OK);
	CHECK(write(next[1], "a", 1) == 1);
	step();
	CHECK(told == 1);
	close(next[0]);
	close(next[1]);
	end(&s, pair);
}

int main(void)
{
	RUN(a_parked_one_is_silent_until_it_is_wished_again);
	RUN(what_is_closed_while_parked_does_not_wake_for_ever);
	RUN(a_number_used_again_is_watched_again);
	DONE();
}
