/*
 * control.h - the server's own pages, under /.testweb/ on every host and on
 * hosts that are no site's: the list of seeds, the day, counters.
 */
#ifndef TESTWEB_CONTROL_H
#define TESTWEB_CONTROL_H

#include "testweb/answer.h"

void control_make(struct world *w, struct memory *m, const struct asked *asked,
		  struct answer *a);
/* The front pages by which the web is entered, one a line. */
void seeds_write(const struct world *w, uint64_t hosts, struct buf *to);
/* All host names with their addresses, "IP:PORT NAME..."; like /etc/hosts for port 0. */
void hosts_write(const struct world *w, uint16_t port, struct buf *to);
/* "127.1.2.3" */
void address_write(uint32_t address, struct buf *to);
#endif
