#include "os/signals.h"

#include <errno.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "os/file.h"

enum status signals_open(struct signals *s, const int *list, struct diag *why)
{
	*s = (struct signals){ 0 };
	sigemptyset(&s->set);
	for (; *list; list++)
		sigaddset(&s->set, *list);
	int fd = signalfd(-1, &s->set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (fd < 0)
		return errno_fail(why, errno, "cannot create", "signalfd");
	pthread_sigmask(SIG_BLOCK, &s->set, &s->before);
	signal(SIGPIPE, SIG_IGN);
	s->watch.fd = fd;
	s->open = true;
	return ST_OK;
}

void signals_close(struct signals *s, struct loop *l)
{
	if (!s->open)
		return;
	if (l)
		loop_unwatch(l, &s->watch);
	close(s->watch.fd);
	pthread_sigmask(SIG_SETMASK, &s->before, NULL);
	s->open = false;
}

int signals_take(struct signals *s)
{
	struct signalfd_siginfo info;

	if (read(s->watch.fd, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return 0;
	s->counts[info.ssi_signo]++;
	return (int)info.ssi_signo;
}

static void deliver(struct watch *w, unsigned events)
{
	struct signals *s = w->arg;
	int signal;

	(void)events;
	while (s->open && (signal = signals_take(s)) != 0)
		s->arrived(s, signal);
}

enum status signals_watch(struct signals *s, struct loop *l,
			  void (*arrived)(struct signals *s, int signal), void *arg,
			  struct diag *why)
{
	s->arrived = arrived;
	s->arg = arg;
	s->watch.ready = deliver;
	s->watch.arg = s;
	return loop_watch(l, &s->watch, LOOP_READ, why);
}

unsigned signals_count(const struct signals *s, int signal)
{
	return s->counts[signal];
}
