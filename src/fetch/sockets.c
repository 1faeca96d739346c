#include "fetch/sockets.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct socket_watch {
	struct watch watch;
	struct sockets *all;
	bool parked;
};

static void on_ready(struct watch *watch, unsigned events)
{
	struct socket_watch *w = watch->arg;

	if (w->parked)
		loop_unwatch(w->all->loop, watch);
	else
		w->all->ready(w->all->arg, watch->fd, events);
}

static struct socket_watch *get(struct sockets *s, int fd)
{
	size_t had = s->cap;

	VEC_RESERVE(s->v, s->cap, (size_t)fd + 1);
	if (s->cap > had)
		memset(s->v + had, 0, (s->cap - had) * sizeof(*s->v));
	if (!s->v[fd]) {
		s->v[fd] = NEW(struct socket_watch);
		*s->v[fd] = (struct socket_watch){
			.watch = { .fd = fd, .ready = on_ready, .arg = s->v[fd] },
			.all = s,
		};
	}
	return s->v[fd];
}

void sockets_opened(struct sockets *s, int fd)
{
	if ((size_t)fd < s->cap && s->v[fd])
		loop_unwatch(s->loop, &s->v[fd]->watch);
}

enum status sockets_wish(struct sockets *s, int fd, unsigned wants)
{
	struct socket_watch *w = get(s, fd);

	w->parked = wants == 0;
	return w->parked ? ST_OK : loop_watch(s->loop, &w->watch, wants, NULL);
}

void sockets_release(struct sockets *s)
{
	for (size_t i = 0; i < s->cap; i++) {
		if (s->v[i])
			loop_unwatch(s->loop, &s->v[i]->watch);
		free(s->v[i]);
	}
	free(s->v);
	s->v = NULL;
	s->cap = 0;
}
