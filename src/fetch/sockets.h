/*
 * sockets.h - the descriptors that libcurl wants to have watched.
 *
 * libcurl gives up its wish when an answer is there, and has it again with the next
 * request on that connection.  So a descriptor stays in the loop meanwhile, parked: that
 * saves two system calls a request.  What a parked one reports (the server has closed it)
 * is nobody's; it leaves the loop then, or it would be told for ever.
 *
 * Every descriptor is announced with sockets_opened() before it is used: its number may
 * be that of one which was closed while it was parked.  Belongs to the loop's thread.
 */
#ifndef FETCH_SOCKETS_H
#define FETCH_SOCKETS_H

#include "os/loop.h"

struct sockets {
	struct loop *loop;
	void (*ready)(void *arg, int fd, unsigned events);
	void *arg;
	struct socket_watch **v; /* by number */
	size_t cap;
};

/* A new descriptor has this number. */
void sockets_opened(struct sockets *s, int fd);
/* Watch it for LOOP_READ | LOOP_WRITE; 0 parks it. */
must_use enum status sockets_wish(struct sockets *s, int fd, unsigned wants);
void sockets_release(struct sockets *s);
#endif
